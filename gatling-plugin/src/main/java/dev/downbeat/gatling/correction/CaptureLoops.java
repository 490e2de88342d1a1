package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.version.RecordingEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.AbstractEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Event loops passed to a Gatling workload that only record what it schedules. The requested delay, relative to {@link
 * #baseAt}, is the user's intended start. Used by the injector's thread.
 */
public final class CaptureLoops extends AbstractEventExecutorGroup implements RecordingEventLoop {
    private static final ThreadLocal<@Nullable Start> STARTING = new ThreadLocal<>();

    private final EventLoopGroup loops;
    private final Consumer<Arrival> arrivals;
    private long baseAt;

    /** A user about to start on this thread. */
    record Start(IntendedRequest first, EventLoop loop) {}

    /**
     * A user that was handed out. Its first request is planned once: when the user starts, or when the run ends first.
     */
    static final class Arrival {
        private final long intendedAt;
        private final EventLoop loop;
        private final Runnable user;
        private @Nullable IntendedRequest first;
        private volatile boolean left;

        Arrival(long intendedAt, EventLoop loop, Runnable user) {
            this.intendedAt = intendedAt;
            this.loop = loop;
            this.user = user;
        }

        long intendedAt() {
            return intendedAt;
        }

        EventLoop loop() {
            return loop;
        }

        /** Whether the user has started or was dropped. */
        boolean hasLeft() {
            return left;
        }

        /** Marks the user as started or dropped; true for the first caller. */
        synchronized boolean leave() {
            boolean first = !left;
            left = true;
            return first;
        }

        /** Plans the first request, if not done yet. */
        synchronized IntendedRequest planned(Supplier<IntendedRequest> plan) {
            IntendedRequest known = first;
            if (known == null) {
                known = plan.get();
                first = known;
            }
            return known;
        }

        /** Starts the user on its event loop's thread. */
        void start(IntendedRequest planned) {
            STARTING.set(new Start(planned, loop));
            try {
                user.run();
            } finally {
                STARTING.remove();
            }
        }
    }

    CaptureLoops(EventLoopGroup loops, Consumer<Arrival> arrivals) {
        this.loops = loops;
        this.arrivals = arrivals;
    }

    /** Runs a step on a real event loop. */
    public static void execute(EventLoop loop, Runnable step) {
        at(System.nanoTime(), loop, step);
    }

    /** Runs a step on a real event loop at an instant; at once if that has passed. */
    static void at(long instantAt, EventLoop loop, Runnable step) {
        long leftNanos = instantAt - System.nanoTime();
        try {
            if (leftNanos > 0) {
                Object unused = loop.schedule(step, leftNanos, TimeUnit.NANOSECONDS);
            } else {
                loop.execute(step);
            }
        } catch (RejectedExecutionException ended) {
            // The run is over; the journal counts the request as never sent.
        }
    }

    /** The user that starts on the calling thread. */
    static Start starting() {
        Start start = STARTING.get();
        if (start == null) {
            throw new IllegalStateException("a user was not started by Gatling's injector");
        }
        return start;
    }

    /** Sets the base of the delays that the workload requests next. */
    void baseAt(long at) {
        baseAt = at;
    }

    @Override
    public EventLoop next() {
        return new CaptureLoop(loops.next());
    }

    @Override
    public boolean isShuttingDown() {
        return loops.isShuttingDown();
    }

    @Override
    public boolean isShutdown() {
        return loops.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return loops.isTerminated();
    }

    @Override
    public Iterator<EventExecutor> iterator() {
        return Collections.emptyIterator();
    }

    @Override
    @Deprecated
    public void shutdown() {
        throw RecordingEventLoop.refusal();
    }

    /** Implements the three methods that Gatling's workload uses and rejects the others. */
    private final class CaptureLoop extends AbstractEventExecutor implements EventLoop, RecordingEventLoop {
        private final EventLoop real;

        CaptureLoop(EventLoop real) {
            this.real = real;
        }

        @Override
        public boolean isShutdown() {
            return real.isShutdown();
        }

        @Override
        public void execute(Runnable user) {
            arrivals.accept(new Arrival(baseAt, real, user));
        }

        /** Returns null, because Gatling ignores the result. */
        @Override
        @SuppressWarnings("NullAway")
        public ScheduledFuture<?> schedule(Runnable user, long delay, TimeUnit unit) {
            arrivals.accept(new Arrival(baseAt + unit.toNanos(delay), real, user));
            return null;
        }

        @Override
        public EventLoopGroup parent() {
            return CaptureLoops.this;
        }

        @Override
        public EventLoop next() {
            return this;
        }

        @Override
        public boolean inEventLoop(Thread thread) {
            return false;
        }

        @Override
        public boolean isShuttingDown() {
            return real.isShuttingDown();
        }

        @Override
        public boolean isTerminated() {
            return real.isTerminated();
        }

        @Override
        @Deprecated
        public void shutdown() {
            throw RecordingEventLoop.refusal();
        }
    }
}
