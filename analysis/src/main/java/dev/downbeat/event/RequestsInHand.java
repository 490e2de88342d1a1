package dev.downbeat.event;

import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.KeptRequests.Opening;
import java.util.Optional;

/**
 * What the requests in hand spent a period on: opening a connection, or waiting for the service. All others waited behind
 * them. Only kept requests count; those in hand during a long gap are among the slowest.
 *
 * @param openingNanos the sum of their time on new connections
 * @param workingNanos the sum of their time at the service
 * @param longestWorkNanos the longest time of one of them at the service
 * @param parts the composition of their new connections
 * @param lengthNanos the length of the period
 */
record RequestsInHand(double openingNanos, double workingNanos, long longestWorkNanos, Parts parts, long lengthNanos) {
    private static final double MOST = 0.5;

    /** Nanoseconds by the steps of a new connection. */
    private record Parts(double lookup, double connect, double handshake) {
        Parts plus(Opening opening) {
            return new Parts(
                    lookup + opening.lookupNanos(),
                    connect + opening.connectNanos(),
                    handshake + opening.handshakeNanos());
        }
    }

    static RequestsInHand between(long fromNanos, long toNanos, KeptRequests kept) {
        double opening = 0;
        double working = 0;
        long longest = 0;
        Parts parts = new Parts(0, 0, 0);
        for (KeptRequest one : kept.slowest()) {
            long openedNanos = Math.min(one.completedNanos(), one.startedNanos() + one.newConnectionNanos());
            long openingNanos = overlap(one.startedNanos(), openedNanos, fromNanos, toNanos);
            long workingNanos = overlap(openedNanos, one.completedNanos(), fromNanos, toNanos);
            opening += openingNanos;
            working += workingNanos;
            longest = Math.max(longest, workingNanos);
            parts = openingNanos > 0 ? parts.plus(one.opening()) : parts;
        }
        return new RequestsInHand(opening, working, longest, parts, toNanos - fromNanos);
    }

    private static long overlap(long from, long to, long fromNanos, long toNanos) {
        return Math.max(0, Math.min(to, toNanos) - Math.max(from, fromNanos));
    }

    /** The step of opening connections on which most of the time was spent; empty if it was not spent on one. */
    Optional<Incident.Cause> slowOpening() {
        if (openingNanos == 0 || openingNanos < MOST * (openingNanos + workingNanos)) {
            return Optional.empty();
        }
        double most = Math.max(parts.lookup, Math.max(parts.connect, parts.handshake));
        if (most == 0) {
            return Optional.empty(); // an older file, or no connection opened
        }
        if (parts.lookup == most) {
            return Optional.of(Incident.Cause.SLOW_LOOKUP);
        }
        Incident.Cause cause = parts.connect == most ? Incident.Cause.SLOW_CONNECT : Incident.Cause.SLOW_HANDSHAKE;
        return wasServiceSilent() ? Optional.empty() : Optional.of(cause);
    }

    /** Whether a request that was sent waited for most of the period: a stalled service also delays connections. */
    private boolean wasServiceSilent() {
        return longestWorkNanos >= MOST * lengthNanos;
    }
}
