package dev.downbeat.load;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.RunVerdict.Measurement;

/** The verdict of a measurement, the same as the command line's exit code. */
public enum Verdict {
    /** Every objective was met, even with all delays of this process included. */
    MET,
    /** An objective was missed, even after subtracting all delays of this process. */
    MISSED,
    /** No objective was missed, but at least one could not be decided. */
    UNDECIDED,
    /** The numbers cannot be trusted; {@link Measured#doubts} has the reasons. */
    UNSOUND;

    static Verdict of(Analysis analysis) {
        return switch (analysis.outcome().answer()) {
            case MISSED -> MISSED;
            case MET -> MET;
            case NOTHING -> analysis.verdict().service() == RunVerdict.Service.MISSED ? MISSED : UNSOUND;
            case UNDECIDED -> analysis.verdict().measurement() == Measurement.UNSOUND ? UNSOUND : UNDECIDED;
        };
    }
}
