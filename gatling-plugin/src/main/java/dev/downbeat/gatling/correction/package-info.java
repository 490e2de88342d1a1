/**
 * When was each request meant to start? These types replace Gatling's own.
 *
 * <p>Not promised: for Downbeat's own modules. What a simulation may depend on is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.correction;

import org.jspecify.annotations.NullMarked;
