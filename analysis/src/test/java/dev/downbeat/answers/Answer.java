package dev.downbeat.answers;

import java.util.function.LongFunction;

/**
 * What the product says of runs whose truth is known.
 *
 * @param what it says, in a few words
 * @param law of the runs
 * @param goalPercent it is wrong in at most so many of them
 * @param runs as many a nightly build tries
 * @param once one run, by its seed
 */
public record Answer(String what, String law, double goalPercent, int runs, LongFunction<Outcome> once) {
    /** It may be wrong as often as it likes: what it depends on has not been seen. */
    static final double NO_GOAL = 100;

    /** What came of one run. */
    public enum Outcome {
        RIGHT,
        WRONG,
        /** It said that it cannot say. */
        NONE
    }

    /** Wrong or right. */
    public static Outcome rightIf(boolean isRight) {
        return isRight ? Outcome.RIGHT : Outcome.WRONG;
    }

    @Override
    public String toString() {
        return what + ": " + law;
    }
}
