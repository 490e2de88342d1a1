package dev.downbeat.exchange;

import java.time.Instant;
import java.util.List;

/**
 * The fate of connections left idle between two requests.
 *
 * @param target display name of the target
 * @param started wall-clock time of the start
 * @param durationNanos total duration
 * @param probes one per connection
 * @param complete whether none was interrupted
 */
public record IdleResult(String target, Instant started, long durationNanos, List<Probe> probes, boolean complete) {
    public IdleResult {
        probes = List.copyOf(probes);
    }

    public enum Ending {
        /** The second request was answered on the same connection. */
        KEPT,
        /** The peer closed it while it was idle, with a FIN. */
        CLOSED,
        /** It broke while it was idle: a reset, or unanswered keep-alive probes. */
        BROKEN,
        /** It looked open, and the second request met a reset or a close. */
        BROKEN_ON_USE,
        /** It looked open, and the second request got no response: it was dropped without notice. */
        SILENT,
        /** The first request failed, or its response ended the connection. */
        NOT_KEPT
    }

    /**
     * One connection: a request, a pause, a request.
     *
     * @param idleNanos planned idle time
     * @param probed whether the kernel sent keep-alive probes meanwhile
     * @param reason reason of a failure; empty if there was none, such as when the first response closed the connection
     * @param endedNanos idle time until its end was seen; the whole pause if that was not before the second request
     * @param openNanos time of the first request for DNS lookup, connect and handshake
     * @param firstNanos service time of the first request, including {@code openNanos}
     * @param secondNanos service time of the second request; 0 if this connection had none
     */
    public record Probe(
            long idleNanos,
            boolean probed,
            Ending ending,
            String reason,
            long endedNanos,
            long openNanos,
            long firstNanos,
            long secondNanos) {}
}
