/**
 * What differs between Gatling versions?
 *
 * <p>Not promised: for Downbeat's own modules. What a simulation may depend on is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.version;

import org.jspecify.annotations.NullMarked;
