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

    /** Measured, but not to be trusted. */
    public static final int UNSOUND = 98;

    /** An objective was missed. */
    public static final int MISSED = 99;

    private ExitCode() {}

    /**
     * Decides from what was found. The order is the meaning: no verdict from a bad instrument.
     *
     * @param result of the run
     * @param verdict on it
     * @param acceptUnsound whether a measurement in doubt goes for a sound one
     */
    public static int of(RunResult result, Verdict verdict, boolean acceptUnsound) {
        if (isNothing(result.ledger())) {
            return NOTHING;
        }
        boolean doubt = verdict.measurement() == Verdict.Measurement.UNSOUND
                || verdict.objectives().stream()
                        .anyMatch(objective -> objective.status() == Objective.Status.UNDECIDED);
        if (doubt && !acceptUnsound) {
            return UNSOUND;
        }
        return verdict.service() == Verdict.Service.MISSED ? MISSED : MET;
    }

    /** Every request failed: there is no response time at all. What timed out is a measurement. */
    private static boolean isNothing(Ledger ledger) {
        return ledger.answered() == 0 && ledger.failed() > 0 && ledger.failed() == ledger.planned();
    }
}
