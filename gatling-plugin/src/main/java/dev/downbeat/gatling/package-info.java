/**
 * When was each request of a Gatling simulation meant to start, and how long did its caller wait? Everything that knows
 * Gatling's insides is in this package.
 */
@NullMarked
package dev.downbeat.gatling;

import org.jspecify.annotations.NullMarked;
