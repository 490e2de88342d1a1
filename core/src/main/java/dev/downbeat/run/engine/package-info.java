/**
 * How is a run executed? Requests are dispatched at their intended times, tracked while in flight, ended at their
 * deadlines, and all accounted for at the end.
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.run.engine;

import org.jspecify.annotations.NullMarked;
