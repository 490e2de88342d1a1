package dev.downbeat.http.wait;

import dev.downbeat.time.Daemon;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.TimerSlack;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for data or an instant, whichever comes first, with one of the methods of {@link Pacing}. Not thread-safe. */
public final class SelectorWait implements AutoCloseable {
    private static final long MILLI_NANOS = 1_000_000;

    /** The rest of an interrupted millisecond wait: the kernel's lateness. */
    private static final long MARGIN_NANOS = 100_000;

    /** Waits up to this length always spin, because sleeping and waking take longer. */
    private static final long SHORT_NANOS = 20_000;

    /** A wait that ends sooner than this may have found data that was already there. */
    private static final long LEAST_WAIT_NANOS = 100_000;

    /** The wake-up time of a sleeping core; where the wait is precise, the wake-up is requested this much earlier. */
    private static final long WAKE_UP_NANOS = 25_000;

    private final Selector selector;
    private final NanoClock clock;
    private final Pacing pacing;
    private final Consumer<SelectionKey> handler;
    private final BooleanSupplier hasHandled;
    private final @Nullable FineWait fine;
    private final @Nullable Pacer pacer;
    private long lastEmptyPollAt;

    /**
     * When the last poll began. It misses data that arrives while the clock is read afterwards, or during a pause of
     * the process.
     */
    private long pollBeganAt;

    private long begunAt;

    /** The maximum sleep of the selector; 0 to poll only. */
    private long sleepLimitNanos;

    private boolean slept;

    /**
     * Creates a wait.
     *
     * @param handler called for each ready key
     * @param hasHandled whether an event has ended the wait
     */
    public SelectorWait(
            Selector selector,
            NanoClock clock,
            Pacing pacing,
            Consumer<SelectionKey> handler,
            BooleanSupplier hasHandled) {
        this.selector = selector;
        this.clock = clock;
        this.pacing = pacing;
        this.handler = handler;
        this.hasHandled = hasHandled;
        this.fine = pacing == Pacing.SPIN ? null : FineWait.of(selector).orElse(null);
        this.pacer = pacing == Pacing.SPIN || fine != null ? null : new Pacer(selector, clock);
    }

    /**
     * Waits.
     *
     * @param untilAt latest end of the wait
     * @param responsesDue whether a response may arrive; if not, the wait can sleep through
     */
    public void until(long untilAt, boolean responsesDue) throws IOException {
        begunAt = clock.nanoTime();
        pollBeganAt = begunAt;
        long remaining = untilAt - begunAt;
        sleepLimitNanos = 0;
        slept = false;
        if (pacing == Pacing.SPIN || remaining <= SHORT_NANOS) {
            spin(untilAt, begunAt);
        } else if (remaining >= MILLI_NANOS + MARGIN_NANOS) {
            select((remaining - MARGIN_NANOS) / MILLI_NANOS, remaining);
        } else if (fine != null) {
            sleep(fine, untilAt, remaining - (pacing == Pacing.BLOCK ? WAKE_UP_NANOS : MARGIN_NANOS));
        } else {
            sleepUntil(untilAt, remaining, responsesDue);
        }
    }

    private void select(long millis, long mostNanos) throws IOException {
        slept = true;
        sleepLimitNanos = Math.min(millis * MILLI_NANOS, mostNanos);
        selector.select(handler, millis);
    }

    private void spin(long untilAt, long now) throws IOException {
        pollBeganAt = now;
        selector.selectNow(handler);
        while (!hasHandled.getAsBoolean()) {
            lastEmptyPollAt = pollBeganAt;
            slept = false;
            pollBeganAt = clock.nanoTime();
            if (untilAt - pollBeganAt <= 0) {
                pollBeganAt = lastEmptyPollAt;
                return;
            }
            selector.selectNow(handler);
        }
    }

    /** Requests an early wake-up and spins for the rest. */
    private void sleep(FineWait sleeper, long untilAt, long nanos) throws IOException {
        selector.selectNow(handler); // which also registers interest with the kernel
        if (nanos > 0 && !hasHandled.getAsBoolean()) {
            lastEmptyPollAt = begunAt;
            slept = true;
            sleeper.await(nanos);
        }
        spin(untilAt, clock.nanoTime()); // one poll, if something has arrived
    }

