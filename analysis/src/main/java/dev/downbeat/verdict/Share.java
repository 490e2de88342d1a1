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
record Share(long leastCount, long mostCount, long planned) {
    /** More divisions of the timeout would hardly tell more. */
    private static final int PARTS = 10;

    /**
     * Failures and timeouts are facts about the service, except for timeouts that Downbeat noticed late, and failures by a
     * limit of its own. Nobody knows whether an answer that Downbeat read too late came in time.
     *
     * @param plan with the planned timeout
     */
    static Share ofErrors(Recording recording, RunPlan plan) {
        Ledger ledger = recording.ledger();
        long seen = ledger.failed() + ledger.timedOut();
        long unnoticed = Math.min(ledger.timedOutUnsent(), noticedTooLate(recording, plan));
        long unknown = ledger.inFlight() + ledger.neverSent() + readTooLate(recording, plan);
        long ours = unnoticed + recording.tallies().failedByOwnLimit();
        return new Share(seen - ours, seen + unknown, ledger.planned());
    }

    /** Failures by the service, whatever became of the requests that did not fail. */
    static Share ofFailures(Recording recording) {
        long failed = recording.failedByService();
        return new Share(failed, failed, recording.ledger().planned());
    }

    /** The planned requests that are not counted. */
    Share others() {
        return new Share(planned - mostCount, planned - leastCount, planned);
    }

    /** The requests of one name have no lateness, but an age without it: nothing, if they timed out unnoticed. */
    private static long noticedTooLate(Recording recording, RunPlan plan) {
        if (!recording.lateness().isEmpty()) {
            return recording.lateness().countAbove(plan.timeoutNanos() - 1);
        }
        Distribution left = recording.times().censoredWithoutLateness();
        return left.count() - left.countAbove(0);
    }

    /**
     * The most answers that are beyond the timeout only with Downbeat's own delay. Whole sessions, and requests of others'
     * clients, may take longer than the timeout anyway.
     */
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
     * The timeout counts from the dispatch, so lateness in sending is no part of it. Beyond it are only requests whose
     * wait for a slot or whose service time exceeds its part of the timeout, however that is divided. The waits of the
     * requests of one name are unknown.
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
     * In a complete run every request had its chance; in a partial one, missing requests might have been answered.
     *
     * @param complete whether the run is complete
     */
    static Share ofAnswers(Ledger ledger, boolean complete) {
        long cutOff = complete ? 0 : ledger.inFlight() + ledger.neverSent();
        return new Share(ledger.answered(), ledger.answered() + cutOff, ledger.planned());
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

    /** Integers on both sides of the comparison: 29 of 10,000 is exactly 0.29 %. */
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
