package dev.downbeat.selfcheck;

import dev.downbeat.record.ProcessDelays;

/** Measures the delays of a measuring process per interval. Owned by one thread. */
public final class ProcessDelayWatch {
    /** An interval counts as having responses if they arrived in at least 1/100 of it. */
    private static final long LEAST_ANSWERING_SHARE = 100;

    private final DelayTotals own;
    private long runDelayNanos;
    private long hiccupNanos;
    private long gcNanos;
    private long fullNanos;
    private long idleNanos;
    private long stoppedNanos;
    private long answers;

    public ProcessDelayWatch(DelayTotals own) {
        this.own = own;
        runDelayNanos = own.runDelayNanos();
        hiccupNanos = own.hiccupNanos();
        gcNanos = own.gcNanos();
    }

    /**
     * Ends an interval.
     *
     * @param silentNanos time without responses
     * @param answersSoFar total number of responses
     * @param fullSoFarNanos total time without a free slot
     * @param idleSoFarNanos the part of it without work; -1 if the target does not report it
     * @param stoppedSoFarNanos total delay that the thread itself detected: a paused or throttled thread is not waiting
     *     for a processor, but is delayed all the same
     */
    public ProcessDelays next(
            long lengthNanos,
            long silentNanos,
            long answersSoFar,
            long fullSoFarNanos,
            long idleSoFarNanos,
            long stoppedSoFarNanos) {
        long runDelayNow = own.runDelayNanos();
        long hiccupNow = own.hiccupNanos();
        long gcNow = own.gcNanos();
        long full = fullSoFarNanos - fullNanos;
        long stopped = stoppedSoFarNanos - stoppedNanos - (gcNow - gcNanos);
        stoppedNanos = stoppedSoFarNanos;
        ProcessDelays strain = new ProcessDelays(
                runDelayNow < 0 || runDelayNanos < 0 ? -1 : Math.max(stopped, runDelayNow - runDelayNanos),
                Math.max(stopped, hiccupNow - hiccupNanos),
                gcNow - gcNanos,
                full,
                idleSoFarNanos < 0 ? -1 : Math.max(0, full - (idleSoFarNanos - idleNanos)),
                0);
        long answeringNanos =
                answersSoFar == answers ? 0 : Math.max(lengthNanos / LEAST_ANSWERING_SHARE, lengthNanos - silentNanos);
        runDelayNanos = runDelayNow;
        hiccupNanos = hiccupNow;
        gcNanos = gcNow;
        fullNanos = fullSoFarNanos;
        idleNanos = idleSoFarNanos;
        answers = answersSoFar;
        return strain.judged(lengthNanos, answeringNanos);
    }
}
