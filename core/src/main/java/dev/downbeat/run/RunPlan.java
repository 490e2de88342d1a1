package dev.downbeat.run;

import java.time.Duration;
import java.util.Objects;

/**
 * All that defines a run but the target. Immutable; made by {@link #builder}, which refuses contradictions.
 *
 * <p>A run is over when every request that was meant to start before its duration is over, or when the drain time that
 * follows has passed.
 */
public final class RunPlan {
    /** From which instant a request's timeout counts. */
    public enum TimeoutFrom {
        /**
         * From the intended time: the patience of a caller, who does not know when we sent. The default. A request
         * whose deadline passes while it waits for a free connection is given up unsent.
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

    private final Workload workload;
    private final long durationNanos;
    private final long maxRequests;
    private final long timeoutNanos;
    private final TimeoutFrom timeoutFrom;
    private final long drainNanos;
    private final int generators;
    private final long intervalNanos;

    private RunPlan(Builder builder) {
        workload = builder.workload;
        durationNanos = builder.durationNanos;
        maxRequests = builder.maxRequests;
        timeoutNanos = builder.timeoutNanos;
        timeoutFrom = builder.timeoutFrom;
        drainNanos = builder.drainNanos < 0 ? timeoutNanos : builder.drainNanos;
        generators = builder.generators;
        intervalNanos = builder.intervalNanos;
    }

    /** Starts a plan for the workload, with the defaults named at each setter. */
    public static Builder builder(Workload workload) {
        return new Builder(workload);
    }

    /** Who decides when requests are meant to start. */
    public Workload workload() {
        return workload;
    }

    /** Requests are meant to start before this many nanoseconds; {@link Long#MAX_VALUE} if only the count limits. */
    public long durationNanos() {
        return durationNanos;
    }

    /** At most this many requests; {@link Long#MAX_VALUE} if only the duration limits. */
    public long maxRequests() {
        return maxRequests;
    }

    /** After how many nanoseconds a request is given up. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** From which instant the timeout counts. */
    public TimeoutFrom timeoutFrom() {
        return timeoutFrom;
    }

    /** How many nanoseconds to wait, after the duration, for what is outstanding. */
    public long drainNanos() {
        return drainNanos;
    }

    /** How many threads share the schedule. */
    public int generators() {
        return generators;
    }

    /** Length of the intervals of the result in nanoseconds. */
    public long intervalNanos() {
        return intervalNanos;
    }

    /**
     * A part of this plan, as one of so many equal slices that follow each other.
     *
     * @param workload of this slice: the same law, its lots drawn anew
     * @param slices at least 1
     * @return the n-th part of the duration and of the number of requests; at least 1 ns and one request
     */
    public RunPlan slice(Workload workload, int slices) {
        Builder slice = new Builder(workload);
        slice.durationNanos = durationNanos == Long.MAX_VALUE ? durationNanos : Math.max(1, durationNanos / slices);
        slice.maxRequests = maxRequests == Long.MAX_VALUE ? maxRequests : Math.max(1, maxRequests / slices);
        slice.timeoutNanos = timeoutNanos;
        slice.timeoutFrom = timeoutFrom;
        slice.drainNanos = drainNanos;
        slice.generators = generators;
        slice.intervalNanos = intervalNanos;
        return slice.build();
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

        /** The plan; refuses one that would never end. */
        public RunPlan build() {
            if (durationNanos == Long.MAX_VALUE && maxRequests == Long.MAX_VALUE) {
                throw new IllegalArgumentException("a plan needs a duration or a number of requests");
            }
            if (workload instanceof Workload.Closed closed && closed.clients() < generators) {
                throw new IllegalArgumentException("generators must be at most the number of clients, "
                        + closed.clients() + ", but was " + generators);
            }
            return new RunPlan(this);
        }

        private static long positive(String what, Duration duration) {
            if (duration.isNegative() || duration.isZero()) {
                throw new IllegalArgumentException(what + " must be above zero, but was " + duration);
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
