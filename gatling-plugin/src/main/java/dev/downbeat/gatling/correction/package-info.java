/**
 * When was each request intended to start? These types replace Gatling's own.
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.correction;

import org.jspecify.annotations.NullMarked;
