/**
 * Did the service stay the same throughout a run?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.steady;

import org.jspecify.annotations.NullMarked;
