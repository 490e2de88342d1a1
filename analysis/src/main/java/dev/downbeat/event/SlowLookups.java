package dev.downbeat.event;

import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.KeptRequests.Opening;
import java.util.List;

/**
 * Name lookups that took far longer than usual. A lookup is never the service's work, whereas connects and TLS handshakes
 * are: while nothing is answered, a slow handshake cannot be told from a stalled service. Only kept requests count; those
 * that waited during a long gap are among the slowest.
 */
final class SlowLookups {
    /** A lookup is slow if it takes this many times as long as that of a usual request. */
    private static final double LONG = 4;

    private static final double MOST = 0.5;

    /** The requests of which is known how long their lookup took. */
    private final List<KeptRequest> known;

    private final double leastNanos;

    SlowLookups(KeptRequests kept) {
        boolean isAny = kept.slowest().stream().anyMatch(one -> one.opening().lookupNanos() > 0);
        this.known =
                isAny ? kept.slowest().stream().filter(SlowLookups::isKnown).toList() : List.of();
        long[] usual = kept.controls().stream()
                .mapToLong(one -> one.opening().lookupNanos())
                .sorted()
                .toArray();
        this.leastNanos = Math.max(1, usual.length == 0 ? 0 : LONG * usual[usual.length / 2]);
    }

    private static boolean isKnown(KeptRequest one) {
        Opening opening = one.opening();
        return opening.nanos() == 0 || !opening.equals(Opening.unknown(opening.nanos()));
    }

    /** Whether the requests sent before the end of this period spent most of their time in it on slow lookups. */
    boolean cover(long fromNanos, long toNanos) {
        double all = 0;
        double looking = 0;
        for (KeptRequest one : known) {
            long lookupNanos = one.opening().lookupNanos();
            long lookedUpNanos = Math.min(one.completedNanos(), one.startedNanos() + lookupNanos);
            all += overlap(one.startedNanos(), one.completedNanos(), fromNanos, toNanos);
            looking += lookupNanos < leastNanos ? 0 : overlap(one.startedNanos(), lookedUpNanos, fromNanos, toNanos);
        }
        return looking > 0 && looking >= MOST * all;
    }

    private static long overlap(long from, long to, long fromNanos, long toNanos) {
        return Math.max(0, Math.min(to, toNanos) - Math.max(from, fromNanos));
    }
}
