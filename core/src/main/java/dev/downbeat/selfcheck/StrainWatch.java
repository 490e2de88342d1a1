package dev.downbeat.selfcheck;

import dev.downbeat.record.Strain;

/** What kept whoever measures from its work, from one interval to the next. Belongs to one thread. */
public final class StrainWatch {
    /** In an interval with answers they came for this share of it at least. */
    private static final long LEAST_ANSWERING_SHARE = 100;

    private final OwnTime own;
    private long runDelayNanos;
    private long hiccupNanos;
    private long gcNanos;
    private long fullNanos;
    private long idleNanos;
    private long stoppedNanos;
    private long answers;

    /** Begins now. */
    public StrainWatch(OwnTime own) {
        this.own = own;
        runDelayNanos = own.runDelayNanos();
        hiccupNanos = own.hiccupNanos();
        gcNanos = own.gcNanos();
    }

    /**
     * Ends an interval.
     *
     * @param silentNanos for how long nothing was answered
     * @param answersSoFar since the start
     * @param fullSoFarNanos for how long no slot was free, since the start
     * @param idleSoFarNanos part of it in which there was nothing to do; -1 if the target does not say
     */
    public Strain next(
            long lengthNanos, long silentNanos, long answersSoFar, long fullSoFarNanos, long idleSoFarNanos) {
        return next(lengthNanos, silentNanos, answersSoFar, fullSoFarNanos, idleSoFarNanos, 0);
    }

    /**
     * Ends an interval of a thread that notices itself when it does not run.
     *
     * @param stoppedSoFarNanos by how much it ran too late, since the start: who is stopped or throttled waits for no
     *     processor, and is kept from its work all the same
     */
    public Strain next(
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
        Strain strain = new Strain(
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
