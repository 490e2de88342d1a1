package dev.downbeat.compare;

import java.util.Locale;

/**
 * A reason why two measurements may not be set against each other.
 *
 * @param kind which one
 * @param text one line: what was seen, and what to do about it
 */
public record Incomparable(Kind kind, String text) {
    /** What stands between two measurements. */
    public enum Kind {
        /** A log does not say that its times count from the intended times. */
        UNCORRECTED,
        /** A run that did not come to its end. */
        PARTIAL,
        /** The measurement itself is in doubt. */
        UNSOUND,
        /** Response times changed during the run while the load did not. */
        UNSTEADY,
        /** Too few seconds or turns for intervals. */
        TOO_SHORT,
        /** There are no response times. */
        NOTHING_ANSWERED,
        /** Another machine. */
        DIFFERENT_HOST,
        /** Another kind of load. */
        DIFFERENT_WORKLOAD,
        /** Another rate. */
        DIFFERENT_LOAD,
        /** Older than the builds that are looked at. */
        OLDER;

        /** Whether the same question may have an answer another time: a gate that is closed then is soon turned off. */
        boolean isByChance() {
            return this == UNSOUND || this == UNSTEADY || this == DIFFERENT_HOST;
        }
    }

    /** A stable name for programs, in snake_case. */
    public String code() {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