    /** Sleeps for part of a millisecond, though a selector waits in whole ones. */
    private void sleepUntil(long untilAt, long remaining, boolean responsesDue) throws IOException {
        long earlyNanos = pacing == Pacing.BLOCK ? 0 : MARGIN_NANOS;
        long nanos = remaining - earlyNanos;
        if (nanos <= SHORT_NANOS) {
            spin(untilAt, begunAt);
        } else if (responsesDue && pacer != null) {
            pacer.wakeAt(untilAt - earlyNanos);
            select(2, nanos);
        } else {
            slept = true;
            LockSupport.parkNanos(nanos);
            selector.selectNow(handler);
        }
    }

    /**
     * Whether the last wait slept, so that data woke this thread at once, unless the process was paused. Otherwise data
     * may have arrived since the last poll.
     */
    public boolean hasSlept(long wokenAt) {
        return slept && wokenAt - begunAt > LEAST_WAIT_NANOS;
    }

    /** When a poll last found nothing: any data has arrived since. */
    public long lastEmptyPollAt() {
        return lastEmptyPollAt;
    }

    /**
     * The wait is over and its events are handled.
     *
     * @param any whether there were events
     * @param endedAt when it found them or gave up
     */
    public void ended(boolean any, long endedAt) {
        if (sleepLimitNanos == 0) {
            lastEmptyPollAt = pollBeganAt;
        } else if (any) { // overslept: the time of its poll is unknown
            lastEmptyPollAt = endedAt - begunAt > sleepLimitNanos + LEAST_WAIT_NANOS ? begunAt : endedAt;
        } else {
            lastEmptyPollAt = begunAt + Math.min(sleepLimitNanos, endedAt - begunAt);
        }
    }

    @Override
    public void close() {
        if (pacer != null) {
            pacer.close();
        }
    }

    /**
     * Waits for a selector, or for a number of nanoseconds: ppoll(2) on the selector's own descriptor, because a {@link
     * Selector} waits in whole milliseconds. Requires Linux, a JDK with foreign functions (22 and newer), and access to
     * the selector's descriptor, which Downbeat's jar manifest opens. Owned by one thread.
     */
    static final class FineWait {
        private static final int FIRST_WITH_FUNCTIONS = 22;
        private static final short POLLIN = 1;
        private static final int POLLFD_BYTES = 8;
        private static final int TIMESPEC_BYTES = 16;
        private static final long SECOND_NANOS = 1_000_000_000;

        /**
         * {@code int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *)}, pointers as numbers.
         */
        private static final @Nullable MethodHandle PPOLL = ppoll();

        private final ByteBuffer memory =
                ByteBuffer.allocateDirect(POLLFD_BYTES + TIMESPEC_BYTES).order(ByteOrder.nativeOrder());
        private final MethodHandle ppoll;
        private final long at;

        private FineWait(MethodHandle ppoll, int descriptor) throws ReflectiveOperationException {
            this.ppoll = ppoll;
            this.at = address(memory);
            memory.putInt(0, descriptor).putShort(4, POLLIN);
        }

        /** For this selector; empty where unsupported. */
        static Optional<FineWait> of(Selector selector) {
            MethodHandle function = PPOLL;
            if (function == null) {
                return Optional.empty();
            }
            try {
                Field descriptor = selector.getClass().getDeclaredField("epfd");
                descriptor.setAccessible(true);
                return Optional.of(new FineWait(function, descriptor.getInt(selector)));
            } catch (ReflectiveOperationException | RuntimeException unsupported) {
                return Optional.empty();
            }
        }

        /** Sleeps until an event or for this long; a signal may end it early. */
        void await(long nanos) {
            memory.putLong(POLLFD_BYTES, nanos / SECOND_NANOS).putLong(POLLFD_BYTES + Long.BYTES, nanos % SECOND_NANOS);
            try {
                int ignored = (int) ppoll.invokeExact(at, 1L, at + POLLFD_BYTES, 0L);
            } catch (Throwable impossible) {
                throw new IllegalStateException("ppoll: " + impossible, impossible);
            }
        }

