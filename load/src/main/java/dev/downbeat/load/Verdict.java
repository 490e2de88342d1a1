package dev.downbeat.load;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.verdict.Verdict.Measurement;

/** What may be concluded from a measurement; the same as the command line tells a script. */
public enum Verdict {
    /** Every objective was met, with all delays of this process counted in. */
    MET,
    /** An objective was missed, also without any delay of this process. */
    MISSED,
    /** None was missed, and of at least one the data allow no conclusion. */
    UNDECIDED,
    /** The numbers cannot be believed: {@link Measured#doubts} says why. */
    UNSOUND;

    static Verdict of(Analysis analysis) {
        return switch (analysis.outcome().answer()) {
            case MISSED -> MISSED;
            case MET -> MET;
            case NOTHING ->
                analysis.verdict().service() == dev.downbeat.verdict.Verdict.Service.MISSED ? MISSED : UNSOUND;
            case UNDECIDED -> analysis.verdict().measurement() == Measurement.UNSOUND ? UNSOUND : UNDECIDED;
        };
    }
}
