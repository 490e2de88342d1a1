package dev.downbeat.run;

import dev.downbeat.arrival.ExponentialGap;
import dev.downbeat.arrival.SplitMix64;
import java.util.List;

/**
 * The pause of a client or session between requests. Pure and reproducible: a pause is a function of the client and the
 * request number.
 */
public sealed interface ThinkTime {
    /** The pause, in nanoseconds, before request {@code n}, from 0, of a client or session. */
    long pauseNanos(long client, long n);

    /** A description, such as "think 100 ms". */
    String kind();

    /** The mean pause in nanoseconds. */
    long meanNanos();

    /** The number of requests after which the pauses repeat: the length of a session's script. */
    default int steps() {
        return 1;
    }

    static ThinkTime none() {
        return new Constant(0);
    }

    /**
     * A constant pause.
     *
     * @param meanNanos at least 0
     */
    record Constant(long meanNanos) implements ThinkTime {
        public Constant {
            requireNotNegative(meanNanos);
        }

        @Override
        public long pauseNanos(long client, long n) {
            return meanNanos;
        }

        @Override
        public String kind() {
            return "constant";
        }
    }

    /**
     * Exponentially distributed pauses.
     *
     * @param meanNanos at least 0
     * @param seed the same seed gives the same pauses
     */
    record Exponential(long meanNanos, long seed) implements ThinkTime {
        public Exponential {
            requireNotNegative(meanNanos);
        }

        @Override
        public long pauseNanos(long client, long n) {
            return Math.round(ExponentialGap.of(mix(mix(mix(seed) ^ client) ^ n)) * meanNanos);
        }

        @Override
        public String kind() {
            return "exponential";
        }

        private static long mix(long x) {
            return SplitMix64.mix(x + SplitMix64.STEP);
        }
    }

    /**
     * A separate pause before each request of a script; it repeats after the last.
     *
     * @param before pauses before the first request, the second, and so on; at least one
     */
    record ByStep(List<ThinkTime> before) implements ThinkTime {
        public ByStep {
            before = List.copyOf(before);
            if (before.isEmpty()) {
                throw new IllegalArgumentException("before must have at least 1 pause, but was empty");
            }
        }

        @Override
        public long pauseNanos(long client, long n) {
            return before.get((int) (n % before.size())).pauseNanos(client, n);
        }

        @Override
        public String kind() {
            return "scripted";
        }

        @Override
        public long meanNanos() {
            return Math.round(
                    before.stream().mapToLong(ThinkTime::meanNanos).average().orElseThrow());
        }

        @Override
        public int steps() {
            return before.size();
        }
    }

    private static void requireNotNegative(long meanNanos) {
        if (meanNanos < 0) {
            throw new IllegalArgumentException("meanNanos must be at least 0, but was " + meanNanos);
        }
    }
}
