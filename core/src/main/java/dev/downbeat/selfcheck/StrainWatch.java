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
        long runDelayNow = own.runDelayNanos();
        long hiccupNow = own.hiccupNanos();
        long gcNow = own.gcNanos();
        long full = fullSoFarNanos - fullNanos;
        Strain strain = new Strain(
                runDelayNow < 0 || runDelayNanos < 0 ? -1 : runDelayNow - runDelayNanos,
                hiccupNow - hiccupNanos,
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
