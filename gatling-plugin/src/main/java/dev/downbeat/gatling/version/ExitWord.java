package dev.downbeat.gatling.version;

import dev.downbeat.analysis.Outcome;
import dev.downbeat.verdict.ExitCode;

/** In whose words the JVM that Gatling's plugins start says what came of a run. */
public enum ExitWord {
    /** Gatling's: a missed objective is what a failed assertion is, and nothing else changes its code. */
    GATLING,
    /** The command line's. */
    DOWNBEAT,
    /** None: the code is Gatling's own. */
    NONE;

    private static final int ASSERTIONS_FAILED = 2;

    /**
     * How the JVM is to end; {@link ExitCode#MET} for as Gatling ends it.
     *
     * @param failsUndecided whether Gatling's word for what is undecided is that for what is missed
     */
    public int code(Outcome outcome, boolean failsUndecided) {
        return switch (this) {
            case GATLING ->
                outcome.answer() == Outcome.Answer.MISSED
                                || (failsUndecided && outcome.answer() == Outcome.Answer.UNDECIDED)
                        ? ASSERTIONS_FAILED
                        : ExitCode.MET;
            case DOWNBEAT -> outcome.exitCode();
            case NONE -> ExitCode.MET;
        };
    }
}
