package dev.downbeat.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that defines a run except the target. Immutable. Created by {@link #builder}, which rejects
 * contradictions.
 *
 * <p>A run ends when every request intended to start within its duration has ended, or when the drain time after it has
 * passed.
 *
 * @param workload determines when requests should start
 * @param durationNanos requests are intended to start before this; {@link Long#MAX_VALUE} if only the count is limited
 * @param maxRequests maximum number of requests; {@link Long#MAX_VALUE} if only the duration is limited
 * @param timeoutNanos timeout of a request in nanoseconds
 * @param timeoutFrom start of the timeout
 * @param drainNanos maximum wait for outstanding requests after the duration, in nanoseconds
 * @param generators number of generator threads per shard
 * @param intervalNanos length of the result's intervals in nanoseconds
 * @param shard the part of the plan that this process runs; {@link Shard#WHOLE} for all of it
 * @param start wall-clock start time for all shards; empty to start as soon as possible
 * @param warmUpNanos length of an unmeasured warm-up with the same load; 0 for none; {@link #UNTIL_STEADY} to end it
 *     when the median is steady
 */
public record RunPlan(
        Workload workload,
        long durationNanos,
        long maxRequests,
        long timeoutNanos,
        TimeoutFrom timeoutFrom,
        long drainNanos,
        int generators,
        long intervalNanos,
        Shard shard,
        Optional<Instant> start,
        long warmUpNanos) {
    /** A warm-up that ends when the median is steady. */
    public static final long UNTIL_STEADY = -1;

    private static final long LONGEST_WARM_UP_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long LONGEST_CHECK_NANOS = Duration.ofSeconds(1).toNanos();

    /** The maximum length of a warm-up until steady, as a multiple of the run. */
    private static final long LONGEST_WARM_UP_RUNS = 3;

    /** Minimum number of checks for a steady median. */
    private static final long CHECKS = 20;

    /** The instant at which a request's timeout starts. */
    public enum TimeoutFrom {
        /**
         * The intended start: a caller's patience, independent of when the request was sent. The default. A request
         * that times out while it waits for a connection is never sent. If Downbeat noticed it late, it counts from then.
         */
        INTENDED,
        /** The actual send: the service always has the full time, however long the backlog. */
        SENT,
        /**
         * When the client issued the request, including its wait for a free connection. For externally driven loads,
         * whose clients may issue requests later than intended.
         */
        ASKED
    }

    public RunPlan {
        if (durationNanos == Long.MAX_VALUE && maxRequests == Long.MAX_VALUE) {
            throw new IllegalArgumentException("a plan needs a duration or a number of requests");
        }
        if (Math.min(Math.min(durationNanos, maxRequests), Math.min(timeoutNanos, intervalNanos)) < 1
                || generators < 1
                || drainNanos < 0
                || warmUpNanos < UNTIL_STEADY) {
            throw new IllegalArgumentException(
                    "a plan's duration, requests, timeout, interval and generators must be at"
                            + " least 1, and its drain and warm-up at least 0 ns, but were " + durationNanos + ", "
                            + maxRequests
                            + ", " + timeoutNanos + ", " + intervalNanos + ", " + generators + ", " + drainNanos
                            + " and "
                            + warmUpNanos);
        }
        long everywhere = (long) generators * shard.count();
        if (workload instanceof Workload.Closed closed && closed.clients() < everywhere) {
            throw new IllegalArgumentException("generators must be at most the number of clients, " + closed.clients()
                    + ", but was " + everywhere + (shard.isWhole() ? "" : " over all shards"));
        }
        if (everywhere > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "generators over all shards must be at most " + Integer.MAX_VALUE + ", but were " + everywhere);
        }
    }

    /** Starts a plan for the workload; each setter documents its default. */
    public static Builder builder(Workload workload) {
        return new Builder(workload);
    }

    /** The total number of generators over all shards. */
    public int shares() {
        return generators * shard.count();
    }

    /** The global index of one of this process's generators. */
    public int globalIndex(int generator) {
        return shard.index() * generators + generator;
    }

    /** Whether the warm-up ends when the median is steady. */
    public boolean warmsUpUntilSteady() {
        return warmUpNanos == UNTIL_STEADY;
    }

    /** The plan of the warm-up: the same workload for the warm-up's duration, starting at once. */
    public RunPlan warmUp() {
        Builder before = copy(workload);
        before.durationNanos = warmUpNanos;
        if (warmsUpUntilSteady()) {
            before.durationNanos = durationNanos < LONGEST_WARM_UP_NANOS / LONGEST_WARM_UP_RUNS
                    ? LONGEST_WARM_UP_RUNS * durationNanos
                    : LONGEST_WARM_UP_NANOS;
            before.intervalNanos = Math.max(1, Math.min(LONGEST_CHECK_NANOS, before.durationNanos / CHECKS));
        }
        before.maxRequests = Long.MAX_VALUE;
        before.start = Optional.empty();
        before.warmUpNanos = 0;
        return before.build();
    }

    public RunPlan startingAt(Instant at) {
        return copy(workload).start(at).build();
    }

    public RunPlan inIntervals(Duration length) {
        return copy(workload).interval(length).build();
    }

    /** The plan of all shards together, without a start time. */
    public RunPlan whole() {
        Builder whole = copy(workload);
        whole.shard = Shard.WHOLE;
        whole.start = Optional.empty();
        return whole.build();
    }

    /**
     * One of several equal, consecutive slices of this plan.
     *
     * @param workload the same workload with new random draws
     * @param index from 0; the first slices have one request more if the number cannot be divided evenly
     * @param slices number of slices, at least 1
     * @return a plan with 1/slices of the duration and of the requests; at least 1 ns and one request
     */
    public RunPlan slice(Workload workload, int index, int slices) {
        Builder slice = copy(workload);
        slice.durationNanos = durationNanos == Long.MAX_VALUE ? durationNanos : Math.max(1, durationNanos / slices);
        slice.maxRequests = maxRequests == Long.MAX_VALUE
                ? maxRequests
                : Math.max(1, maxRequests / slices + (index < maxRequests % slices ? 1 : 0));
        return slice.build();
    }

    private Builder copy(Workload other) {
        Builder copy = new Builder(other);
        copy.durationNanos = durationNanos;
        copy.maxRequests = maxRequests;
        copy.timeoutNanos = timeoutNanos;
        copy.timeoutFrom = timeoutFrom;
        copy.drainNanos = drainNanos;
        copy.generators = generators;
        copy.intervalNanos = intervalNanos;
        copy.shard = shard;
        copy.start = start;
        copy.warmUpNanos = warmUpNanos;
        return copy;
    }

    /** A builder. Not thread-safe. */
    public static final class Builder {
        private final Workload workload;
        private long durationNanos = Long.MAX_VALUE;
        private long maxRequests = Long.MAX_VALUE;
        private long timeoutNanos = Duration.ofSeconds(30).toNanos();
        private TimeoutFrom timeoutFrom = TimeoutFrom.INTENDED;
        private long drainNanos = -1;
        private int generators = 1;
        private long intervalNanos = Duration.ofSeconds(1).toNanos();
        private Shard shard = Shard.WHOLE;
        private Optional<Instant> start = Optional.empty();
        private long warmUpNanos;

        private Builder(Workload workload) {
            this.workload = Objects.requireNonNull(workload, "workload");
        }

        /** The period in which requests start; above zero. */
        public Builder duration(Duration duration) {
            durationNanos = positive("duration", duration);
            return this;
        }

        /** The maximum number of requests, at least 1. */
        public Builder maxRequests(long count) {
            maxRequests = atLeastOne("maxRequests", count);
            return this;
        }

        /** The request timeout, above zero; the default is 30 s. */
        public Builder timeout(Duration timeout) {
            timeoutNanos = positive("timeout", timeout);
            return this;
        }

        /** The start of the timeout; the default is {@link TimeoutFrom#INTENDED}. */
        public Builder timeoutFrom(TimeoutFrom from) {
            timeoutFrom = Objects.requireNonNull(from, "from");
            return this;
        }

        /** The drain time, at least zero; the default is the timeout. */
        public Builder drain(Duration drain) {
            if (drain.isNegative()) {
                throw new IllegalArgumentException("drain must not be negative, but was " + drain);
            }
            drainNanos = drain.toNanos();
            return this;
        }

        /** The number of generators, at least 1; the default is 1. */
        public Builder generators(int count) {
            generators = (int) atLeastOne("generators", count);
            return this;
        }

        /** The interval length, above zero; the default is one second. */
        public Builder interval(Duration interval) {
            intervalNanos = positive("interval", interval);
            return this;
        }

        /** The shard to run; the default is the whole plan. */
        public Builder shard(Shard part) {
            shard = Objects.requireNonNull(part, "part");
            return this;
        }

        /** The wall-clock start time; the default is as soon as possible. */
        public Builder start(Instant at) {
            start = Optional.of(at);
            return this;
        }

        /** The length of an unmeasured warm-up with the same load; the default is zero, for none. */
        public Builder warmUp(Duration length) {
            if (length.isNegative()) {
                throw new IllegalArgumentException("warmUp must not be negative, but was " + length);
            }
            warmUpNanos = length.toNanos();
            return this;
        }

        /**
         * An unmeasured warm-up with the same load until the medians of the thirds of its latest half agree. It takes at most
         * one minute, and at most three times the duration.
         */
        public Builder warmUpUntilSteady() {
            warmUpNanos = UNTIL_STEADY;
            return this;
        }

        /** Builds the plan; rejects one that would never end. */
        public RunPlan build() {
            return new RunPlan(
                    workload,
                    durationNanos,
                    maxRequests,
                    timeoutNanos,
                    timeoutFrom,
                    drainNanos < 0 ? timeoutNanos : drainNanos,
                    generators,
                    intervalNanos,
                    shard,
                    start,
                    warmUpNanos);
        }

        private static long positive(String name, Duration duration) {
            if (duration.isNegative() || duration.isZero()) {
                throw new IllegalArgumentException(
                        name + " must be above zero, but was " + (duration.isZero() ? "0s" : duration));
            }
            return duration.toNanos();
        }

        private static long atLeastOne(String name, long count) {
            if (count < 1) {
                throw new IllegalArgumentException(name + " must be at least 1, but was " + count);
            }
            return count;
        }
    }
}
