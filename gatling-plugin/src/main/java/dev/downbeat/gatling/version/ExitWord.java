package dev.downbeat.gatling.version;

import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.Verdict;

/** In whose words the JVM that Gatling's plugins start says what came of a run. */
public enum ExitWord {
    /** Gatling's: a missed objective is what a failed assertion is, and nothing else changes its code. */
    GATLING,
    /** The command line's. */
    DOWNBEAT,
    /** None: the code is Gatling's own. */
    NONE;

    private static final int ASSERTIONS_FAILED = 2;

    /** How the JVM is to end; {@link ExitCode#MET} for as Gatling ends it. */
    public int code(RunResult result, Verdict verdict, boolean acceptsUnsound) {
        return switch (this) {
            case GATLING -> verdict.service() == Verdict.Service.MISSED ? ASSERTIONS_FAILED : ExitCode.MET;
            case DOWNBEAT -> ExitCode.of(result, verdict, acceptsUnsound);
            case NONE -> ExitCode.MET;
        };
    }
}
