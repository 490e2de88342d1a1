package dev.downbeat.stats.change;

/**
 * The most of one percentile that something else than the two systems may have added, such as the client's own delay or
 * other processes. A change that it could make is none: it shortens the other's value at most by its part, and the
 * base's by its own. Immutable.
 *
 * @param baseNanos part of the base's value, in nanoseconds, at least 0
 * @param otherNanos part of the other system's value, in nanoseconds, at least 0
 */
public record ForeignPart(long baseNanos, long otherNanos) {
    /** The values are the systems' own. */
    public static final ForeignPart NONE = new ForeignPart(0, 0);

    /** Lowers the logarithm of a change by the other's part: 0 or less, infinite if all may be foreign. */
    double low(long othersNanos) {
        return log(othersNanos, otherNanos);
    }

    /** Raises the logarithm of a change by the base's part: 0 or more, infinite if all may be foreign. */
    double high(long basesNanos) {
        return 0 - log(basesNanos, baseNanos);
    }

    private static double log(long nanos, long partNanos) {
        return partNanos == 0 ? 0 : Math.log(Math.max(0, nanos - partNanos) / (double) Math.max(1, nanos));
    }
}
