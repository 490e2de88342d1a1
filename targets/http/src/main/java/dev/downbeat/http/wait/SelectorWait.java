package dev.downbeat.http.wait;

import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for data or an instant, whichever comes first, with one of the methods of {@link Pacing}. Not thread-safe. */
public final class SelectorWait implements AutoCloseable {
    private static final long MILLI = 1_000_000;

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
    private final BooleanSupplier handled;
    private final @Nullable FineWait fine;
    private final @Nullable Pacer pacer;
    private long lookedAt;

    /**
     * When the last poll began. It misses data that arrives while the clock is read afterwards, or during a pause of
     * the process.
     */
    private long lookAt;

    private long begunAt;

    /** The maximum sleep of the selector; 0 to poll only. */
    private long askedNanos;

    private boolean slept;

    /**
     * Creates a wait.
     *
     * @param handler called for each ready key
     * @param handled whether an event has ended the wait
     */
    public SelectorWait(
            Selector selector,
            NanoClock clock,
            Pacing pacing,
            Consumer<SelectionKey> handler,
            BooleanSupplier handled) {
        this.selector = selector;
        this.clock = clock;
        this.pacing = pacing;
        this.handler = handler;
        this.handled = handled;
        this.fine = pacing == Pacing.SPIN ? null : FineWait.of(selector).orElse(null);
        this.pacer = pacing == Pacing.BLOCK && fine == null ? new Pacer(selector, clock) : null;
    }

    /**
     * Waits.
     *
     * @param untilAt latest end of the wait
     * @param responsesDue whether a response may arrive; if not, the wait can sleep through
     */
    public void until(long untilAt, boolean responsesDue) throws IOException {
        begunAt = clock.nanoTime();
        lookAt = begunAt;
        long remaining = untilAt - begunAt;
        askedNanos = 0;
        slept = false;
        if (pacing == Pacing.SPIN || remaining <= SHORT_NANOS) {
            spin(untilAt, begunAt);
        } else if (remaining >= MILLI + MARGIN_NANOS) {
            select((remaining - MARGIN_NANOS) / MILLI, remaining);
        } else if (fine != null) {
            sleep(fine, untilAt, remaining - (pacing == Pacing.BLOCK ? WAKE_UP_NANOS : MARGIN_NANOS));
        } else if (pacing == Pacing.BLOCK) {
            block(untilAt, remaining, responsesDue);
        } else if (!responsesDue && remaining > MARGIN_NANOS) {
            slept = true;
            LockSupport.parkNanos(remaining - MARGIN_NANOS);
        } else {
            spin(untilAt, begunAt);
        }
    }

    private void select(long millis, long mostNanos) throws IOException {
        slept = true;
        askedNanos = Math.min(millis * MILLI, mostNanos);
        selector.select(handler, millis);
    }

    private void spin(long untilAt, long now) throws IOException {
        lookAt = now;
        selector.selectNow(handler);
        while (!handled.getAsBoolean()) {
            lookedAt = lookAt;
            slept = false;
            lookAt = clock.nanoTime();
            if (untilAt - lookAt <= 0) {
                lookAt = lookedAt;
                return;
            }
            selector.selectNow(handler);
        }
    }

    /** Requests an early wake-up and spins for the rest. */
    private void sleep(FineWait sleeper, long untilAt, long nanos) throws IOException {
        selector.selectNow(handler); // which also registers interest with the kernel
        if (nanos > 0 && !handled.getAsBoolean()) {
            lookedAt = begunAt;
            slept = true;
            sleeper.await(nanos);
        }
        spin(untilAt, clock.nanoTime()); // one poll, if something has arrived
    }

    /**
     * Whether the last wait slept, so that data woke this thread at once, unless the process was paused. Otherwise data
     * may have arrived since the last poll.
     */
    public boolean hasSlept(long wokenAt) {
        return slept && wokenAt - begunAt > LEAST_WAIT_NANOS;
    }

    /** When a poll last found nothing: any data has arrived since. */
    public long lookedAt() {
        return lookedAt;
    }

    /**
     * The wait is over and its events are handled.
     *
     * @param any whether there were events
     * @param endedAt when it found them or gave up
     */
    public void ended(boolean any, long endedAt) {
        if (askedNanos == 0) {
            lookedAt = lookAt;
        } else if (any) { // overslept: the time of its poll is unknown
            lookedAt = endedAt - begunAt > askedNanos + LEAST_WAIT_NANOS ? begunAt : endedAt;
        } else {
            lookedAt = begunAt + Math.min(askedNanos, endedAt - begunAt);
        }
    }

    private void block(long untilAt, long remaining, boolean responsesDue) throws IOException {
        if (!responsesDue) {
            slept = true;
            LockSupport.parkNanos(remaining);
            selector.selectNow(handler);
        } else if (pacer != null) {
            pacer.wakeAt(untilAt);
            select(2, remaining);
        }
    }

    @Override
    public void close() {
        if (pacer != null) {
            pacer.close();
        }
    }
}
