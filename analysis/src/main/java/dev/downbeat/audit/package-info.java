/**
 * What does another tool's result hide? From its counts follow the planned load, the stalls, and bounds of what callers
 * waited.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.audit;

import org.jspecify.annotations.NullMarked;
