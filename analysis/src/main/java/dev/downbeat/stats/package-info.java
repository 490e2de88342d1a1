/** What follows from counts? Pure arithmetic: it reads no clock, does no I/O and draws no numbers but from a seed. */
@NullMarked
package dev.downbeat.stats;

import org.jspecify.annotations.NullMarked;
