package dev.downbeat.verdict;

import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;

/** What a script is told: the same numbers by every door. */
public final class ExitCode {
    /** Measured; objectives met, or none set. */
    public static final int MET = 0;

    /** Nothing could be measured. */
    public static final int NOTHING = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** Measured, and what was asked cannot be answered. */
    public static final int UNSOUND = 98;

    /** An objective was missed. */
    public static final int MISSED = 99;

    private ExitCode() {}

    /**
     * Decides from what was found: an objective that was surely missed is missed whatever else is open, and what is open
     * or unsound is no success.
     *
     * @param result of the run
     * @param verdict on it
     * @param acceptUnsound whether what cannot be answered goes for met
     */
    public static int of(RunResult result, Verdict verdict, boolean acceptUnsound) {
        if (isNothing(result)) {
            return NOTHING;
        }
        if (verdict.service() == Verdict.Service.MISSED) {
            return MISSED;
        }
        boolean open =
                verdict.measurement() == Verdict.Measurement.UNSOUND || verdict.service() == Verdict.Service.UNDECIDED;
        return open && !acceptUnsound ? UNSOUND : MET;
    }

    /** Every request failed, and none with an answer: the service was not reached. What timed out is a measurement. */
    private static boolean isNothing(RunResult result) {
        Ledger ledger = result.ledger();
        return ledger.answered() == 0
                && ledger.failed() > 0
                && ledger.failed() == ledger.planned()
                && FailedAnswers.of(result.recording()).count() == 0;
    }
}
