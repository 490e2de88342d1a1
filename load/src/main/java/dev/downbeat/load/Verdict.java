package dev.downbeat.load;

import dev.downbeat.verdict.Verdict.Measurement;
import dev.downbeat.verdict.Verdict.Service;

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

    static Verdict of(dev.downbeat.verdict.Verdict judged) {
        if (judged.service() == Service.MISSED) {
            return MISSED;
        }
        if (judged.measurement() == Measurement.UNSOUND) {
            return UNSOUND;
        }
        return judged.service() == Service.UNDECIDED ? UNDECIDED : MET;
    }
}
