package dev.downbeat.simulate;

import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * When a caller gives an attempt up, and what it does then. Immutable. It has six components, since each of them is an
 * independent question about the same loop.
 *
 * @param attempts how often an operation is tried in all, at least 1; {@link Integer#MAX_VALUE} for ever
 * @param attemptTimeoutNanos how long an answer may take, at least 1; {@link Long#MAX_VALUE} for ever
 * @param giveUp when an attempt that takes longer times out
 * @param pause how long to wait before the next attempt
 * @param budget how many retries there may be in all, if they are limited
 * @param breaker when to stop trying, if ever
 */
public record RetryPolicy(
        int attempts,
        long attemptTimeoutNanos,
        GiveUp giveUp,
        Pause pause,
        Optional<Budget> budget,
        Optional<Breaker> breaker) {
    /** When an attempt that takes too long times out. */
    public enum GiveUp {
        /** As soon as it has taken too long; the service goes on with it all the same. */
        AT_TIMEOUT,
        /** When its answer has come, too late: the caller looks at its stopwatch afterwards. */
        AT_LATE_ANSWER
    }

    /** How chance takes part in a pause. */
    public enum Jitter {
        /** Not at all. */
        NONE,
        /** From nothing to the whole pause. */
        FULL,
        /** From half of the pause to the whole. */
        EQUAL
    }

    /**
     * The wait before a retry.
     *
     * @param firstNanos before the first, at least 0
     * @param factor by which it grows with each further one, at least 1
     * @param mostNanos it grows no further than this
     * @param jitter how chance takes part
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
     * Retries as a share of operations: each operation pays in that share of a retry, each retry takes out a whole one.
     *
     * @param share above 0, up to 1
     * @param most so many retries can be saved up at most, at least 1
     */
    public record Budget(double share, int most) {
        public Budget {
            if (!(share > 0 && share <= 1) || most < 1) {
                throw new IllegalArgumentException(
                        "share must be above 0 and up to 1 and most at least 1, but were " + share + " and " + most);
            }
        }

        /** A share of which a hundred retries can be saved up. */
        public static Budget of(double share) {
            return new Budget(share, 100);
        }
    }

    /**
     * A circuit breaker: when too many of the last attempts failed it opens, and every operation fails at once. After a
     * time it lets a single attempt pass, and closes if that is answered.
     *
     * @param share of failures that opens it, above 0, up to 1
     * @param window how many of the last attempts are looked at, at least 1
     * @param openNanos how long it stays open, at least 1
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

    /** One attempt, and as long for it as it takes. */
    public static RetryPolicy none() {
        return new RetryPolicy(1, Long.MAX_VALUE, GiveUp.AT_TIMEOUT, Pause.NONE, Optional.empty(), Optional.empty());
    }

    /** So many attempts of so long, one after the other without a pause. */
    public static RetryPolicy of(int attempts, long attemptTimeoutNanos) {
        return new RetryPolicy(
                attempts, attemptTimeoutNanos, GiveUp.AT_TIMEOUT, Pause.NONE, Optional.empty(), Optional.empty());
    }

    /** The same, with another way of giving up. */
    public RetryPolicy giveUp(GiveUp when) {
        return new RetryPolicy(attempts, attemptTimeoutNanos, when, pause, budget, breaker);
    }

    /** The same with pauses. */
    public RetryPolicy pause(Pause between) {
        return new RetryPolicy(attempts, attemptTimeoutNanos, giveUp, between, budget, breaker);
    }

    /** The same with a budget. */
    public RetryPolicy budget(Budget limit) {
        return new RetryPolicy(attempts, attemptTimeoutNanos, giveUp, pause, Optional.of(limit), breaker);
    }

    /** The same with a circuit breaker. */
    public RetryPolicy breaker(Breaker limit) {
        return new RetryPolicy(attempts, attemptTimeoutNanos, giveUp, pause, budget, Optional.of(limit));
    }

    /** Whether it does anything at all. */
    boolean isNone() {
        return attempts == 1 && attemptTimeoutNanos == Long.MAX_VALUE && breaker.isEmpty();
    }
}
