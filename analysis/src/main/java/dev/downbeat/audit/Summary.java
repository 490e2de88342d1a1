package dev.downbeat.audit;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A distribution that a tool wrote instead of individual requests. Durations are nanoseconds. Immutable.
 *
 * @param count number of requests; 0 if unknown
 * @param timed how many of them the distribution holds
 * @param untimed how many of them have no time because they timed out or got no response
 * @param failed number of failed requests, as the tool reports it
 * @param lengthNanos length of the run; 0 if unknown
 * @param users closed-loop users or connections; 0 if there were none or the number is unknown
 * @param isClosedLoop whether the tool's users or connections wait for each response
 * @param percentiles values by percentile, from 0 to 100
 * @param isCorrected whether the times are measured from intended times
 */
public record Summary(
        long count,
        long timed,
        long untimed,
        long failed,
        long lengthNanos,
        long users,
        boolean isClosedLoop,
        NavigableMap<Double, Long> percentiles,
        OptionalLong mean,
        OptionalLong max,
        boolean isCorrected) {
    public Summary {
        percentiles = Collections.unmodifiableNavigableMap(new TreeMap<>(percentiles));
    }

    /** Builds a summary while a reader parses. Not thread-safe. */
    public static final class Draft {
        private final NavigableMap<Double, Long> percentiles = new TreeMap<>();
        private OptionalLong mean = OptionalLong.empty();
        private OptionalLong max = OptionalLong.empty();
        private OptionalLong timed = OptionalLong.empty();
        private long count;
        private long untimed;
        private long failed;
        private long lengthNanos;
        private long users;
        private boolean isClosedLoop;
        private boolean isCorrected;
        private String host = "";
        private long port;
        private boolean isTls;

        /** Sets the host of the load's target, for {@link #url}. */
        public Draft host(String name) {
            host = name;
            return this;
        }

        public Draft port(long number) {
            port = number;
            return this;
        }

        /** Notes that the target is encrypted. */
        public Draft tls() {
            isTls = true;
            return this;
        }

        /** The URL of a path at the host and port; empty if there is no host. */
        public String url(String path) {
            boolean isUsual = port == 0 || port == (isTls ? 443 : 80);
            return host.isEmpty() ? "" : (isTls ? "https://" : "http://") + host + (isUsual ? "" : ":" + port) + path;
        }

        public Draft count(long requests) {
            count = checked("count", requests);
            return this;
        }

        public Draft countMore(long requests) {
            return count(count + checked("count", requests));
        }

        /** Sets how many requests the distribution holds; all that have a time, if this is not called. */
        public Draft timed(long requests) {
            timed = OptionalLong.of(checked("timed", requests));
            return this;
        }

        /** Adds counted requests that timed out or got no response, so that they have no time. */
        public Draft untimedMore(long requests) {
            untimed += checked("untimed", requests);
            return this;
        }

        public Draft failed(long requests) {
            failed = checked("failed", requests);
            return this;
        }

        public Draft lengthNanos(double nanos) {
            lengthNanos = nanos(nanos);
            return this;
        }

        /** Sets the number of closed-loop users. */
        public Draft users(long waiting) {
            users = checked("users", waiting);
            isClosedLoop |= waiting > 0;
            return this;
        }

        /** Notes that the tool's users or connections, however many, wait for each response. */
        public Draft closedLoop() {
            isClosedLoop = true;
            return this;
        }

        /** Marks the times as measured from intended times. */
        public Draft corrected() {
            isCorrected = true;
            return this;
        }

        /** Sets a percentile, from 0 to 100. */
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

        public Draft max(double nanos) {
            max = OptionalLong.of(nanos(nanos));
            return this;
        }

        /** Whether any percentile is set. */
        public boolean hasAny() {
            return !percentiles.isEmpty();
        }

        public Summary done() {
            return new Summary(
                    count,
                    timed.orElse(Math.max(0, count - untimed)),
                    untimed,
                    failed,
                    lengthNanos,
                    users,
                    isClosedLoop,
                    percentiles,
                    mean,
                    max,
                    isCorrected);
        }

        private static long nanos(double value) {
            if (!(value >= 0 && value < 1e17)) {
                throw new IllegalArgumentException("a time must be from 0 to 1157 days, but was " + value + " ns");
            }
            return Math.round(value);
        }

        private static long checked(String name, long value) {
            if (value < 0) {
                throw new IllegalArgumentException(name + " must be at least 0, but was " + value);
            }
            return value;
        }
    }
}
