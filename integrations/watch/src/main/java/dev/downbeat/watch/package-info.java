/**
 * What happened in a service, or to it, while it was measured? Watchers look while the run goes on, readers at what the
 * service wrote itself; both tell {@linkplain dev.downbeat.why.Event events} on the time axis of the run.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.watch;

import org.jspecify.annotations.NullMarked;
