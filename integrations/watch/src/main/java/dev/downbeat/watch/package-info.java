/**
 * What happened in a service while it was measured? Watchers observe it during the run; readers parse the files it
 * wrote. Both yield {@linkplain dev.downbeat.why.Event events} on the time axis of the run.
 *
 * <p>Internal to Downbeat, except for {@link dev.downbeat.watch.Watchers}.
 */
@NullMarked
package dev.downbeat.watch;

import org.jspecify.annotations.NullMarked;
