package dev.downbeat.load;

import java.time.Duration;
import java.util.Objects;

/** Validates the caller's arguments. */
final class ArgumentChecks {
    private static final Duration LONGEST = Duration.ofDays(3650);

    /** Each request that can be in flight has its place from the start. */
    private static final int MOST_AT_ONCE = 1_000_000;

    private ArgumentChecks() {}

    static int atOnce(String what, int given) {
        if (given < 1 || given > MOST_AT_ONCE) {
            throw new IllegalArgumentException(what + " must be from 1 to " + MOST_AT_ONCE + ", but was " + given);
        }
        return given;
    }

    static long atLeastOne(String what, long given) {
        if (given < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, but was " + given);
        }
        return given;
    }

    static Duration aboveZero(String what, Duration given) {
        if (Objects.requireNonNull(given, what).isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + given);
        }
        return notNegative(what, given);
    }

    static Duration notNegative(String what, Duration given) {
        if (Objects.requireNonNull(given, what).isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, but was " + given);
        }
        if (given.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " must be at most 3650 days, but was " + given);
        }
        return given;
    }
}
