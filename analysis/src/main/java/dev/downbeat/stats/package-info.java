/**
 * What follows from counts? Pure arithmetic: no clock, no I/O, and random numbers only from a seed.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats;

import org.jspecify.annotations.NullMarked;
