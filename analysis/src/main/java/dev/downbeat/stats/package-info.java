/**
 * Which statistics follow from counts? Pure arithmetic: no clock, no I/O, and random numbers only from a seed.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats;

import org.jspecify.annotations.NullMarked;
