package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.Intent;
import dev.downbeat.gatling.version.NotesOnly;
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
 * Event loops that a Gatling workload schedules its users on without knowing that they only take notes: the delay it asks
 * for, counted from {@link #baseAt}, is the user's intended time. Used by the injector's thread.
 */
public final class CaptureLoops extends AbstractEventExecutorGroup implements NotesOnly {
    private static final ThreadLocal<@Nullable Start> STARTING = new ThreadLocal<>();

    private final EventLoopGroup loops;
    private final Consumer<Arrival> arrivals;
    private long baseAt;

    /** A user that is about to start on this thread. */
    record Start(Intent first, EventLoop loop) {}

    /** A user that was handed out. Its first request is planned once: when it starts, or when the run ends without it. */
    static final class Arrival {
        private final long intendedAt;
        private final EventLoop loop;
        private final Runnable user;
        private @Nullable Intent first;
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

        /** Whether nobody waits for it any more. */
        boolean hasLeft() {
            return left;
        }

        /** It starts, or never will: true for whoever says so first. */
        synchronized boolean leave() {
            boolean first = !left;
            left = true;
            return first;
        }

        /** Plans its first request, unless that was done. */
        synchronized Intent planned(Supplier<Intent> plan) {
            Intent known = first;
            if (known == null) {
                known = plan.get();
                first = known;
            }
            return known;
        }

        /** Starts the user, on the thread of its event loop. */
        void start(Intent planned) {
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

    /** Hands a step to a real event loop. */
    public static void execute(EventLoop loop, Runnable step) {
        at(System.nanoTime(), loop, step);
    }

    /** Has a real event loop do a step at an instant; at once if that has passed. */
    static void at(long instantAt, EventLoop loop, Runnable step) {
        long leftNanos = instantAt - System.nanoTime();
        try {
            if (leftNanos > 0) {
                Object unused = loop.schedule(step, leftNanos, TimeUnit.NANOSECONDS);
            } else {
                loop.execute(step);
            }
        } catch (RejectedExecutionException over) {
            // The run is over; the journal has the request among those that were never sent.
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

    /** From when the delays count that the workload asks for next. */
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
        throw NotesOnly.refusal();
    }

    /** The three methods that Gatling's workload uses, and refusals for the rest. */
    private final class CaptureLoop extends AbstractEventExecutor implements EventLoop, NotesOnly {
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

        /** Returns null, since Gatling never looks at it. */
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
            throw NotesOnly.refusal();
        }
    }
}
