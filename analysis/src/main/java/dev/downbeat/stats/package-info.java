/**
 * What follows from counts? Pure arithmetic: it reads no clock, does no I/O and draws no numbers but from a seed.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats;

import org.jspecify.annotations.NullMarked;
