package dev.downbeat.event;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gaps without responses that chance explains. If each request takes its time regardless of the others, each one in
 * flight outlasts a gap with the share that, of all requests at least as old at its start, are so old at its end. All of
 * them together do so with the product of these shares. A slow request alone in flight, a load of a few requests a second
 * and the first seconds of a slow service therefore need no stall.
 */
final class ChanceGaps {
    /** The chance that a run without a stall has such a gap at all. */
    private static final double CHANCE = 0.01;

    /** Times are recorded to three significant digits. */
    private static final double ABOUT = 0.99;

    /** An interval is divided into so many parts. */
    private static final int PARTS = 8;

    private final RunResult result;
    private final List<KeptRequest> sent;
    private final Lasting lasting;

    /** All requests that took so long were kept. */
    private final long keptFromNanos;

    ChanceGaps(RunResult result) {
        this.result = result;
        List<KeptRequest> kept = result.kept().slowest();
        this.keptFromNanos =
                kept.isEmpty() ? Long.MAX_VALUE : kept.get(kept.size() - 1).responseNanos();
        this.sent = kept.stream()
                .filter(one -> one.startedNanos() < one.completedNanos())
                .toList();
        Recording all = result.recording();
        long[] unanswered = sent.stream()
                .filter(one -> !one.isAnswered())
                .mapToLong(one -> one.completedNanos() - one.startedNanos())
                .toArray();
        this.lasting = new Lasting(all.service().plus(Distribution.of(Arrays.stream(unanswered))));
    }

    /** Whether chance explains the gap. */
    boolean has(long fromNanos, long toNanos) {
        boolean areKept = keptFromNanos <= (toNanos - fromNanos) / 2;
        double logOfChance = areKept ? ofRequests(fromNanos, toNanos) : ofLoad(fromNanos, toNanos);
        return logOfChance + Math.log(lasting.count()) > Math.log(CHANCE);
    }

    private double ofRequests(long fromNanos, long toNanos) {
        double log = 0;
        for (KeptRequest one : sent) {
            long startNanos = one.startedNanos();
            long endNanos = Math.min(toNanos, one.completedNanos());
            if (startNanos < toNanos && endNanos > fromNanos) {
                log -= lasting.logOfShare(Math.max(0, fromNanos - startNanos))
                        - lasting.logOfShare(endNanos - startNanos);
            }
        }
        return log;
    }

    /**
     * The same if too few requests were kept: those due are assumed to be evenly spread within their interval, and clients that
     * wait have one each.
     */
    private double ofLoad(long fromNanos, long toNanos) {
        double expected = 0;
        for (Interval interval : result.intervals()) {
            double each = (double) interval.recording().ledger().planned() / PARTS;
            for (int part = 0; part < PARTS && interval.startNanos() < toNanos; part++) {
                long dueNanos = interval.startNanos() + Math.round((part + 0.5) / PARTS * interval.lengthNanos());
                expected += each
                        * (lasting.share(Math.max(0, fromNanos - dueNanos))
                                - lasting.share(Math.max(0, toNanos - dueNanos)));
            }
        }
        int clients = result.plan().workload().waitingClients();
        double least = clients == 0 ? Double.NEGATIVE_INFINITY : clients * lasting.logOfShare(toNanos - fromNanos);
        return Math.max(least, -expected);
    }

    /** The shares of requests that last at least so long. */
    private static final class Lasting {
        private final long[] nanos;
        private final long[] below;
        private final long count;

        Lasting(Distribution times) {
            List<long[]> buckets = new ArrayList<>();
            times.forEach((value, here) -> buckets.add(new long[] {value, here}));
            nanos = new long[buckets.size()];
            below = new long[buckets.size() + 1];
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = buckets.get(i)[0];
                below[i + 1] = below[i] + buckets.get(i)[1];
            }
            count = below[nanos.length];
        }

        long count() {
            return count;
        }

        double share(long atLeastNanos) {
            int at = Arrays.binarySearch(nanos, (long) (ABOUT * atLeastNanos));
            long shorter = below[at < 0 ? -at - 1 : at];
            return (double) Math.max(1, count - shorter) / Math.max(1, count);
        }

        double logOfShare(long atLeastNanos) {
            return Math.log(share(atLeastNanos));
        }
    }
}
