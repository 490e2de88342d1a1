/**
 * How do readings become events: which spells are high, which overlap, when is the next reading due?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.watch.sample;

import org.jspecify.annotations.NullMarked;
