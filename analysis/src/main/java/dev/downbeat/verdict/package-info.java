/**
 * What may be concluded from a run, and what not? Two separate answers: whether the measurement is sound, and whether the
 * service met its objectives.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.verdict;

import org.jspecify.annotations.NullMarked;
