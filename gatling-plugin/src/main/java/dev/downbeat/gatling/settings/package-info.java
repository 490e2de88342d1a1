/**
 * Which options can a simulation set?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.settings;

import org.jspecify.annotations.NullMarked;
