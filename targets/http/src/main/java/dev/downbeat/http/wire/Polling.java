package dev.downbeat.http.wire;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.http.wait.SelectorWait;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * How a lane waits for events on its links, and the delay in reading them; or how several lanes of one thread wait
 * together. Not thread-safe.
 */
public final class Polling implements AutoCloseable {
    private final Selector selector;
    private ConnectionAttempts[] attempts = {};
    private final NanoClock clock;
    private final SelectorWait wait;
    private BooleanSupplier interrupted = () -> false;
    private boolean handled;
    private long wokenAt;
    private long idleWhenFullNanos;

    public Polling(NanoClock clock, Pacing pacing) throws IOException {
        this.selector = Selector.open();
        this.clock = clock;
        this.wait = new SelectorWait(selector, clock, pacing, this::handle, this::hasHandled);
    }

    public Selector selector() {
        return selector;
    }

    /** Adds a lane's connection attempts. */
    public void add(ConnectionAttempts added) {
        attempts = Arrays.copyOf(attempts, attempts.length + 1);
        attempts[attempts.length - 1] = added;
    }

    private boolean advance() {
        boolean any = false;
        for (ConnectionAttempts each : attempts) {
            any |= each.advance();
        }
        return any;
    }

    private long nextAt(long untilAt) {
        long next = untilAt;
        for (ConnectionAttempts each : attempts) {
            next = each.nextAt(next);
        }
        return next;
    }

    private boolean hasResults() {
        for (ConnectionAttempts each : attempts) {
            if (each.hasResults()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Handles events; waits if there are none.
     *
     * @param untilAt latest end of the wait
     * @param isBusy whether responses may arrive
     * @param isFull whether a due request waits for the end of another
     */
    public void until(long untilAt, boolean isBusy, boolean isFull) {
        try {
            handled = advance();
            if (!handled) {
                await(nextAt(untilAt), isBusy, isFull);
                advance();
            }
        } catch (IOException broken) {
            throw new IllegalStateException("the selector failed: " + broken.getMessage(), broken);
        }
    }

    private void await(long untilAt, boolean isBusy, boolean isFull) throws IOException {
        long since = isFull ? clock.nanoTime() : 0;
        wait.until(untilAt, isBusy);
        long endedAt = handled ? wokenAt : clock.nanoTime();
        wait.ended(handled, endedAt);
        idleWhenFullNanos += isFull ? endedAt - since : 0;
    }

    private void handle(SelectionKey key) {
        if (!handled) {
            wokenAt = clock.nanoTime(); // from here on, this thread is working
        }
        handled = true;
        ((Link) key.attachment()).ready();
    }

    private boolean hasHandled() {
        return handled || hasResults() || interrupted.getAsBoolean();
    }

    /** Ends a wait early when this is true and {@link #wake} is called; set before first use. */
    public void interruptWhen(BooleanSupplier condition) {
        interrupted = condition;
    }

    /** Ends a sleeping wait. Thread-safe. */
    public void wake() {
        selector.wakeup();
    }

    /** An exchange has ended: records how long its end lay unread. */
    public void read(Exchange exchange, long now) {
        exchange.unreadNanos = Math.min(now - wait.lastEmptyPollAt(), now - exchange.startedAt);
        exchange.readLateNanos = readLateNanos(exchange, now);
    }

    /**
     * Lower bound on how long the current data lay unread while other events were handled, excluding pauses of the
     * process.
     */
    private long readLateNanos(Exchange exchange, long now) {
        long sinceAt = wait.hasSlept(wokenAt) ? wokenAt : wait.lastEmptyPollAt();
        return Math.min(now - sinceAt, now - exchange.startedAt);
    }

    /** Total idle time while no more requests could be sent. */
    public long idleWhenFullNanos() {
        return idleWhenFullNanos;
    }

    @Override
    public void close() {
        wait.close();
        try {
            selector.close();
        } catch (IOException ignored) {
            // There is nothing left to lose.
        }
    }
}
