package dev.downbeat.record.recorder;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts the outcomes of all requests, or of those of one name: fates, response and service times, statuses and
 * failures. Data kept only for whole runs (lateness, positions, parts) is in {@link CorrectedRecorder}. Single writer;
 * allocates only for a duration longer than any before.
 */
final class FateRecorder {
    private final ValueCounts response;
    private final ValueCounts service;
    private final ValueCounts withoutLateness;
    private final ValueCounts withoutWaits;
    private final ValueCounts failed;
    private final ValueCounts censored;
    private final ValueCounts censoredWithoutLateness;
    private final ValueCounts censoredWithoutWaits;
    private final ValueCounts unseenService;
    private final FateCounts fates = new FateCounts();

    /** Takes suppliers of counts for values recorded per response, and for those of other requests. */
    FateRecorder(Supplier<? extends ValueCounts> answered, Supplier<? extends ValueCounts> others) {
        response = answered.get();
        service = answered.get();
        withoutLateness = answered.get();
        withoutWaits = answered.get();
        failed = others.get();
        censored = others.get();
        censoredWithoutLateness = others.get();
        censoredWithoutWaits = others.get();
        unseenService = others.get();
    }

    void completed(Exchange exchange) {
        if (exchange.outcome.fate() == Fate.NEVER_SENT) {
            neverSent(exchange.ownNanos(), exchange.responseNanos(), 0);
            fates.ownLimit(exchange);
            return;
        }
        if (exchange.outcome.fate() == Fate.ANSWERED) {
            fates.answered(exchange);
            response.record(exchange.responseNanos());
            service.record(exchange.serviceNanos());
            withoutLateness.record(withoutOwnNanos(exchange, exchange.responseNanos()));
            withoutWaits.record(serviceNanosIfStarved(exchange, exchange.responseNanos()));
        } else {
            fates.failed(exchange);
            if (!exchange.outcome.isUnbuilt()) {
                failed.record(exchange.responseNanos());
            }
        }
    }

    void timedOut(Exchange exchange, long ageNanos) {
        fates.timedOut(exchange);
        unfinished(exchange, ageNanos);
    }

    void inFlight(Exchange exchange, long ageNanos) {
        fates.inFlight(exchange);
        unfinished(exchange, ageNanos);
    }

    private void unfinished(Exchange exchange, long ageNanos) {
        censored.record(ageNanos);
        unseenService.record(Math.max(0, exchange.intendedAt + ageNanos - exchange.startedAt));
        censoredWithoutLateness.record(withoutOwnNanos(exchange, ageNanos));
        censoredWithoutWaits.record(serviceNanosIfStarved(exchange, ageNanos));
    }

    private static long withoutOwnNanos(Exchange exchange, long nanos) {
        return Math.max(0, nanos - exchange.ownNanos());
    }

    private static long serviceNanosIfStarved(Exchange exchange, long nanos) {
        long waitedForOwnNanos = exchange.latenessNanos() + exchange.possiblyOwnNanos();
        return Math.max(0, nanos - Math.max(exchange.ownNanos(), waitedForOwnNanos));
    }

    void timedOutUnsent(long ownNanos, long ageNanos, long stalledNanos) {
        fates.timedOutUnsent();
        unsent(ownNanos, ageNanos, stalledNanos);
    }

    void neverSent(long ownNanos, long ageNanos, long stalledNanos) {
        fates.neverSent();
        unsent(ownNanos, ageNanos, stalledNanos);
    }

    private void unsent(long ownNanos, long ageNanos, long stalledNanos) {
        censored.record(ageNanos);
        long withoutOwnNanos = Math.max(0, ageNanos - ownNanos);
        censoredWithoutLateness.record(withoutOwnNanos);
        censoredWithoutWaits.record(Math.min(stalledNanos, withoutOwnNanos));
    }

    long ended() {
        return fates.ended();
    }

    /** Returns and resets the counts; {@code starved} as in {@link CorrectedRecorder#drain(boolean, Runnable)}. */
    Recording drain(long planned, boolean starved) {
        if (planned == 0 && fates.ended() == 0) {
            return Recording.empty();
        }
        Distribution lessLateness = withoutLateness.drain();
        Distribution lessWaits = withoutWaits.drain();
        Distribution censoredLessLateness = censoredWithoutLateness.drain();
        Distribution censoredLessWaits = censoredWithoutWaits.drain();
        ResponseTimes times = new ResponseTimes(
                response.drain(),
                service.drain(),
                starved ? lessWaits : lessLateness,
                failed.drain(),
                censored.drain(),
                starved ? censoredLessWaits : censoredLessLateness,
                unseenService.drain());
        return Recording.of(fates.drainLedger(planned), times, fates.drainTallies());
    }

