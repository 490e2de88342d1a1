package dev.downbeat.event;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Counts;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Gaps between responses that chance explains. If requests are independent, each one in flight outlasts a gap with a
 * probability that follows from the durations of all requests: of those at least as old at the start of the gap, the
 * share that reaches its age at the end. The product over all requests in flight is the probability of the gap. It is
 * high for a single slow request, for a few requests a second, and in the first seconds of a slow service. The
 * durations exclude the requests that the gap itself may have kept from being answered, since a hanging service would
 * otherwise explain its own gap.
 */
final class RandomGaps {
    /** The accepted probability, per run, that chance causes such a gap. */
    private static final double CHANCE = 0.01;

    /** Times are recorded to three significant digits. */
    private static final double ABOUT = 0.99;

    /** Number of parts into which a gap is divided. */
    private static final int STEPS = 16;

    /** The most parts, including the time before the gap since the slowest request in flight began. */
    private static final int MOST_STEPS = 4_096;

    private final RunResult result;
    private final List<KeptRequest> sent;
    private final Distribution ended;
    private final Distribution unanswered;
    private final Survival survival;

    /** The response time from which on all requests were kept. */
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
        this.survival = new Survival(ended.plus(unanswered));
    }

    private static Distribution unseenService(List<Interval> intervals) {
        return Distribution.sum(intervals.stream()
                .map(interval -> interval.recording().times().unseenService())
                .toList());
    }

    /** Whether chance explains the gap. */
    boolean contains(long fromNanos, long toNanos) {
        boolean areKept = keptFromNanos <= (toNanos - fromNanos) / 2;
        Survival others = others(fromNanos, toNanos);
        double logOfChance = areKept ? ofRequests(fromNanos, toNanos, others) : ofLoad(fromNanos, toNanos, others);
        return logOfChance + Math.log(ended.count() + unanswered.count()) > Math.log(CHANCE);
    }

    /**
     * The durations of all requests except unanswered ones that the gap may have kept from being answered: these end
     * within it or a timeout later. Requests sent so long before that every answer would have arrived were lost for
     * other reasons.
     */
    private Survival others(long fromNanos, long toNanos) {
        long timeoutNanos = result.plan().timeoutNanos();
        long sentNanos = fromNanos - ended.maxNanos();
        Distribution inQuestion = Distribution.sum(result.intervals().stream()
                .filter(interval -> interval.endNanos() > fromNanos && interval.startNanos() - toNanos < timeoutNanos)
                .map(interval -> upTo(interval.endNanos() - sentNanos, unseenService(List.of(interval))))
                .toList());
        return inQuestion.isEmpty() ? survival : new Survival(ended.plus(unanswered.since(inQuestion)));
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

    private double ofRequests(long fromNanos, long toNanos, Survival others) {
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

    /** The same if too few were kept: planned ones are spread evenly, and each closed-loop client has one. */
    private double ofLoad(long fromNanos, long toNanos, Survival others) {
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
                long intendedNanos = at + widthNanos / 2;
                expected += each
                        * widthNanos
                        * (others.share(Math.max(0, fromNanos - intendedNanos))
                                - others.share(toNanos - intendedNanos));
            }
        }
        int clients = result.plan().workload().waitingClients();
        double least = clients == 0 ? Double.NEGATIVE_INFINITY : clients * others.logOfShare(toNanos - fromNanos);
        return Math.max(least, -expected);
    }

    /** The survival function of durations: the share of requests that last at least a time. */
    private static final class Survival {
        private final long[] nanos;
        private final long[] below;
        private final long count;

        Survival(Distribution times) {
            Counts buckets = Counts.of(times);
            nanos = buckets.values();
            below = new long[nanos.length + 1];
            for (int i = 0; i < nanos.length; i++) {
                below[i + 1] = below[i] + buckets.counts()[i];
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
