/**
 * What differs between Gatling versions?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.version;

import org.jspecify.annotations.NullMarked;
