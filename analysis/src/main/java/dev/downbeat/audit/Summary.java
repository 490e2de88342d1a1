package dev.downbeat.audit;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A distribution that a tool wrote instead of its requests. Durations are nanoseconds. Immutable.
 *
 * @param count of requests in it; 0 if it is not known
 * @param failed requests that the tool says failed
 * @param lengthNanos of the run; 0 if it is not known
 * @param users or connections that waited for their responses; 0 if there were none, or it is not known
 * @param percentiles by percentile, from 0 to 100
 * @param isCorrected whether the times count from intended times
 */
public record Summary(
        long count,
        long failed,
        long lengthNanos,
        long users,
        NavigableMap<Double, Long> percentiles,
        OptionalLong mean,
        OptionalLong max,
        boolean isCorrected) {
    public Summary {
        percentiles = Collections.unmodifiableNavigableMap(new TreeMap<>(percentiles));
    }

    /** What a reader has found so far. Not thread-safe. */
    public static final class Draft {
        private final NavigableMap<Double, Long> percentiles = new TreeMap<>();
        private OptionalLong mean = OptionalLong.empty();
        private OptionalLong max = OptionalLong.empty();
        private long count;
        private long failed;
        private long lengthNanos;
        private long users;
        private boolean isCorrected;

        public Draft count(long requests) {
            count = checked("count", requests);
            return this;
        }

        public Draft failed(long requests) {
            failed = checked("failed", requests);
            return this;
        }

        /** How long the run was. */
        public Draft lengthNanos(double nanos) {
            lengthNanos = nanos(nanos);
            return this;
        }

        /** How many waited for their responses. */
        public Draft users(long waiting) {
            users = checked("users", waiting);
            return this;
        }

        /** The times count from intended times. */
        public Draft corrected() {
            isCorrected = true;
            return this;
        }

        /** A percentile, from 0 to 100. */
        public Draft percentile(double percentile, double nanos) {
            if (!(percentile >= 0 && percentile <= 100)) {
                throw new IllegalArgumentException("a percentile must be from 0 to 100, but was " + percentile);
            }
            if (percentiles.size() < 100_000) {
                percentiles.put(percentile, nanos(nanos));
            }
            return this;
        }

        public Draft mean(double nanos) {
            mean = OptionalLong.of(nanos(nanos));
            return this;
        }

        /** The longest. */
        public Draft max(double nanos) {
            max = OptionalLong.of(nanos(nanos));
            return this;
        }

        /** Whether there is a percentile. */
        public boolean hasAny() {
            return !percentiles.isEmpty();
        }

        /** All of it. */
        public Summary done() {
            return new Summary(count, failed, lengthNanos, users, percentiles, mean, max, isCorrected);
        }

        private static long nanos(double value) {
            if (!(value >= 0 && value < 1e17)) {
                throw new IllegalArgumentException("a time must be from 0 to 1157 days, but was " + value + " ns");
            }
            return Math.round(value);
        }

        private static long checked(String what, long value) {
            if (value < 0) {
                throw new IllegalArgumentException(what + " must be at least 0, but was " + value);
            }
            return value;
        }
    }
}
