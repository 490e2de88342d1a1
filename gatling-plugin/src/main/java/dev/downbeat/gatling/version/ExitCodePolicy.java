package dev.downbeat.gatling.version;

import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.verdict.ExitCode;

/** Whose exit codes the JVM started by Gatling's plugins uses. */
public enum ExitCodePolicy {
    /** Gatling's: a missed objective counts as a failed assertion, and nothing else changes the code. */
    GATLING,
    /** Those of Downbeat's command line. */
    DOWNBEAT,
    /** Gatling's own result only. */
    NONE;

    private static final int ASSERTIONS_FAILED = 2;

    /**
     * The exit code; {@link ExitCode#MET} to leave Gatling's.
     *
     * @param failsUndecided whether undecided objectives count as missed in Gatling's codes
     */
    public int code(RunOutcome outcome, boolean failsUndecided) {
        return switch (this) {
            case GATLING ->
                outcome.answer() == RunOutcome.Answer.MISSED
                                || (failsUndecided && outcome.answer() == RunOutcome.Answer.UNDECIDED)
                        ? ASSERTIONS_FAILED
                        : ExitCode.MET;
            case DOWNBEAT -> outcome.exitCode();
            case NONE -> ExitCode.MET;
        };
    }
}
