package dev.downbeat.gatling.version;

import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.verdict.ExitCode;
import java.util.Optional;

/** Whose exit codes the JVM started by Gatling's plugins uses. */
public enum ExitCodePolicy {
    /**
     * Gatling's: with objectives, a missed one, a run that measured nothing, or results that were not saved count as a
     * failed assertion; nothing else changes the code.
     */
    GATLING,
    /** Those of Downbeat's command line. */
    DOWNBEAT,
    /** Gatling's own result only. */
    NONE;

    private static final int ASSERTIONS_FAILED = 2;

    /**
     * The exit code; {@link ExitCode#MET} to leave Gatling's.
     *
     * @param isSaved whether the results were written
     * @param undecided what becomes of an undecided run; without it Gatling's codes let it pass, and Downbeat's do not
     * @param inARow number of consecutive undecided runs, including this one
     */
    public int code(RunOutcome outcome, boolean isSaved, Optional<UndecidedPolicy> undecided, int inARow) {
        boolean passes = outcome.answer() == RunOutcome.Conclusion.UNDECIDED
                && undecided
                        .orElse(this == GATLING ? UndecidedPolicy.PASSES : UndecidedPolicy.FAILS)
                        .passes(inARow);
        int code = passes ? ExitCode.MET : outcome.exitCode();
        return switch (this) {
            case NONE -> ExitCode.MET;
            case DOWNBEAT -> ExitCode.afterOutput(code, isSaved);
            case GATLING -> code == ExitCode.MET && isSaved ? ExitCode.MET : ASSERTIONS_FAILED;
        };
    }
}
