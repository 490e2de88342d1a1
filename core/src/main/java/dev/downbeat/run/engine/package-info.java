/**
 * What happens during a run? Requests are dispatched at their intended times, held while they are out, ended at their
 * deadlines, and every one of them is accounted for at the end.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.run.engine;

import org.jspecify.annotations.NullMarked;
