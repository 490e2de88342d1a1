package dev.downbeat.exchange;

import dev.downbeat.time.NanoClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call in flight, from the client's point of view. The client reports what it knows about the timing, then ends the
 * call with {@link #complete}. Each call has its own object, never reused, so a late event cannot be attributed to
 * another call.
 *
 * <p>Thread-safe: if a call is ended more than once, the first end counts. {@link #workStarted}, {@link #waited}, {@link
 * #idle}, {@link #lookup}, {@link #connected}, {@link #handshake}, {@link #firstByteAt} and {@link #position} must be
 * called before the end, by the thread that ends the call or one that happens-before it. Later reports are lost.
 */
public final class Call {
    private static final int OPEN = 0;
    private static final int ENDED = 1;
    private static final int ABANDONED = 2;

    /** Ended after its deadline: the end is not reported, and there is nothing to cancel. */
    private static final int LATE = 3;

    private static final VarHandle STATE;
    private static final VarHandle ON_ABANDON;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Call.class, "state", int.class);
            ON_ABANDON = lookup.findVarHandle(Call.class, "onAbandon", Runnable.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Link in the lane's queue of ended calls; owned by the lane. */
    @Nullable
    Call next;

    private final Ends ends;
    private final NanoClock clock;
    private final int slot;
    private final long index;
    private final int client;
    private final long intendedAt;
    private final long startedAt;

    private final long deadlineAt;

    private volatile int state = OPEN;

    private volatile boolean isUnconnected;

    private volatile boolean isWaiting;

    @SuppressWarnings("UnusedVariable") // accessed through a VarHandle
    private volatile @Nullable Runnable onAbandon;

    private final boolean tookLastSlot;
    private long handOffNanos;
    private long waitNanos;
    private long idleNanos;
    private long lookupNanos;
    private long connectNanos;
    private long handshakeNanos;
    private long firstByteAt;
    private boolean hasFirstByte;
    private int position;
    private long completedAt;
    private Outcome outcome = Outcome.answered();

    /** Notified of ends, on the thread that ends the call. */
    interface Ends {
        /** A call has ended, and the thread has other work to do. */
        void ended(Call call);

        /** A call has ended; {@link #turn} follows. */
        default void endedBeforeTurn(Call call) {
            ended(call);
        }

        /** The thread is free. */
        default void turn() {}

        /** The thread has nothing else to do. */
        default long standBy() {
            return Long.MAX_VALUE;
        }

        /** The thread has other work. */
        default boolean standDown(boolean hasRelief) {
            return false;
        }
    }

    Call(Ends ends, NanoClock clock, Exchange exchange, boolean tookLastSlot) {
        this.tookLastSlot = tookLastSlot;
        this.ends = ends;
        this.deadlineAt = exchange.deadlineAt;
        this.clock = clock;
        this.slot = exchange.slot;
        this.index = exchange.index;
        this.client = exchange.client;
        this.intendedAt = exchange.intendedAt;
        this.startedAt = exchange.startedAt;
    }

    /**
     * A call without a lane, for callers with their own schedule.
     *
     * @param exchange supplies the intended, dispatched and start times; not retained
     * @param whenEnded called at the end, on the thread that ends the call, unless the call was abandoned first
     */
    public static Call alone(NanoClock clock, Exchange exchange, Consumer<Call> whenEnded) {
        return new Call(whenEnded::accept, clock, exchange, false);
    }

    /** Index of the request in the run, over all generators, from 0. */
    public long index() {
        return index;
    }

    /** The client or session that issues the call; 0 if the workload has none. */
    public int client() {
        return client;
    }

    /** The intended start, on the run's clock. */
    public long intendedAt() {
        return intendedAt;
    }

    /** When the call was passed to the client, on the run's clock. */
    public long startedAt() {
        return startedAt;
    }

    /** The current time of the run's clock. */
    public long now() {
        return clock.nanoTime();
    }

    /**
     * Called when a client thread starts work on the call. If a slot was still free, the time until now is Downbeat's
     * delay, since a direct caller would not have had it. If this request used the last slot, the time counts as
     * backlog wait.
     */
    public void workStarted() {
        handOffNanos = clock.nanoTime() - startedAt;
    }

    /**
     * Reports the wait for a free connection inside the client, in nanoseconds, at least 0. It counts as backlog wait,
     * not as service time.
     */
    public void waited(long nanos) {
        waitNanos = nanos;
    }

    /**
     * Reports the time without anything to answer, such as a poll that waits for a message, in nanoseconds, at least 0.
     * It is excluded from all recorded times.
     */
    public void idle(long nanos) {
        idleNanos = nanos;
    }

    /** Reports the DNS lookup time of the new connection, in nanoseconds, at least 0. */
    public void lookup(long nanos) {
        lookupNanos = nanos;
    }

    /** Reports the connect time of the new connection, in nanoseconds, at least 0. */
    public void connected(long nanos) {
        connectNanos = nanos;
    }

    /** Reports the TLS handshake time of the new connection, in nanoseconds, at least 0. */
    public void handshake(long nanos) {
        handshakeNanos = nanos;
    }

    /**
     * Reports whether the call has no connection yet, so that no byte of it was sent; by default it has one. Any thread may
     * report it, before the end. It holds for a call that fails, is abandoned, or is in flight at the end of the run.
     */
    public void unconnected(boolean hasNoConnection) {
        isUnconnected = hasNoConnection;
    }

    /**
     * Reports whether the call waits for a free connection inside the client; by default it does not. Any thread may report
     * it, before the end. It holds for a call that is abandoned or in flight at the end of the run; for others, {@link
     * #waited} does.
     */
    public void waits(boolean hasNoConnectionYet) {
        isWaiting = hasNoConnectionYet;
    }

    /** Copies what is known of a call without an end, such as an abandoned one. */
    void fillUnfinished(Exchange exchange) {
        exchange.unconnected = isUnconnected;
        if (isWaiting) {
            long nowAt = clock.nanoTime();
            exchange.startedAt = nowAt - deadlineAt < 0 ? nowAt : deadlineAt;
        }
    }

    /** Reports the first byte of the response, on the run's clock. The default is the end of the call. */
    public void firstByteAt(long at) {
        firstByteAt = at;
        hasFirstByte = true;
    }

    /** Reports the position of the request on its connection, from 1; 0 if unknown. */
    public void position(int onConnection) {
        position = onConnection;
    }

    /**
     * Registers an action for an abandoned call, such as cancellation. It runs at once if the call is already
     * abandoned, otherwise on the generator's thread. It must neither block nor throw.
     */
    public void onAbandon(Runnable action) {
        onAbandon = Objects.requireNonNull(action, "action");
        if (state == ABANDONED) {
            runOnAbandon();
        }
    }

    /** Whether the call has ended or was abandoned. */
    public boolean isOver() {
        return state != OPEN;
    }

    /**
     * Ends the call now.
     *
     * @param how answered or failed; reuse one instance per reason
     * @return true if this ended the call; false if it had already ended, was abandoned, or its deadline has passed
     */
    public boolean complete(Outcome how) {
        return completeAt(how, clock.nanoTime());
    }

    /**
     * Ends the call at an instant measured earlier, on the run's clock. For clients with work to do between the end and
     * this report.
     */
    public boolean completeAt(Outcome how, long at) {
        boolean ends = tryEnd(how, at);
        if (ends) {
            this.ends.ended(this);
        }
        return ends;
    }

    /**
     * Ends the call now, as {@link #complete} does, on a thread that calls {@link #turn} next and is then free. No other
     * thread is woken.
     */
    public boolean completeBeforeTurn(Outcome how) {
        boolean ends = tryEnd(how, clock.nanoTime());
        if (ends) {
            this.ends.endedBeforeTurn(this);
        }
        return ends;
    }

    /**
     * Called by the thread that ended this call, once it is free. If no other thread is at work, it records the end and
     * starts the calls that are due, by {@link CallClient#start}.
     */
    public void turn() {
        ends.turn();
    }

    /**
     * Called, after {@link #turn}, by the thread that ended this call while it has nothing else to do. One such thread
     * starts the calls that become due, by {@link CallClient#start}.
     *
     * @return after how many nanoseconds to call again; {@link Long#MAX_VALUE} if another thread stands by
     */
    public long standBy() {
        return ends.standBy();
    }

    /**
     * Called by a thread that has other work and may have stood by.
     *
     * @param hasRelief whether the caller makes another free thread stand by instead
     * @return whether it stood by
     */
    public boolean standDown(boolean hasRelief) {
        return ends.standDown(hasRelief);
    }

    private boolean tryEnd(Outcome how, long at) {
        Objects.requireNonNull(how, "how");
        boolean isLate = at - deadlineAt > 0;
        if (!STATE.compareAndSet(this, OPEN, isLate ? LATE : ENDED) || isLate) {
            return false;
        }
        outcome = how;
        completedAt = at;
        return true;
    }

    int slot() {
        return slot;
    }

    long completedAt() {
        return completedAt;
    }

    /**
     * Abandons the call, so its end is not reported. No effect if the call is over.
     *
     * @return true if this abandoned it; false if it had already ended
     */
    public boolean abandon() {
        if (STATE.compareAndSet(this, OPEN, ABANDONED)) {
            runOnAbandon();
            return true;
        }
        return state != ENDED;
    }

    /** Runs the action exactly once: on abandonment, or at its registration if that came later. */
    private void runOnAbandon() {
        Runnable action = (Runnable) ON_ABANDON.getAndSet(this, null);
        if (action != null) {
            action.run();
        }
    }

    /**
     * Copies the timing to the exchange so that no component is negative and all add up to the response time. Call
     * after the end.
     */
    public void fill(Exchange exchange) {
        long endAt = completedAt - startedAt < 0 ? startedAt : completedAt;
        long leftNanos = endAt - startedAt;
        long firstByteNanos = hasFirstByte ? clamp(leftNanos, firstByteAt - startedAt) : leftNanos;
        long spareNanos = firstByteNanos;
        long handOff = clamp(spareNanos, handOffNanos);
        spareNanos -= handOff;
        long wait = clamp(spareNanos, waitNanos);
        spareNanos -= wait;
        exchange.lookupNanos = clamp(spareNanos, lookupNanos);
        spareNanos -= exchange.lookupNanos;
        exchange.connectNanos = clamp(spareNanos, connectNanos);
        spareNanos -= exchange.connectNanos;
        exchange.handshakeNanos = clamp(spareNanos, handshakeNanos);
        spareNanos -= exchange.handshakeNanos;
        exchange.idleNanos = clamp(spareNanos, idleNanos);
        exchange.dispatchedAt += tookLastSlot ? 0 : handOff;
        exchange.startedAt = startedAt + handOff + wait;
        exchange.firstByteAt = startedAt + firstByteNanos;
        exchange.completedAt = endAt;
        exchange.position = position;
        exchange.unconnected = isUnconnected;
        exchange.outcome = outcome;
    }

    private static long clamp(long limitNanos, long nanos) {
        return Math.max(0, Math.min(limitNanos, nanos));
    }
}
