/**
 * Why requests were slow: what happened in the service while they were out, and which of it chance does not explain. A
 * {@link dev.downbeat.why.Watcher} brings the {@linkplain dev.downbeat.why.Event events}, a run the {@linkplain
 * dev.downbeat.record.KeptRequests slow requests}; an {@link dev.downbeat.why.Explanation} holds both against each other.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.why;

import org.jspecify.annotations.NullMarked;
