package dev.downbeat.compare;

import java.util.Locale;

/**
 * A reason why two measurements are not comparable.
 *
 * @param kind kind of the reason
 * @param text one line: what was found, and what to do about it
 */
public record Incomparable(Kind kind, String text) {
    public enum Kind {
        /** A log does not state that its times are measured from intended times. */
        UNCORRECTED,
        /** A run was cut short. */
        PARTIAL,
        /** A run is unsound. */
        UNSOUND,
        /** A considerable part of all times may be Downbeat's own delay. Comparisons weigh it at each percentile. */
        OWN_DELAY,
        /** Response times changed during a run with a steady load. */
        UNSTEADY,
        /** Too few seconds or turns for intervals. */
        TOO_SHORT,
        /** There are no response times. */
        NOTHING_ANSWERED,
        /** So many requests failed that a percentile is only known to be at least a value. */
        LOWER_BOUND,
        /** So many more requests failed than in other runs that the percentiles of the rest are not comparable. */
        FAILS_MORE,
        /** Another machine. */
        DIFFERENT_HOST,
        /** Another kind of load. */
        DIFFERENT_WORKLOAD,
        /** Another rate. */
        DIFFERENT_LOAD,
        /** Older than the builds considered. */
        OLDER;

        /** Whether another run may be conclusive. A gate that fails in such cases is soon disabled. */
        boolean isByChance() {
            return this == UNSOUND || this == UNSTEADY || this == DIFFERENT_HOST;
        }

        /** Whether the measuring machine is the reason, so that nothing is known about the build. */
        boolean isAboutMachine() {
            return isByChance() || this == OWN_DELAY;
        }

        /** Whether each row accounts for it, so that it does not prevent the comparison. */
        boolean isWeighedByRow() {
            return this == OWN_DELAY;
        }
    }

    /** No request of a run or a side was answered. */
    static Incomparable nothingAnswered(String name) {
        return new Incomparable(
                Kind.NOTHING_ANSWERED, "no request of " + name + " was answered: it has no response times");
    }

    /** The same reason for a run whose times are nevertheless bounded. */
    public Incomparable ofOwnDelay() {
        return new Incomparable(Kind.OWN_DELAY, text);
    }

    /** A stable name for programs, in snake_case. */
    public String code() {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
