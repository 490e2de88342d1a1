package dev.downbeat.verdict;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.PercentText;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * A count of planned requests, known to lie between two bounds. A run and each of its stretches are counted alike.
 *
 * @param leastCount the certain ones
 * @param mostCount the certain and the unknown ones
 * @param planned all planned requests
 */
record BoundedCount(long leastCount, long mostCount, long planned) {
    /** Number of divisions of the timeout; more would hardly tighten the bound. */
    private static final int PARTS = 10;

    /**
     * Failures and timeouts count, except timeouts that Downbeat noticed late and failures by a limit of its own.
     * Whether an answer that Downbeat read too late was in time is unknown.
     *
     * @param plan with the planned timeout
     */
    static BoundedCount ofErrors(Recording recording, RunPlan plan) {
        Ledger ledger = recording.ledger();
        long observed = ledger.failed() + ledger.timedOut();
        long unnoticed = Math.min(ledger.timedOutUnsent(), noticedTooLate(recording, plan));
        long unknown = ledger.inFlight() + ledger.neverSent() + readTooLate(recording, plan);
        long byDownbeat = unnoticed + recording.tallies().failedByOwnLimit();
        return new BoundedCount(observed - byDownbeat, observed + unknown, ledger.planned());
    }

    /** Failures by the service, regardless of the other requests. */
    static BoundedCount ofFailures(Recording recording) {
        long failed = recording.failedByService();
        return new BoundedCount(failed, failed, recording.ledger().planned());
    }

    /** The planned requests that are not counted. */
    BoundedCount others() {
        return new BoundedCount(planned - mostCount, planned - leastCount, planned);
    }

    /** Timeouts that may have been noticed late: by lateness, or for a name by its age without it, which is 0. */
    private static long noticedTooLate(Recording recording, RunPlan plan) {
        if (!recording.lateness().isEmpty()) {
            return recording.lateness().countAbove(plan.timeoutNanos() - 1);
        }
        Distribution left = recording.times().censoredWithoutLateness();
        return left.count() - left.countAbove(0);
    }

    /** Upper bound of the answers that exceed the timeout only because of Downbeat's own delay. */
    private static long readTooLate(Recording recording, RunPlan plan) {
        if (plan.workload() instanceof Workload.External || !recording.times().isOwnDelayKnown()) {
            return 0;
        }
        long timeoutNanos = plan.timeoutNanos();
        long beyond = plan.timeoutFrom() == RunPlan.TimeoutFrom.INTENDED
                ? mostBeyondFromDispatch(recording, timeoutNanos)
                : recording.service().countAbove(timeoutNanos);
        long byOwnDelay = recording.response().countAbove(timeoutNanos)
                - recording.times().withoutLateness().countAbove(timeoutNanos);
        return Math.min(beyond, Math.max(0, byOwnDelay));
    }

    /**
     * Upper bound of the answers beyond a timeout from the dispatch. For any division of the timeout, either the wait
     * for a slot or the service time of such an answer exceeds its part. The waits of the requests of one name are
     * unknown.
     */
    private static long mostBeyondFromDispatch(Recording recording, long timeoutNanos) {
        Distribution waits = recording.backlogWait();
        Distribution service = recording.service();
        if (Math.min(waits.count(), service.count()) < recording.response().count()) {
            return recording.response().countAbove(timeoutNanos);
        }
        return LongStream.rangeClosed(0, PARTS)
                .map(part -> timeoutNanos / PARTS * part)
                .map(wait -> waits.countAbove(wait) + service.countAbove(timeoutNanos - wait))
                .min()
                .getAsLong();
    }

    /**
     * The answered requests; in a partial run, cut-off requests might have been answered as well.
     *
     * @param complete whether the run is complete
     */
    static BoundedCount ofAnswers(Ledger ledger, boolean complete) {
        long cutOff = complete ? 0 : ledger.inFlight() + ledger.neverSent();
        return new BoundedCount(ledger.answered(), ledger.answered() + cutOff, ledger.planned());
    }

    boolean isOfNothing() {
        return planned == 0;
    }

    boolean isExact() {
        return leastCount == mostCount;
    }

    double least() {
        return (double) leastCount / planned;
    }

    /** In integers, so that comparisons are exact: 29 of 10,000 is 0.29 %. */
    BigDecimal leastTimes100() {
        return BigDecimal.valueOf(leastCount).multiply(BigDecimal.valueOf(100));
    }

    BigDecimal mostTimes100() {
        return BigDecimal.valueOf(mostCount).multiply(BigDecimal.valueOf(100));
    }

    BigDecimal times(BigDecimal percent) {
        return BigDecimal.valueOf(planned).multiply(percent);
    }

    String text() {
        return isExact()
                ? String.format(Locale.ROOT, "measured %s (%,d of %,d)", percent(leastCount), leastCount, planned)
                : String.format(
                        Locale.ROOT,
                        "measured between %s and %s (%,d to %,d of %,d)",
                        percent(leastCount),
                        percent(mostCount),
                        leastCount,
                        mostCount,
                        planned);
    }

    private String percent(long count) {
        return PercentText.of((double) count / planned);
    }
}
