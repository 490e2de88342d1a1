package dev.downbeat.http.wait;

import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for bytes or for an instant, whichever comes first, by one of the ways of {@link Pacing}. Not thread-safe. */
public final class SelectorWait implements AutoCloseable {
    private static final long MILLI = 1_000_000;

    /** What is left of a wait in whole milliseconds when it is broken off: the kernel's own lateness. */
    private static final long MARGIN_NANOS = 100_000;

    /** Waits up to this long are spun through by every way: to be put to sleep and woken takes longer. */
    private static final long SHORT_NANOS = 20_000;

    /** Who is woken sooner than this may have found at once what was there before. */
    private static final long FOUND_NANOS = 100_000;

    /** What a wake-up takes on a core that has slept: so much earlier we ask for it, where we can say so exactly. */
    private static final long WAKE_UP_NANOS = 25_000;

    private final Selector selector;
    private final NanoClock clock;
    private final Pacing pacing;
    private final Consumer<SelectionKey> handler;
    private final BooleanSupplier handled;
    private final @Nullable FineWait fine;
    private final @Nullable Pacer pacer;
    private long lookedAt;

    /** When the last look began: what came while the clock is read after it, or while this process was stopped then, it missed. */
    private long lookAt;

    private long begunAt;

    /** How long the selector may sleep at most; 0 if it only looks. */
    private long askedNanos;

    private boolean slept;

    /**
     * Makes a way to wait.
     *
     * @param handler called for each key that is ready
     * @param handled whether something has happened that ends a wait
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
     * @param untilAt returns when the clock has reached this
     * @param responsesDue whether a response may come; without, nothing is lost by sleeping through
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

    /** Asks to be woken a little early; what is left then is spun through. */
    private void sleep(FineWait sleeper, long untilAt, long nanos) throws IOException {
        selector.selectNow(handler); // which also tells the kernel what we wait for
        if (nanos > 0 && !handled.getAsBoolean()) {
            lookedAt = begunAt;
            slept = true;
            sleeper.await(nanos);
        }
        spin(untilAt, clock.nanoTime()); // one look, if something has come
    }

    /**
     * Whether the last wait slept, so that what came in it woke this thread at once unless the process was stopped. Else it
     * may also have come since the last look.
     */
    public boolean hasSlept(long wokenAt) {
        return slept && wokenAt - begunAt > FOUND_NANOS;
    }

    /** When it was looked last, and nothing was there: what has come, has come since. */
    public long lookedAt() {
        return lookedAt;
    }

    /**
     * The wait is over, and what it has found is handled.
     *
     * @param any whether it has found something
     * @param endedAt when it did, or gave up
     */
    public void ended(boolean any, long endedAt) {
        if (askedNanos == 0) {
            lookedAt = lookAt;
        } else if (any) { // asleep for longer than asked, it was stopped, and nobody knows when it looked
            lookedAt = endedAt - begunAt > askedNanos + FOUND_NANOS ? begunAt : endedAt;
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