        /** By reflection, since these classes are newer than the target release. */
        private static @Nullable MethodHandle ppoll() {
            boolean isLinux = "Linux".equals(System.getProperty("os.name"));
            boolean is64 = "64".equals(System.getProperty("sun.arch.data.model"));
            if (!isLinux || !is64 || Runtime.version().feature() < FIRST_WITH_FUNCTIONS) {
                return null;
            }
            try {
                Class<?> linker = Class.forName("java.lang.foreign.Linker");
                Class<?> layout = Class.forName("java.lang.foreign.MemoryLayout");
                Class<?> layouts = Class.forName("java.lang.foreign.ValueLayout");
                Class<?> descriptor = Class.forName("java.lang.foreign.FunctionDescriptor");
                Class<?> option = Class.forName("java.lang.foreign.Linker$Option");
                Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
                Object theLinker = linker.getMethod("nativeLinker").invoke(null);
                Object lookup = linker.getMethod("defaultLookup").invoke(theLinker);
                Optional<?> function = (Optional<?>) Class.forName("java.lang.foreign.SymbolLookup")
                        .getMethod("find", String.class)
                        .invoke(lookup, "ppoll");
                Object number = layouts.getField("JAVA_LONG").get(null);
                Object arguments = Array.newInstance(layout, 4);
                for (int i = 0; i < 4; i++) {
                    Array.set(arguments, i, number);
                }
                Object type = descriptor
                        .getMethod("of", layout, arguments.getClass())
                        .invoke(null, layouts.getField("JAVA_INT").get(null), arguments);
                Object none = Array.newInstance(option, 0);
                MethodHandle handle =
                        (MethodHandle) linker.getMethod("downcallHandle", segment, descriptor, none.getClass())
                                .invoke(theLinker, function.orElseThrow(), type, none);
                return handle.asType(MethodType.methodType(int.class, long.class, long.class, long.class, long.class));
            } catch (ReflectiveOperationException | RuntimeException unsupported) {
                return null;
            }
        }

        private static long address(ByteBuffer direct) throws ReflectiveOperationException {
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            Object of = segment.getMethod("ofBuffer", Buffer.class).invoke(null, direct);
            return (long) segment.getMethod("address").invoke(of);
        }
    }

    /**
     * Wakes a selector at an instant, with the precision of the kernel's timers instead of whole milliseconds: a thread
     * that parks until then. One lane sets the instant; {@link #close} ends the thread.
     */
    private static final class Pacer implements AutoCloseable {
        private static final long NEVER = Long.MAX_VALUE;

        private final Selector selector;
        private final NanoClock clock;
        private final Thread thread;
        private final AtomicLong wakeAt = new AtomicLong(NEVER);

        /**
         * Until when the thread sleeps: it is woken for an earlier instant only, since a wake-up costs more than a
         * send.
         */
        private volatile long asleepUntil;

        private volatile boolean closed;

        Pacer(Selector selector, NanoClock clock) {
            this.selector = selector;
            this.clock = clock;
            this.thread = Daemon.of("downbeat-pacer", this::run);
            thread.start();
        }

        /** Wakes the selector at this instant, replacing any earlier setting. */
        void wakeAt(long at) {
            wakeAt.set(at == NEVER ? at - 1 : at);
            long until = asleepUntil;
            if (until == NEVER || at - until < 0) {
                LockSupport.unpark(thread);
            }
        }

        private void run() {
            TimerSlack.reduceForThisThread();
            while (!closed) {
                long at = wakeAt.get();
                asleepUntil = at;
                long left = at == NEVER ? NEVER : at - clock.nanoTime();
                if (wakeAt.get() != at) {
                    continue; // the setter may have read this before it was updated
                }
                if (at == NEVER) {
                    LockSupport.park(this);
                } else if (left > 0) {
                    LockSupport.parkNanos(this, left);
                } else if (wakeAt.compareAndSet(at, NEVER)) { // otherwise a new instant was set meanwhile
                    selector.wakeup();
                }
            }
        }

        @Override
        public void close() {
            closed = true;
            LockSupport.unpark(thread);
        }
    }
}
