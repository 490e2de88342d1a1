package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Counts exchanges from their intended time. What it has counted is already corrected for coordinated omission: never
 * apply HdrHistogram's {@code copyCorrectedForCoordinatedOmission} to it.
 *
 * <p>Single writer: one thread records. {@link #drain} may be called by another thread once the writer has handed the
 * recorder over, which is how a run flips intervals: two recorders, exchanged whole, so that no value falls between
 * them and the writer never copies. Recording allocates nothing.
 */
public final class CorrectedRecorder {
    private final Histogram response = Distribution.newHistogram();
    private final Histogram service = Distribution.newHistogram();
    private final Histogram lateness = Distribution.newHistogram();
    private final Histogram backlogWait = Distribution.newHistogram();
    private final Histogram withoutLateness = Distribution.newHistogram();
    private final Histogram failed = Distribution.newHistogram();
    private final Histogram censored = Distribution.newHistogram();
    private final Histogram lookup = Distribution.newHistogram();
    private final Histogram connect = Distribution.newHistogram();
    private final Histogram handshake = Distribution.newHistogram();
    private final @Nullable IntCountsHistogram[] byPosition = new IntCountsHistogram[ByPosition.LAST + 1];
    private final Attribution.Sums attribution = new Attribution.Sums();
    private final Exemplars exemplars = new Exemplars();
    private final List<FailureCount> failures = new ArrayList<>();
    private long runStartAt;
    private long planned;
    private long answeredCount;
    private long failedCount;
    private long timedOutCount;
    private long timedOutUnsentCount;
    private long inFlightCount;
    private long neverSentCount;

    /** A reason and how often it occurred: so few of them that a list is the quickest map. */
    private static final class FailureCount {
        final Outcome outcome;
        long count;

        FailureCount(Outcome outcome) {
            this.outcome = outcome;
        }
    }

    /** Tells when the run started, on the clock of the exchanges; exemplars are placed from there. */
    public void startsAt(long runStartAt) {
        this.runStartAt = runStartAt;
    }

    /** Notes that {@code count} more requests were meant to start; the other side of the ledger. */
    public void planned(long count) {
        planned += count;
    }

    /** Counts an exchange that was sent and has ended, answered or failed. */
    public void completed(Exchange exchange) {
        recordStart(exchange);
        if (exchange.lookupNanos > 0) {
            record(lookup, exchange.lookupNanos);
        }
        if (exchange.connectNanos > 0) {
            record(connect, exchange.connectNanos);
        }
        if (exchange.handshakeNanos > 0) {
            record(handshake, exchange.handshakeNanos);
        }
        if (exchange.outcome.fate() == Fate.ANSWERED) {
            answeredCount++;
            long serviceNanos = exchange.serviceNanos();
            record(response, exchange.responseNanos());
            record(service, serviceNanos);
            record(withoutLateness, exchange.responseNanos() - exchange.latenessNanos());
            attribution.add(exchange);
            exemplars.offer(exchange);
            if (exchange.position > 0) {
                record(atPosition(exchange.position), serviceNanos);
            }
        } else {
            failedCount++;
            record(failed, exchange.responseNanos());
            failureCount(exchange.outcome).count++;
        }
    }

    /**
     * Counts an exchange that was sent and whose deadline passed.
     *
     * @param ageNanos from its intended time to the deadline; the response time is at least this
     */
    public void timedOut(Exchange exchange, long ageNanos) {
        timedOutCount++;
        recordStart(exchange);
        record(censored, ageNanos);
    }

    /**
     * Counts an exchange that was sent and is still out at the end.
     *
     * @param ageNanos from its intended time to the end; the response time is at least this
     */
    public void inFlight(Exchange exchange, long ageNanos) {
        inFlightCount++;
        recordStart(exchange);
        record(censored, ageNanos);
    }

    /**
     * Counts a request whose deadline passed while it waited for a slot.
     *
     * @param latenessNanos how late the generator noticed that it was due
     * @param ageNanos from its intended time to the deadline
     */
    public void timedOutUnsent(long latenessNanos, long ageNanos) {
        timedOutCount++;
        timedOutUnsentCount++;
        record(lateness, latenessNanos);
        record(censored, ageNanos);
    }

    /**
     * Counts a request that was due and still waited for a slot at the end.
     *
     * @param latenessNanos how late the generator noticed that it was due
     * @param ageNanos from its intended time to the end
     */
    public void neverSent(long latenessNanos, long ageNanos) {
        neverSentCount++;
        record(lateness, latenessNanos);
        record(censored, ageNanos);
    }

    private void recordStart(Exchange exchange) {
        record(lateness, exchange.latenessNanos());
        record(backlogWait, exchange.backlogWaitNanos());
    }

    private static void record(AbstractHistogram histogram, long nanos) {
        histogram.recordValue(Math.max(0, Math.min(nanos, Distribution.MAX_NANOS)));
    }

    /** Two digits and int counts: there can be 256 of these, and a position's median needs no more. */
    private IntCountsHistogram atPosition(int position) {
        int place = Math.min(position, ByPosition.LAST);
        IntCountsHistogram histogram = byPosition[place];
        if (histogram == null) {
            histogram = new IntCountsHistogram(1, Distribution.MAX_NANOS, 2);
            byPosition[place] = histogram;
        }
        return histogram;
    }

    private FailureCount failureCount(Outcome outcome) {
        for (int i = 0; i < failures.size(); i++) {
            if (failures.get(i).outcome.equals(outcome)) {
                return failures.get(i);
            }
        }
        FailureCount first = new FailureCount(outcome);
        failures.add(first);
        return first;
    }

    /** What was counted since the last call; starts anew from nothing. */
    public Recording drain() {
        Ledger ledger = new Ledger(
                planned, answeredCount, failedCount, timedOutCount, timedOutUnsentCount, inFlightCount, neverSentCount);
        planned = 0;
        answeredCount = 0;
        failedCount = 0;
        timedOutCount = 0;
        timedOutUnsentCount = 0;
        inFlightCount = 0;
        neverSentCount = 0;
        return new Recording(
                ledger,
                drain(response),
                drain(service),
                drain(lateness),
                drain(backlogWait),
                drain(withoutLateness),
                drain(failed),
                drain(censored),
                drain(lookup),
                drain(connect),
                drain(handshake),
                drainPositions(),
                drainFailures(),
                attribution.drain(),
                exemplars.drain(runStartAt));
    }

    private static Distribution drain(AbstractHistogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return Distribution.empty();
        }
        Distribution counted = Distribution.of(histogram);
        histogram.reset();
        return counted;
    }

    private ByPosition drainPositions() {
        List<Distribution> positions = new ArrayList<>();
        int last = ByPosition.LAST;
        while (last > 0 && isEmpty(byPosition[last])) {
            last--;
        }
        for (int position = 1; position <= last; position++) {
            AbstractHistogram histogram = byPosition[position];
            positions.add(histogram == null ? Distribution.empty() : drain(histogram));
        }
        return new ByPosition(positions);
    }

    private static boolean isEmpty(@Nullable AbstractHistogram histogram) {
        return histogram == null || histogram.getTotalCount() == 0;
    }

    private Map<String, Long> drainFailures() {
        Map<String, Long> counted = new LinkedHashMap<>();
        for (FailureCount failure : failures) {
            if (failure.count > 0) {
                counted.merge(failure.outcome.reason(), failure.count, Long::sum);
                failure.count = 0;
            }
        }
        return counted;
    }
}
