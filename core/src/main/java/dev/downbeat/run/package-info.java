/**
 * What happens during a run? Requests are dispatched at their intended times, tracked while in flight, and ended at their
 * deadlines. At the end, every one is accounted for.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.run;

import org.jspecify.annotations.NullMarked;
