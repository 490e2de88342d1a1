/**
 * What does a run show? Findings in order of precedence, and the exit code that follows.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.analysis;

import org.jspecify.annotations.NullMarked;
