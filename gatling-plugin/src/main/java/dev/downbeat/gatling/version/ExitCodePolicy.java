package dev.downbeat.gatling.version;

import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.verdict.ExitCode;
import java.util.Optional;

/** Whose exit codes the JVM started by Gatling's plugins uses. */
public enum ExitCodePolicy {
    /** Gatling's: a missed objective, or a run that measured nothing, counts as a failed assertion; nothing else changes the code. */
    GATLING,
    /** Those of Downbeat's command line. */
    DOWNBEAT,
    /** Gatling's own result only. */
    NONE;

    private static final int ASSERTIONS_FAILED = 2;

    /**
     * The exit code; {@link ExitCode#MET} to leave Gatling's.
     *
     * @param undecided what becomes of an undecided run; without it Gatling's codes let it pass, and Downbeat's do not
     * @param inARow number of consecutive undecided runs, including this one
     */
    public int code(RunOutcome outcome, Optional<UndecidedPolicy> undecided, int inARow) {
        boolean passes = outcome.answer() == RunOutcome.Answer.UNDECIDED
                && undecided
                        .orElse(this == GATLING ? UndecidedPolicy.PASSES : UndecidedPolicy.FAILS)
                        .passes(inARow);
        if (passes || this == NONE) {
            return ExitCode.MET;
        }
        boolean isFailed = outcome.answer() != RunOutcome.Answer.MET;
        return this == DOWNBEAT ? outcome.exitCode() : isFailed ? ASSERTIONS_FAILED : ExitCode.MET;
    }
}
