package dev.downbeat.load;

import java.time.Duration;
import java.util.Objects;

/** Validates the caller's arguments. */
final class ArgumentChecks {
    private static final Duration LONGEST = Duration.ofDays(3650);

    /** Each request that can be in flight has its place from the start. */
    private static final int MAX_CONCURRENCY = 1_000_000;

    private ArgumentChecks() {}

    static int concurrency(String name, int given) {
        if (given < 1 || given > MAX_CONCURRENCY) {
            throw new IllegalArgumentException(name + " must be from 1 to " + MAX_CONCURRENCY + ", but was " + given);
        }
        return given;
    }

    static long atLeastOne(String name, long given) {
        if (given < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but was " + given);
        }
        return given;
    }

    static Duration aboveZero(String name, Duration given) {
        if (Objects.requireNonNull(given, name).isZero()) {
            throw new IllegalArgumentException(name + " must be above zero, but was " + given);
        }
        return notNegative(name, given);
    }

    static Duration notNegative(String name, Duration given) {
        if (Objects.requireNonNull(given, name).isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative, but was " + given);
        }
        if (given.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be at most 3650 days, but was " + given);
        }
        return given;
    }
}
