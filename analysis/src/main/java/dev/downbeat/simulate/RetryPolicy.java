package dev.downbeat.simulate;

import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * When a caller abandons an attempt, and how it retries. Immutable. The six components are independent settings of one
 * loop.
 *
 * @param attempts attempts per operation, at least 1; {@link Integer#MAX_VALUE} for no limit
 * @param attemptTimeoutNanos timeout of an attempt, at least 1; {@link Long#MAX_VALUE} for none
 * @param giveUp when an attempt that takes longer times out
 * @param pause wait before the next attempt
 * @param budget limit on the total number of retries, if any
 * @param breaker circuit breaker, if any
 */
public record RetryPolicy(
        int attempts,
        long attemptTimeoutNanos,
        GiveUp giveUp,
        Pause pause,
        Optional<Budget> budget,
        Optional<Breaker> breaker) {
    /** When an overlong attempt times out. */
    public enum GiveUp {
        /** At the timeout. The service continues to work on it. */
        AT_TIMEOUT,
        /** When the late response arrives: the caller checks the elapsed time afterwards. */
        AT_LATE_ANSWER
    }

    /** Randomisation of a pause. */
    public enum Jitter {
        NONE,
        /** Between zero and the whole pause. */
        FULL,
        /** Between half of the pause and the whole. */
        EQUAL
    }

    /**
     * The wait before a retry.
     *
     * @param firstNanos before the first retry, at least 0
     * @param factor growth with each further retry, at least 1
     * @param mostNanos upper limit
     * @param jitter randomisation
     * @see <a href="https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/">Brooker: Exponential
     *     backoff and jitter, 2015</a>
     */
    public record Pause(long firstNanos, double factor, long mostNanos, Jitter jitter) {
        /** No wait. */
        static final Pause NONE = new Pause(0, 1, Long.MAX_VALUE, Jitter.NONE);

        public Pause {
            Objects.requireNonNull(jitter, "jitter");
            if (firstNanos < 0 || !(factor >= 1) || mostNanos < firstNanos) {
                throw new IllegalArgumentException("firstNanos must be at least 0, factor at least 1 and mostNanos at"
                        + " least firstNanos, but were " + firstNanos + ", " + factor + " and " + mostNanos);
            }
        }

        /** The wait before the n-th retry, from 1. */
        long nanos(int retry, SplittableRandom random) {
            double whole = Math.min((double) mostNanos, firstNanos * Math.pow(factor, retry - 1.0));
            double share = switch (jitter) {
                case NONE -> 1;
                case FULL -> random.nextDouble();
                case EQUAL -> (1 + random.nextDouble()) / 2;
            };
            return Math.round(whole * share);
        }
    }

    /**
     * Limits retries to a share of the operations: each operation adds this share to the budget, and each retry takes
     * one.
     *
     * @param share above 0, up to 1
     * @param most the most retries that can be saved up, at least 1
     */
    public record Budget(double share, int most) {
        public Budget {
            if (!(share > 0 && share <= 1) || most < 1) {
                throw new IllegalArgumentException(
                        "share must be above 0 and up to 1 and most at least 1, but were " + share + " and " + most);
            }
        }

        /** A budget in which up to a hundred retries can be saved up. */
        public static Budget of(double share) {
            return new Budget(share, 100);
        }
    }

    /**
     * A circuit breaker. It opens when too many of the last attempts failed; every operation then fails at once. After
     * a time it allows one trial attempt and closes if that is answered.
     *
     * @param share share of failures that opens it, above 0, up to 1
     * @param window number of last attempts considered, at least 1
     * @param openNanos time it stays open, at least 1
     */
    public record Breaker(double share, int window, long openNanos) {
        public Breaker {
            if (!(share > 0 && share <= 1) || window < 1 || openNanos < 1) {
                throw new IllegalArgumentException(
                        "share must be above 0 and up to 1, window and openNanos at least 1, but" + " were " + share
                                + ", " + window + " and " + openNanos);
            }
        }
    }

    public RetryPolicy {
        Objects.requireNonNull(giveUp, "giveUp");
        Objects.requireNonNull(pause, "pause");
        Objects.requireNonNull(budget, "budget");
        Objects.requireNonNull(breaker, "breaker");
        if (attempts < 1 || attemptTimeoutNanos < 1) {
            throw new IllegalArgumentException("attempts and attemptTimeoutNanos must be at least 1, but were "
                    + attempts + " and " + attemptTimeoutNanos);
        }
    }

    /** One attempt without a timeout. */
    public static RetryPolicy none() {
        return new RetryPolicy(1, Long.MAX_VALUE, GiveUp.AT_TIMEOUT, Pause.NONE, Optional.empty(), Optional.empty());
    }

    /** Several attempts with a timeout each, without pauses. */
    public static RetryPolicy of(int attempts, long attemptTimeoutNanos) {
        return new RetryPolicy(
                attempts, attemptTimeoutNanos, GiveUp.AT_TIMEOUT, Pause.NONE, Optional.empty(), Optional.empty());
    }

    /** Whether the policy is a single attempt without a timeout. */
    boolean isNone() {
        return attempts == 1 && attemptTimeoutNanos == Long.MAX_VALUE && breaker.isEmpty();
    }
}
