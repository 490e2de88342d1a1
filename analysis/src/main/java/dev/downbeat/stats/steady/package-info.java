/**
 * Did the service stay the same throughout a run?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.steady;

import org.jspecify.annotations.NullMarked;
