/**
 * What does a run show as a whole? Findings in order of weight, and the exit code that follows.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.analysis;

import org.jspecify.annotations.NullMarked;