    /**
     * Counts of requests by fate, status and reason since the last drain. Single writer; allocates for a new reason, and
     * for the first status of each hundred.
     */
    private static final class FateCounts {
        private static final int HUNDRED = 100;
        private static final int HUNDREDS = 10;

        private static final long[] NONE_YET = {};

        private final long[][] statuses = new long[HUNDREDS][];
        private final FailureCounts failures = new FailureCounts();
        private final FailureCounts ownLimits = new FailureCounts();
        private long answered;
        private long failed;
        private long failedResponses;
        private long timedOut;
        private long timedOutUnsent;
        private long inFlight;
        private long neverSent;
        private long unconnected;

        FateCounts() {
            Arrays.fill(statuses, NONE_YET);
        }

        /** Counts a response; {@link #failed} if it counts as a failure. */
        void answered(Exchange exchange) {
            status(exchange);
            answered++;
        }

        void failed(Exchange exchange) {
            status(exchange);
            failed++;
            failedResponses += exchange.outcome.isResponse() ? 1 : 0;
            unconnected(exchange);
            failures.add(exchange.outcome);
            if (exchange.outcome.end() == Outcome.End.LIMITED) {
                ownLimit(exchange);
            }
        }

        private void status(Exchange exchange) {
            int status = Math.max(0, Math.min(exchange.status, HUNDREDS * HUNDRED - 1));
            long[] counts = statuses[status / HUNDRED];
            if (counts.length == 0) {
                counts = new long[HUNDRED];
                statuses[status / HUNDRED] = counts;
            }
            counts[status % HUNDRED]++;
        }

        private void unconnected(Exchange exchange) {
            unconnected += exchange.unconnected || exchange.outcome.isUnbuilt() ? 1 : 0;
        }

        void timedOut(Exchange exchange) {
            timedOut++;
            unconnected(exchange);
        }

        void inFlight(Exchange exchange) {
            inFlight++;
            unconnected(exchange);
        }

        void timedOutUnsent() {
            timedOut++;
            timedOutUnsent++;
        }

        void neverSent() {
            neverSent++;
        }

        /**
         * Counts a dispatched request that a limit of this process kept from being sent, in addition to {@link #neverSent}
         * or, if it had been sent once, {@link #failed}.
         */
        void ownLimit(Exchange exchange) {
            ownLimits.add(exchange.outcome);
        }

        long ended() {
            return answered + failed + timedOut + inFlight + neverSent;
        }

        /** Returns and resets the fates; {@link #drainTallies} does the same for counts by text. */
        Ledger drainLedger(long planned) {
            Ledger ledger =
                    new Ledger(planned, answered, failed, timedOut, timedOutUnsent, inFlight, neverSent, unconnected);
            answered = 0;
            failed = 0;
            timedOut = 0;
            timedOutUnsent = 0;
            inFlight = 0;
            neverSent = 0;
            unconnected = 0;
            return ledger;
        }

        OutcomeCounts drainTallies() {
            Map<String, Long> counted = new LinkedHashMap<>();
            for (int hundred = 0; hundred < HUNDREDS; hundred++) {
                long[] counts = statuses[hundred];
                for (int i = 0; i < counts.length; i++) {
                    int status = hundred * HUNDRED + i;
                    if (status > 0 && counts[i] > 0) {
                        counted.put(String.valueOf(status), counts[i]);
                    }
                    counts[i] = 0;
                }
            }
            long responses = failedResponses;
            failedResponses = 0;
            return new OutcomeCounts(failures.drain(), responses, counted, ownLimits.drain());
        }

        /** Counts per reason. Reasons are so few that a list is the fastest map. Single writer. */
        private static final class FailureCounts {
            private final List<FailureCount> counts = new ArrayList<>();

            private static final class FailureCount {
                final Outcome outcome;
                long count;

                FailureCount(Outcome outcome) {
                    this.outcome = outcome;
                }
            }

            void add(Outcome outcome) {
                for (int i = 0; i < counts.size(); i++) {
                    if (counts.get(i).outcome.equals(outcome)) {
                        counts.get(i).count++;
                        return;
                    }
                }
                FailureCount first = new FailureCount(outcome);
                first.count = 1;
                counts.add(first);
            }

            Map<String, Long> drain() {
                Map<String, Long> counted = new LinkedHashMap<>();
                for (FailureCount failure : counts) {
                    if (failure.count > 0) {
                        counted.merge(failure.outcome.reason(), failure.count, Long::sum);
                        failure.count = 0;
                    }
                }
                return counted;
            }
        }
    }

    /** Counts of durations in the shared bucket layout. Single writer. */
    interface ValueCounts {
        /** Counts a duration, clamped to the valid range. */
        void record(long nanos);

        Distribution drain();
    }
}
