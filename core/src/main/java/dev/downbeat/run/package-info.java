/**
 * What happens during a run? Requests are dispatched at their intended times, tracked while in flight, and ended at
 * their deadlines. At the end, every one is accounted for.
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.run;

import org.jspecify.annotations.NullMarked;
