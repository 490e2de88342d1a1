package dev.downbeat.exchange;

import java.time.Instant;
import java.util.List;

/**
 * What became of connections that were left idle between two requests.
 *
 * @param target as the user would say it
 * @param started by the clock of the wall
 * @param durationNanos how long all of it took
 * @param probes one for each connection
 * @param complete whether none was interrupted
 */
public record IdleResult(String target, Instant started, long durationNanos, List<Probe> probes, boolean complete) {
    public IdleResult {
        probes = List.copyOf(probes);
    }

    /** How an idle time ended. */
    public enum Ending {
        /** The second request was answered on the same connection. */
        KEPT,
        /** The other side closed it while it was idle, and said so (FIN). */
        CLOSED,
        /** It broke while it was idle: a reset, or probes without an answer. */
        BROKEN,
        /** It looked open, and the second request met a reset or a close. */
        BROKEN_ON_USE,
        /** It looked open, and the second request got no answer: somebody dropped it and told nobody. */
        SILENT,
        /** The first request failed, or its response ended the connection. */
        NOT_KEPT
    }

    /**
     * One connection: a request, a pause, a request.
     *
     * @param idleNanos how long it was to be idle
     * @param probed whether the kernel probed it meanwhile
     * @param reason of a failure; empty if there was none, as where the first response ended the connection
     * @param endedNanos after how long idle its end was seen; the whole pause if it was not seen before the second request
     * @param openNanos what the first request spent on look-up, connect and handshake
     * @param firstNanos service time of the first request, all of this included
     * @param secondNanos service time of the second; 0 if it had none on this connection
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
