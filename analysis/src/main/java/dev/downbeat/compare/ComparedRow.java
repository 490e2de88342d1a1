package dev.downbeat.compare;

import dev.downbeat.stats.change.ChangeAnswer;
import java.util.OptionalDouble;

/**
 * One percentile of one system against another.
 *
 * @param percentile above 0, below 100
 * @param baseNanos of the base
 * @param baseIsLowerBound whether it is at least that, since requests were not seen to end
 * @param otherNanos of the other
 * @param otherIsLowerBound whether it is at least that
 * @param lowChange lower end of the change's 95 % interval; empty if there is none
 * @param highChange upper end of it; empty if there is none
 * @param atLeast the change is above it with a confidence of 95 %; empty if there is none
 * @param atMost the change is below it with a confidence of 95 %; empty if there is none
 * @param answer over all percentiles together
 */
public record ComparedRow(
        double percentile,
        long baseNanos,
        boolean baseIsLowerBound,
        long otherNanos,
        boolean otherIsLowerBound,
        OptionalDouble lowChange,
        OptionalDouble highChange,
        OptionalDouble atLeast,
        OptionalDouble atMost,
        ChangeAnswer answer) {
    /** What surely differs by no more is called the same. */
    static final double SAME = 0.1;

    /**
     * Smaller differences are called none however sure they are: an interval of calm seconds is as narrow as the buckets of a
     * histogram, a thousandth, and knows nothing of what two starts of one service differ by. The limit is a choice.
     */
    private static final double SLIGHT = 0.01;

    /** Of the normal law: 95 % of one side, and the same with a power of 80 %. */
    private static final double Z = 1.645;

    private static final double Z_WITH_POWER = 2.487;

    /** Calls what is surely within {@link #SAME} the same, and judges nothing that has no interval. */
    public ComparedRow {
        boolean isTold = answer == ChangeAnswer.SLOWER || answer == ChangeAnswer.FASTER;
        if (isTold && isSlight(baseNanos, otherNanos)) {
            answer = ChangeAnswer.CANNOT_TELL;
        }
        boolean isOpen = answer == ChangeAnswer.CANNOT_TELL;
        if (isOpen && lowChange.isEmpty() && highChange.isEmpty()) {
            answer = ChangeAnswer.NOT_JUDGED;
        } else if (isOpen && within(lowChange, highChange).orElse(1) <= SAME) {
            answer = ChangeAnswer.SAME;
        }
    }

    private static OptionalDouble within(OptionalDouble low, OptionalDouble high) {
        return low.isEmpty() || high.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(0, Math.max(high.getAsDouble(), 1 / (1 + low.getAsDouble()) - 1)));
    }

    /** Whether it would be told apart alone, and is not among all percentiles of the comparison. */
    public boolean isOpenTogether() {
        return answer == ChangeAnswer.CANNOT_TELL
                && !isSlight(baseNanos, otherNanos)
                && (lowChange.orElse(0) > 0 || highChange.orElse(0) < 0);
    }

    /** The change of the other against the base; 0.1 is a tenth slower. */
    public double change() {
        return change(baseNanos, otherNanos);
    }

    private static double change(long baseNanos, long otherNanos) {
        return (double) otherNanos / Math.max(1, baseNanos) - 1;
    }

    private static boolean isSlight(long baseNanos, long otherNanos) {
        return Math.abs(change(baseNanos, otherNanos)) < SLIGHT;
    }

    /**
     * Within which part of each other they surely are: the 95 % interval lies inside, so that what is called the same never
     * stands beside an interval that says otherwise, as two tests of one side each (90 %) would let it. Empty if an end is not
     * known.
     */
    public OptionalDouble sameWithin() {
        return within(lowChange, highChange);
    }

    /** How many times as long identical systems would have to be measured for four of five such tests to pass. */
    OptionalDouble timesAsLong(double tolerance) {
        if (atMost.isEmpty()) {
            return OptionalDouble.empty();
        }
        double reach = (Math.log1p(atMost.getAsDouble()) - Math.log1p(change())) / Z * Z_WITH_POWER;
        return OptionalDouble.of(Math.max(1, Math.pow(reach / Math.log1p(tolerance), 2)));
    }
}
