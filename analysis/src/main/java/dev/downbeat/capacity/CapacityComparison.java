package dev.downbeat.capacity;

import java.util.OptionalDouble;

/**
 * The sustained rates of two services under the same objectives. Immutable.
 *
 * @param base the service to compare with
 * @param other the service to compare
 */
public record CapacityComparison(Capacity base, Capacity other) {
    /** The conclusion. */
    public enum Outcome {
        /** The other service certainly sustains a higher rate. */
        MORE,
        /** The other service certainly sustains a lower rate. */
        LESS,
        /** Neither is certain. */
        CANNOT_TELL
    }

    /** The conclusion. */
    public Outcome outcome() {
        if (isCertainlyAbove(other, base)) {
            return Outcome.MORE;
        }
        return isCertainlyAbove(base, other) ? Outcome.LESS : Outcome.CANNOT_TELL;
    }

    private static boolean isCertainlyAbove(Capacity one, Capacity two) {
        OptionalDouble low = one.sustainablePerSecond();
        OptionalDouble high = two.tooHighPerSecond();
        return low.isPresent() && high.isPresent() && low.getAsDouble() >= high.getAsDouble();
    }

    /** The highest rate that both certainly sustain; empty if one sustains none. */
    public OptionalDouble bothPerSecond() {
        OptionalDouble one = base.sustainablePerSecond();
        OptionalDouble two = other.sustainablePerSecond();
        return one.isPresent() && two.isPresent()
                ? OptionalDouble.of(Math.min(one.getAsDouble(), two.getAsDouble()))
                : OptionalDouble.empty();
    }

    /** The other service's sustained rate divided by the base's; empty if unknown. */
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
