/**
 * What may be concluded from a run, and what not? Two separate answers: whether the measurement is sound, and whether the
 * service met its objectives.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.verdict;

import org.jspecify.annotations.NullMarked;
