/**
 * Which of two systems is faster, and which build changed it? Runs are compared, or refused with the reason.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.compare;

import org.jspecify.annotations.NullMarked;
