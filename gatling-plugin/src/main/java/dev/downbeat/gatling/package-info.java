/**
 * When was each request of a Gatling simulation intended to start, and how long did its caller wait? This package is
 * the stable API for simulations; the subpackages depend on Gatling's internals.
 */
@NullMarked
package dev.downbeat.gatling;

import org.jspecify.annotations.NullMarked;
