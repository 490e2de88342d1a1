package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.IntendedRequest;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Event loops passed to a Gatling workload that only record what it schedules. The requested delay, relative to {@link
 * #baseAt}, is the user's intended start. Used by the injector's thread.
 */
public final class RecordingEventLoops {
    private static final ThreadLocal<@Nullable UserStart> STARTING = new ThreadLocal<>();

    private final EventLoopGroup loops;
    private final Consumer<Arrival> arrivals;
    private long baseAt;

    /** A user about to start on this thread. */
    record UserStart(IntendedRequest first, EventLoop loop) {}

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
            STARTING.set(new UserStart(planned, loop));
            try {
                user.run();
            } finally {
                STARTING.remove();
            }
        }
    }

    RecordingEventLoops(EventLoopGroup loops, Consumer<Arrival> arrivals) {
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

    static UserStart starting() {
        UserStart start = STARTING.get();
        if (start == null) {
            throw new IllegalStateException("a user was not started by Gatling's injector");
        }
        return start;
    }

    /** Sets the base of the delays that the workload requests next. */
    void baseAt(long at) {
        baseAt = at;
    }

    EventLoopGroup loops() {
        return recording(EventLoopGroup.class, loops);
    }

    /** A proxy with the methods that Gatling's workload uses; others are rejected. */
    private <T extends EventLoopGroup> T recording(Class<T> type, T real) {
        InvocationHandler recorder = (loop, method, arguments) -> switch (method.getName()) {
            case "next" -> recording(EventLoop.class, real.next());
            case "isShuttingDown", "isShutdown", "isTerminated", "hashCode", "toString" ->
                method.invoke(real, arguments);
            case "equals" -> loop == arguments[0];
            case "inEventLoop" -> false;
            case "execute" -> arrive(0, real, arguments[0]);
            case "schedule" -> arrive(((TimeUnit) arguments[2]).toNanos((long) arguments[1]), real, arguments[0]);
            default -> throw new UnsupportedOperationException("this event loop only notes when users are to start");
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, recorder));
    }

    /** Returns null, because Gatling ignores the result. */
    private @Nullable Object arrive(long delayNanos, EventLoopGroup loop, Object user) {
        arrivals.accept(new Arrival(baseAt + delayNanos, (EventLoop) loop, (Runnable) user));
        return null;
    }
}
