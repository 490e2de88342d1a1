package dev.downbeat.event;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Gaps without responses that chance explains. If each request takes its time regardless of the others, each one in
 * flight outlasts a gap with the share that, of all requests at least as old at its start, are so old at its end. All of
 * them together do so with the product of these shares. A slow request alone in flight, a load of a few requests a second
 * and the first seconds of a slow service therefore need no stall. How long requests last is not taken from those in
 * question that were never answered: a service that hangs for all of them would explain itself.
 */
final class RandomGaps {
    /** The chance that a run without a stall has such a gap at all. */
    private static final double CHANCE = 0.01;

    /** Times are recorded to three significant digits. */
    private static final double ABOUT = 0.99;

    /** A gap is divided into so many parts, and the time before it, in which the slowest began, into no more than so many. */
    private static final int STEPS = 16;

    private static final int MOST_STEPS = 4_096;

    private final RunResult result;
    private final List<KeptRequest> sent;
    private final Distribution ended;
    private final Distribution unanswered;
    private final Lasting lasting;

    /** All requests that took so long were kept. */
    private final long keptFromNanos;

    RandomGaps(RunResult result) {
        this.result = result;
        List<KeptRequest> kept = result.kept().slowest();
        this.keptFromNanos =
                kept.isEmpty() ? Long.MAX_VALUE : kept.get(kept.size() - 1).responseNanos();
        this.sent = kept.stream()
                .filter(one -> one.startedNanos() < one.completedNanos())
                .toList();
        Recording all = result.recording();
        this.ended = all.service().plus(all.failed());
        this.unanswered = unseenService(result.intervals());
        this.lasting = new Lasting(ended.plus(unanswered));
    }

    private static Distribution unseenService(List<Interval> intervals) {
        return Distribution.sum(intervals.stream()
                .map(interval -> interval.recording().times().unseenService())
                .toList());
    }

    /** Whether chance explains the gap. */
    boolean has(long fromNanos, long toNanos) {
        boolean areKept = keptFromNanos <= (toNanos - fromNanos) / 2;
        Lasting others = others(fromNanos, toNanos);
        double logOfChance = areKept ? ofRequests(fromNanos, toNanos, others) : ofLoad(fromNanos, toNanos, others);
        return logOfChance + Math.log(ended.count() + unanswered.count()) > Math.log(CHANCE);
    }

    /**
     * All but the unanswered that the gap may have kept from being answered: they end within it or a timeout later. Those
     * sent so long before it that every answer would have come were lost before.
     */
    private Lasting others(long fromNanos, long toNanos) {
        long timeoutNanos = result.plan().timeoutNanos();
        long sentNanos = fromNanos - ended.maxNanos();
        Distribution inQuestion = Distribution.sum(result.intervals().stream()
                .filter(interval -> interval.endNanos() > fromNanos && interval.startNanos() - toNanos < timeoutNanos)
                .map(interval -> upTo(interval.endNanos() - sentNanos, unseenService(List.of(interval))))
                .toList());
        return inQuestion.isEmpty() ? lasting : new Lasting(ended.plus(unanswered.since(inQuestion)));
    }

    private static Distribution upTo(long mostNanos, Distribution times) {
        LongStream.Builder values = LongStream.builder();
        LongStream.Builder counts = LongStream.builder();
        times.forEach((nanos, count) -> {
            if (nanos <= mostNanos) {
                values.add(nanos);
                counts.add(count);
            }
        });
        return Distribution.of(values.build().toArray(), counts.build().toArray());
    }

    private double ofRequests(long fromNanos, long toNanos, Lasting others) {
        List<KeptRequest> inFlight = sent.stream()
                .filter(one -> one.startedNanos() < toNanos && one.completedNanos() > fromNanos)
                .toList();
        double log = 0;
        for (KeptRequest one : inFlight) {
            long startNanos = one.startedNanos();
            long endNanos = Math.min(toNanos, one.completedNanos());
            log -= others.logOfShare(Math.max(0, fromNanos - startNanos)) - others.logOfShare(endNanos - startNanos);
        }
        return log;
    }

    /**
     * The same if too few requests were kept: those due are assumed to be evenly spread within their interval, which may
     * be much longer than the gap, up to the end of the load. Clients that wait have one each.
     */
    private double ofLoad(long fromNanos, long toNanos, Lasting others) {
        long firstNanos = fromNanos - others.longestNanos();
        long stepNanos = Math.max((toNanos - fromNanos) / STEPS, (toNanos - firstNanos) / MOST_STEPS) + 1;
        long loadNanos = result.windowNanos();
        double expected = 0;
        for (Interval interval : result.intervals()) {
            boolean isLast = interval.startNanos() < loadNanos && loadNanos < interval.endNanos();
            long lastNanos = isLast ? loadNanos : interval.endNanos();
            double each =
                    (double) interval.recording().ledger().planned() / Math.max(1, lastNanos - interval.startNanos());
            long endNanos = Math.min(toNanos, lastNanos);
            for (long at = Math.max(firstNanos, interval.startNanos()); at < endNanos; at += stepNanos) {
                long widthNanos = Math.min(stepNanos, endNanos - at);
                long dueNanos = at + widthNanos / 2;
                expected += each
                        * widthNanos
                        * (others.share(Math.max(0, fromNanos - dueNanos)) - others.share(toNanos - dueNanos));
            }
        }
        int clients = result.plan().workload().waitingClients();
        double least = clients == 0 ? Double.NEGATIVE_INFINITY : clients * others.logOfShare(toNanos - fromNanos);
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

        long longestNanos() {
            return nanos.length == 0 ? 0 : nanos[nanos.length - 1];
        }

        double share(long atLeastNanos) {
            int at = Arrays.binarySearch(nanos, (long) (ABOUT * atLeastNanos));
            long lasted = count - below[at < 0 ? -at - 1 : at];
            return (double) Math.max(1, lasted) / Math.max(1, count);
        }

        double logOfShare(long atLeastNanos) {
            return Math.log(share(atLeastNanos));
        }
    }
}
