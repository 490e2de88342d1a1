package dev.downbeat.load;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.verdict.RunVerdict;

/** The verdict of a measurement. Further values may be added: give a {@code switch} over them a default. */
public enum Verdict {
    /**
     * Every objective that you set was met, even with all delays of this process included. The default limit of errors
     * was not missed.
     */
    MET,
    /** An objective was missed, even after subtracting all delays of this process. */
    MISSED,
    /** No objective was missed, but at least one could not be decided. */
    UNDECIDED,
    /** The numbers cannot be trusted; {@link Measured#doubts} has the reasons. */
    UNSOUND;

    static Verdict of(Analysis analysis) {
        RunVerdict verdict = analysis.verdict();
        boolean isUnsound = verdict.measurement() == RunVerdict.Soundness.UNSOUND;
        return switch (analysis.outcome().answer()) {
            case MISSED -> MISSED;
            case MET -> isUnsound && verdict.service() == RunVerdict.Service.UNDECIDED ? UNSOUND : MET;
            case NOTHING -> verdict.service() == RunVerdict.Service.MISSED ? MISSED : UNSOUND;
            case UNDECIDED -> isUnsound ? UNSOUND : UNDECIDED;
        };
    }
}
