package dev.downbeat.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * All that defines a run but the target. Immutable; made by {@link #builder}, which refuses contradictions.
 *
 * <p>A run is over when every request that was meant to start before its duration is over, or when the drain time that
 * follows has passed.
 *
 * @param workload who decides when requests are meant to start
 * @param durationNanos requests are meant to start before this many nanoseconds; {@link Long#MAX_VALUE} if only the count limits
 * @param maxRequests at most this many requests; {@link Long#MAX_VALUE} if only the duration limits
 * @param timeoutNanos after how many nanoseconds a request times out
 * @param timeoutFrom from which instant the timeout counts
 * @param drainNanos how many nanoseconds to wait, after the duration, for what is outstanding
 * @param generators how many threads share the schedule; in each shard
 * @param intervalNanos length of the intervals of the result in nanoseconds
 * @param shard which part of the plan this process runs; {@link Shard#WHOLE} if it runs all of it
 * @param start the wall-clock time at which all shards begin; empty if the run begins as soon as it can
 * @param warmUpNanos for how long the same load is offered beforehand, uncounted; 0 if it is not; {@link #UNTIL_STEADY} until
 *     the median is steady
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
    private static final long LONGEST_LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    /** No warm-up until steady is longer than so many times the run. */
    private static final long RUNS_OF_WARM_UP = 3;

    /** It is looked at so often at least. */
    private static final long LOOKS = 20;

    /** From which instant a request's timeout counts. */
    public enum TimeoutFrom {
        /**
         * From the intended time: the patience of a caller, who does not know when we sent. The default. A request
         * whose deadline passes while it waits for a free connection times out unsent.
         */
        INTENDED,
        /** From the moment it was sent: the service always gets the whole time, however long the backlog. */
        SENT,
        /**
         * From the moment a client asked for it, the wait for a free connection included. Where the load is driven from
         * outside, whose clients may ask later than intended.
         */
        ASKED
    }

    /** Refuses a plan that would never end, or that cannot be shared out. */
    public RunPlan {
        if (durationNanos == Long.MAX_VALUE && maxRequests == Long.MAX_VALUE) {
            throw new IllegalArgumentException("a plan needs a duration or a number of requests");
        }
        if (warmUpNanos == UNTIL_STEADY && start.isPresent()) {
            throw new IllegalArgumentException(
                    "a run that begins at a given time warms up for a given time, not until it is steady");
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

    /** Starts a plan for the workload, with the defaults named at each setter. */
    public static Builder builder(Workload workload) {
        return new Builder(workload);
    }

    /** How many generators share the schedule, over all shards. */
    public int shares() {
        return generators * shard.count();
    }

    /** Which of all generators one of this process is. */
    public int shareOf(int generator) {
        return shard.index() * generators + generator;
    }

    /** Whether the warm-up ends when the median is steady. */
    public boolean warmsUpUntilSteady() {
        return warmUpNanos == UNTIL_STEADY;
    }

    /** What is offered beforehand: the same law, for its own time, as soon as possible. */
    public RunPlan warmUp() {
        Builder before = copy(workload);
        before.durationNanos = warmUpNanos;
        if (warmsUpUntilSteady()) {
            before.durationNanos = durationNanos < LONGEST_WARM_UP_NANOS / RUNS_OF_WARM_UP
                    ? RUNS_OF_WARM_UP * durationNanos
                    : LONGEST_WARM_UP_NANOS;
            before.intervalNanos = Math.max(1, Math.min(LONGEST_LOOK_NANOS, before.durationNanos / LOOKS));
        }
        before.maxRequests = Long.MAX_VALUE;
        before.start = Optional.empty();
        before.warmUpNanos = 0;
        return before.build();
    }

    /** The same, to begin at this wall-clock time. */
    public RunPlan startingAt(Instant at) {
        return copy(workload).start(at).build();
    }

    /** The same, recorded in intervals of this length. */
    public RunPlan inIntervals(Duration length) {
        return copy(workload).interval(length).build();
    }

    /** The plan of all shards together, which begins whenever it does. */
    public RunPlan whole() {
        Builder whole = copy(workload);
        whole.shard = Shard.WHOLE;
        whole.start = Optional.empty();
        return whole.build();
    }

    /**
     * A part of this plan, as one of so many equal slices that follow each other.
     *
     * @param workload of this slice: the same law, its lots drawn anew
     * @param slices at least 1
     * @return the n-th part of the duration and of the number of requests; at least 1 ns and one request
     */
    public RunPlan slice(Workload workload, int slices) {
        Builder slice = copy(workload);
        slice.durationNanos = durationNanos == Long.MAX_VALUE ? durationNanos : Math.max(1, durationNanos / slices);
        slice.maxRequests = maxRequests == Long.MAX_VALUE ? maxRequests : Math.max(1, maxRequests / slices);
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

    /** Collects the parts of a plan. Not thread-safe. */
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

        /** Requests are meant to start within this time, which must be above zero. */
        public Builder duration(Duration duration) {
            durationNanos = positive("duration", duration);
            return this;
        }

        /** At most this many requests, at least 1. */
        public Builder maxRequests(long count) {
            maxRequests = atLeastOne("maxRequests", count);
            return this;
        }

        /** Above zero; 30 s unless said otherwise. */
        public Builder timeout(Duration timeout) {
            timeoutNanos = positive("timeout", timeout);
            return this;
        }

        /** {@link TimeoutFrom#INTENDED} unless said otherwise. */
        public Builder timeoutFrom(TimeoutFrom from) {
            timeoutFrom = Objects.requireNonNull(from, "from");
            return this;
        }

        /** Zero or more; the same as the timeout unless said otherwise. */
        public Builder drain(Duration drain) {
            if (drain.isNegative()) {
                throw new IllegalArgumentException("drain must not be negative, but was " + drain);
            }
            drainNanos = drain.toNanos();
            return this;
        }

        /** At least 1, which is the default. */
        public Builder generators(int count) {
            generators = (int) atLeastOne("generators", count);
            return this;
        }

        /** Above zero; one second unless said otherwise. */
        public Builder interval(Duration interval) {
            intervalNanos = positive("interval", interval);
            return this;
        }

        /** Which part of the plan is run; all of it unless said otherwise. */
        public Builder shard(Shard part) {
            shard = Objects.requireNonNull(part, "part");
            return this;
        }

        /** The wall-clock time to begin at; as soon as possible unless said otherwise. */
        public Builder start(Instant at) {
            start = Optional.of(at);
            return this;
        }

        /** For how long to offer the same load beforehand, uncounted; zero, which is the default, for not at all. */
        public Builder warmUp(Duration length) {
            if (length.isNegative()) {
                throw new IllegalArgumentException("warmUp must not be negative, but was " + length);
            }
            warmUpNanos = length.toNanos();
            return this;
        }

        /**
         * To offer the same load beforehand, uncounted, until the medians of its three latest thirds agree: for a minute at
         * most, and for three times the duration.
         */
        public Builder warmUpUntilSteady() {
            warmUpNanos = UNTIL_STEADY;
            return this;
        }

        /** The plan; refuses one that would never end. */
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

        private static long positive(String what, Duration duration) {
            if (duration.isNegative() || duration.isZero()) {
                throw new IllegalArgumentException(
                        what + " must be above zero, but was " + (duration.isZero() ? "0s" : duration));
            }
            return duration.toNanos();
        }

        private static long atLeastOne(String what, long count) {
            if (count < 1) {
                throw new IllegalArgumentException(what + " must be at least 1, but was " + count);
            }
            return count;
        }
    }
}
