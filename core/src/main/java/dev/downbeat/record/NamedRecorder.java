package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the exchanges of one name beside those of all: fates, response and service times, statuses and failures. What is
 * asked of whole runs only (lateness, positions, parts) is not kept by name. Single writer; allocates nothing but the first
 * time that a duration is twice as long as all before.
 */
final class NamedRecorder {
    private static final int STATUSES = 1_000;

    private final SparseCounts response = new SparseCounts();
    private final SparseCounts service = new SparseCounts();
    private final SparseCounts withoutLateness = new SparseCounts();
    private final SparseCounts withoutWaits = new SparseCounts();
    private final SparseCounts failed = new SparseCounts();
    private final SparseCounts censored = new SparseCounts();
    private final SparseCounts censoredWithoutLateness = new SparseCounts();
    private final SparseCounts censoredWithoutWaits = new SparseCounts();
    private final FailureCounts failures = new FailureCounts();
    private final FailureCounts ownLimits = new FailureCounts();
    private final int[] statuses = new int[STATUSES];
    private long answeredCount;
    private long failedCount;
    private long timedOutCount;
    private long timedOutUnsentCount;
    private long inFlightCount;
    private long neverSentCount;
    private long unconnectedCount;

    void completed(Exchange exchange) {
        if (exchange.outcome.fate() == Fate.NEVER_SENT) {
            neverSent(exchange.latenessNanos(), exchange.responseNanos(), 0);
            ownLimits.add(exchange.outcome);
            return;
        }
        statuses[Math.max(0, Math.min(exchange.status, STATUSES - 1))]++;
        if (exchange.outcome.fate() == Fate.ANSWERED) {
            answeredCount++;
            long theirsNanos = exchange.responseNanos() - exchange.latenessNanos();
            response.record(exchange.responseNanos());
            service.record(exchange.serviceNanos());
            withoutLateness.record(theirsNanos);
            withoutWaits.record(theirsNanos - exchange.possiblyOursNanos());
        } else {
            failedCount++;
            failed.record(exchange.responseNanos());
            unconnectedCount += exchange.unconnected ? 1 : 0;
            failures.add(exchange.outcome);
        }
    }

    void timedOut(Exchange exchange, long ageNanos) {
        timedOutCount++;
        unseen(exchange, ageNanos);
    }

    void inFlight(Exchange exchange, long ageNanos) {
        inFlightCount++;
        unseen(exchange, ageNanos);
    }

    private void unseen(Exchange exchange, long ageNanos) {
        unconnectedCount += exchange.unconnected ? 1 : 0;
        long theirsNanos = ageNanos - exchange.latenessNanos();
        censored.record(ageNanos);
        censoredWithoutLateness.record(theirsNanos);
        censoredWithoutWaits.record(theirsNanos - exchange.possiblyOursNanos());
    }

    void timedOutUnsent(long latenessNanos, long ageNanos, long stalledNanos) {
        timedOutCount++;
        timedOutUnsentCount++;
        unsent(latenessNanos, ageNanos, stalledNanos);
    }

    void neverSent(long latenessNanos, long ageNanos, long stalledNanos) {
        neverSentCount++;
        unsent(latenessNanos, ageNanos, stalledNanos);
    }

    private void unsent(long latenessNanos, long ageNanos, long stalledNanos) {
        censored.record(ageNanos);
        censoredWithoutLateness.record(ageNanos - latenessNanos);
        censoredWithoutWaits.record(Math.min(stalledNanos, ageNanos - latenessNanos));
    }

    /** What was counted since the last call. Of one name, as many are planned as have ended. */
    Recording drain(boolean starved) {
        Ledger ledger = new Ledger(
                answeredCount + failedCount + timedOutCount + inFlightCount + neverSentCount,
                answeredCount,
                failedCount,
                timedOutCount,
                timedOutUnsentCount,
                inFlightCount,
                neverSentCount,
                unconnectedCount);
        answeredCount = 0;
        failedCount = 0;
        timedOutCount = 0;
        timedOutUnsentCount = 0;
        inFlightCount = 0;
        neverSentCount = 0;
        unconnectedCount = 0;
        Distribution punctual = withoutLateness.drain();
        Distribution unheld = withoutWaits.drain();
        Distribution punctualCensored = censoredWithoutLateness.drain();
        Distribution unheldCensored = censoredWithoutWaits.drain();
        return Recording.ofName(
                ledger,
                response.drain(),
                service.drain(),
                starved ? unheld : punctual,
                failed.drain(),
                censored.drain(),
                starved ? unheldCensored : punctualCensored,
                failures.drain(),
                drainStatuses(),
                ownLimits.drain());
    }

    private Map<String, Long> drainStatuses() {
        Map<String, Long> counted = new LinkedHashMap<>();
        for (int status = 1; status < STATUSES; status++) {
            if (statuses[status] > 0) {
                counted.put(String.valueOf(status), (long) statuses[status]);
                statuses[status] = 0;
            }
        }
        return counted;
    }
}
