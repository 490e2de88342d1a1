/**
 * What does another tool's result hide? What it wrote down is counted as it is read; from the counts follow the plan that it
 * had, when the service answered nobody, and what callers waited then, as bounds.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.audit;

import org.jspecify.annotations.NullMarked;
