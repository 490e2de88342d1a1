package dev.downbeat.run;

import dev.downbeat.arrival.SplitMix64;
import java.util.List;

/**
 * How long a client or a session pauses between its requests. Pure and reproducible: the n-th pause of a client is a
 * function of the two numbers.
 */
public sealed interface ThinkTime {
    /**
     * The pause before a request.
     *
     * @param client which client or session, from 0
     * @param n which of its requests, from 0
     * @return nanoseconds, at least 0
     */
    long pauseNanos(long client, long n);

    /** In words, such as "think 100 ms". */
    String kind();

    /** The mean pause in nanoseconds. */
    long meanNanos();

    /** After how many requests pauses come again in the same order: how many requests a session has in its script. */
    default int steps() {
        return 1;
    }

    /** No pause. */
    static ThinkTime none() {
        return new Constant(0);
    }

    /**
     * Always the same pause.
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
            long bits = mix(mix(mix(seed) ^ client) ^ n);
            double uniform = ((bits >>> 11) + 1) * 0x1.0p-53; // in (0, 1]: its logarithm is finite
            return Math.round(-Math.log(uniform) * meanNanos);
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
     * A pause of its own before each request of a script; after the last it begins anew.
     *
     * @param before the pauses before the first request, the second, and so on; at least one
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
