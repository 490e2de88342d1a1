/**
 * When was each request of a Gatling simulation meant to start, and how long did its caller wait? What a
 * simulation may depend on is in this package; what knows Gatling's insides, in those below it.
 */
@NullMarked
package dev.downbeat.gatling;

import org.jspecify.annotations.NullMarked;
