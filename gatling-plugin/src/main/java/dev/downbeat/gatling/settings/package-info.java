/**
 * Which options does a simulation set?
 *
 * <p>Not promised: for Downbeat's own modules. What a simulation may depend on is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.settings;

import org.jspecify.annotations.NullMarked;
