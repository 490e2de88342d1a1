package dev.downbeat.load;

import dev.downbeat.record.Ledger;
import dev.downbeat.verdict.Verdict.Measurement;
import dev.downbeat.verdict.Verdict.Service;

/** What may be concluded from a measurement; the same as the command line tells a script. */
public enum Verdict {
    /** Every objective was met, by numbers that can be believed. */
    MET,
    /** An objective was missed. No instrument is needed to see that every single request failed. */
    MISSED,
    /** None was missed, and of at least one the data allow no conclusion. */
    UNDECIDED,
    /** The numbers cannot be believed: {@link Measured#doubts} says why. */
    UNSOUND;

    static Verdict of(dev.downbeat.verdict.Verdict judged, Ledger ledger) {
        boolean isSound = judged.measurement() == Measurement.SOUND;
        boolean isMissed = judged.service() == Service.MISSED;
        if (isMissed && (isSound || ledger.failed() == ledger.planned())) {
            return MISSED;
        }
        if (!isSound) {
            return UNSOUND;
        }
        return judged.service() == Service.UNDECIDED ? UNDECIDED : MET;
    }
}
