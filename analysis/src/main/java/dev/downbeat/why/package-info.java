/**
 * Why were requests slow? A {@link dev.downbeat.why.Watcher} records {@linkplain dev.downbeat.why.Event events} of the
 * service, a run keeps its {@linkplain dev.downbeat.record.KeptRequests slow requests}. An {@link
 * dev.downbeat.why.Explanation} names the events that cover more of them than chance would.
 *
 * <p>Internal to Downbeat, except for {@link dev.downbeat.why.ServiceWatch}.
 */
@NullMarked
package dev.downbeat.why;

import org.jspecify.annotations.NullMarked;
