/**
 * What may be concluded from a run, and what not? Two separate answers: whether the measurement is sound, and whether the
 * service met its objectives.
 */
@NullMarked
package dev.downbeat.verdict;

import org.jspecify.annotations.NullMarked;
