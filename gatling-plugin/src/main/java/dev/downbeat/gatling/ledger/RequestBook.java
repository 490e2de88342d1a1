package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.Tallies;
import dev.downbeat.record.Waits;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What became of the requests of one name since the last interval: the part of the run's ledger and times that is this
 * name's. A request is planned under the name by which its fate is known. Not thread-safe.
 */
final class RequestBook {
    private final Durations response = new Durations();
    private final Durations service = new Durations();
    private final Durations lateness = new Durations();
    private final Durations backlogWait = new Durations();
    private final Durations withoutLateness = new Durations();
    private final Durations withoutWaits = new Durations();
    private final Durations failed = new Durations();
    private final Durations censored = new Durations();
    private final Durations censoredWithoutLateness = new Durations();
    private final Map<String, Long> reasons = new TreeMap<>();
    private long answeredCount;
    private long failedCount;
    private long timedOutCount;
    private long timedOutUnsentCount;
    private long inFlightCount;
    private long neverSentCount;

    void answered(Exchange seen) {
        answeredCount++;
        started(seen);
        response.add(seen.responseNanos());
        service.add(seen.serviceNanos());
        long theirsNanos = seen.responseNanos() - seen.latenessNanos();
        withoutLateness.add(theirsNanos);
        withoutWaits.add(theirsNanos - seen.possiblyOursNanos());
    }

    /** A failure has a time of its own: how long an answer takes it does not tell. */
    void failed(Exchange seen, String reason) {
        failedCount++;
        started(seen);
        failed.add(seen.responseNanos());
        reasons.merge(reason, 1L, Long::sum);
    }

    void timedOut(Exchange seen, long ageNanos) {
        timedOutCount++;
        started(seen);
        lasted(ageNanos, seen.latenessNanos());
    }

    void timedOutUnsent(long latenessNanos, long ageNanos) {
        timedOutCount++;
        timedOutUnsentCount++;
        lateness.add(latenessNanos);
        lasted(ageNanos, latenessNanos);
    }

    void inFlight(Exchange seen, long ageNanos) {
        inFlightCount++;
        started(seen);
        lasted(ageNanos, seen.latenessNanos());
    }

    void neverSent(long latenessNanos, long ageNanos) {
        neverSentCount++;
        lateness.add(latenessNanos);
        lasted(ageNanos, latenessNanos);
    }

    private void started(Exchange seen) {
        lateness.add(seen.latenessNanos());
        backlogWait.add(seen.backlogWaitNanos());
    }

    private void lasted(long ageNanos, long latenessNanos) {
        censored.add(ageNanos);
        censoredWithoutLateness.add(ageNanos - latenessNanos);
    }

    /**
     * All since the last call.
     *
     * @param starved whether waits may have been for us
     * @param scratch an empty histogram, which is left empty
     */
    Recording drain(boolean starved, Histogram scratch) {
        long planned = answeredCount + failedCount + timedOutCount + inFlightCount + neverSentCount;
        Distribution punctual = withoutLateness.counted(scratch);
        Distribution unheld = withoutWaits.counted(scratch);
        Recording drained = Recording.of(
                        new Ledger(
                                planned,
                                answeredCount,
                                failedCount,
                                timedOutCount,
                                timedOutUnsentCount,
                                inFlightCount,
                                neverSentCount),
                        new ResponseTimes(
                                response.counted(scratch),
                                service.counted(scratch),
                                starved ? unheld : punctual,
                                failed.counted(scratch),
                                censored.counted(scratch),
                                censoredWithoutLateness.counted(scratch)),
                        Tallies.ofFailures(reasons))
                .withWaits(Waits.of(lateness.counted(scratch), backlogWait.counted(scratch)));
        reasons.clear();
        answeredCount = 0;
        failedCount = 0;
        timedOutCount = 0;
        timedOutUnsentCount = 0;
        inFlightCount = 0;
        neverSentCount = 0;
        return drained;
    }
}
