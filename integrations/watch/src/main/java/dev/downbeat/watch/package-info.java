/**
 * What happened in a service while it was measured? Watchers observe it during the run; readers parse the files it wrote. Both
 * yield {@linkplain dev.downbeat.why.Event events} on the time axis of the run.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.watch;

import org.jspecify.annotations.NullMarked;
