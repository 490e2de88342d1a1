package dev.downbeat.capacity;

import java.util.OptionalDouble;

/**
 * What two services sustain under the same objectives. Immutable.
 *
 * @param base what is compared with
 * @param other what is compared
 */
public record CapacityComparison(Capacity base, Capacity other) {
    /** What may be concluded. */
    public enum Outcome {
        /** The other surely sustains a higher rate. */
        MORE,
        /** The other surely sustains a lower rate. */
        LESS,
        /** Neither is sure. */
        CANNOT_TELL
    }

    /** What may be concluded. */
    public Outcome outcome() {
        if (surelyAbove(other, base)) {
            return Outcome.MORE;
        }
        return surelyAbove(base, other) ? Outcome.LESS : Outcome.CANNOT_TELL;
    }

    private static boolean surelyAbove(Capacity one, Capacity two) {
        OptionalDouble low = one.sustainablePerSecond();
        OptionalDouble high = two.tooHighPerSecond();
        return low.isPresent() && high.isPresent() && low.getAsDouble() >= high.getAsDouble();
    }

    /** The highest rate that both surely sustain; empty if one of them sustains none. */
    public OptionalDouble bothPerSecond() {
        OptionalDouble one = base.sustainablePerSecond();
        OptionalDouble two = other.sustainablePerSecond();
        return one.isPresent() && two.isPresent()
                ? OptionalDouble.of(Math.min(one.getAsDouble(), two.getAsDouble()))
                : OptionalDouble.empty();
    }

    /** At how many times the load of the base the other keeps the objectives, as they were sustained; empty if unknown. */
    public OptionalDouble factor() {
        return ratio(other.sustainablePerSecond(), base.sustainablePerSecond());
    }

    /** The lower end of the interval of {@link #factor}; empty if the base's limit was not reached. */
    public OptionalDouble lowFactor() {
        return ratio(other.sustainablePerSecond(), base.tooHighPerSecond());
    }

    /** The upper end of the interval of {@link #factor}; empty if the other's limit was not reached. */
    public OptionalDouble highFactor() {
        return ratio(other.tooHighPerSecond(), base.sustainablePerSecond());
    }

    private static OptionalDouble ratio(OptionalDouble one, OptionalDouble two) {
        return one.isPresent() && two.isPresent()
                ? OptionalDouble.of(one.getAsDouble() / two.getAsDouble())
                : OptionalDouble.empty();
    }
}
