package dev.downbeat.exchange;

import dev.downbeat.time.NanoClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call in flight, as its client sees it: the client ends it with {@link #complete}, and says before what the time was
 * spent on, as far as it knows. One object for each call, never used again: so nothing that comes late can be taken for
 * something else.
 *
 * <p>Thread-safe: of several ends the first counts. What {@link #takenUp}, {@link #waited}, {@link #idle}, {@link #lookup}, {@link #connected}, {@link
 * #handshake}, {@link #firstByteAt} and {@link #position} say must be said before the end, by the thread that ends the
 * call or by one that handed over to it; later, it is lost.
 */
public final class Call {
    private static final int OPEN = 0;
    private static final int ENDED = 1;
    private static final int ABANDONED = 2;

    /** Its end came after its deadline: nobody hears of it, and there is nothing to cancel. */
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

    /** The next of the ended calls that the lane has not seen; the lane's. */
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

    @SuppressWarnings("UnusedVariable") // read by its handle
    private volatile @Nullable Runnable onAbandon;

    private final boolean tookLastSlot;
    private long handOffNanos;
    private long waitNanos;
    private long idleNanos;
    private long lookupNanos;
    private long connectNanos;
    private long handshakeNanos;
    private long firstByteAt;
    private boolean firstByteTold;
    private int position;
    private long completedAt;
    private Outcome outcome = Outcome.answered();

    /** Who hears of ends, on the thread that ends the call. */
    interface Ends {
        /** A call has ended, and the thread has other work to do. */
        void ended(Call call);

        /** A call has ended; {@link #turn} follows. */
        default void endedBeforeTurn(Call call) {
            ended(call);
        }

        /** The thread is free. */
        default void turn() {}
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
     * A call without a lane, for whoever has a schedule of their own.
     *
     * @param exchange when it was meant to start, was noticed and started; not kept
     * @param whenEnded hears of the end, on the thread that ends it, unless the call was abandoned before
     */
    public static Call alone(NanoClock clock, Exchange exchange, Consumer<Call> whenEnded) {
        return new Call(whenEnded::accept, clock, exchange, false);
    }

    /** Index of the request within the whole run, over all generators; from 0. */
    public long index() {
        return index;
    }

    /** Which client or session issues it; 0 where the workload has none. */
    public int client() {
        return client;
    }

    /** When it was meant to start, on the run's clock. */
    public long intendedAt() {
        return intendedAt;
    }

    /** When it was given to the client, on the run's clock. */
    public long startedAt() {
        return startedAt;
    }

    /** The present instant of the run's clock. */
    public long now() {
        return clock.nanoTime();
    }

    /**
     * A thread of the client takes it up now. The time until then is our own delay, as long as there was a slot for another
     * request: a caller of the service would not have had it. If this request took the last one, it waited as it would have
     * in the backlog.
     */
    public void takenUp() {
        handOffNanos = clock.nanoTime() - startedAt;
    }

    /**
     * For how long, at least 0 ns, it waited in the client for a free connection. This is not the service's time: it
     * counts as backlog wait, like the wait for a slot.
     */
    public void waited(long nanos) {
        waitNanos = nanos;
    }

    /**
     * For how long, at least 0 ns, there was nothing to answer with, as in a poll that waits for a message: is not part
     * of any time that is recorded.
     */
    public void idle(long nanos) {
        idleNanos = nanos;
    }

    /** How long, at least 0 ns, the name look-up of its new connection took. */
    public void lookup(long nanos) {
        lookupNanos = nanos;
    }

    /** How long, at least 0 ns, the connect of its new connection took. */
    public void connected(long nanos) {
        connectNanos = nanos;
    }

    /** How long, at least 0 ns, the TLS handshake of its new connection took. */
    public void handshake(long nanos) {
        handshakeNanos = nanos;
    }

    /** When the first byte of the response was there, on the run's clock; the end, unless told. */
    public void firstByteAt(long at) {
        firstByteAt = at;
        firstByteTold = true;
    }

    /** Its place on its connection, from 1; 0, if that is not known. */
    public void position(int onConnection) {
        position = onConnection;
    }

    /**
     * What to do if the call is abandoned, such as to cancel it. Runs at once if that has happened, else on the
     * generator's thread; must not wait, and must not throw.
     */
    public void onAbandon(Runnable action) {
        onAbandon = Objects.requireNonNull(action, "action");
        if (state == ABANDONED) {
            runOnAbandon();
        }
    }

    /** Whether nobody waits for its end any more. */
    public boolean isOver() {
        return state != OPEN;
    }

    /**
     * Ends the call now.
     *
     * @param how answered or failed; keep one instance per reason
     * @return whether this was the end: false if it had ended before, was abandoned, or its deadline has passed
     */
    public boolean complete(Outcome how) {
        return completeAt(how, clock.nanoTime());
    }

    /**
     * Ends the call with an instant taken before, on the run's clock: for a client that has something to look up between
     * the end and its telling.
     */
    public boolean completeAt(Outcome how, long at) {
        boolean ends = isEnd(how, at);
        if (ends) {
            this.ends.ended(this);
        }
        return ends;
    }

    /**
     * Ends the call now, as {@link #complete} does, by a thread that is free as soon as it has called {@link #turn}: nobody else
     * is woken for what comes next.
     */
    public boolean completeBeforeTurn(Outcome how) {
        boolean ends = isEnd(how, clock.nanoTime());
        if (ends) {
            this.ends.endedBeforeTurn(this);
        }
        return ends;
    }

    /**
     * The thread that has ended this call is free. If nobody is at it, it writes the end down itself and starts what is due,
     * by {@link CallClient#start}.
     */
    public void turn() {
        ends.turn();
    }

    private boolean isEnd(Outcome how, long at) {
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
     * Gives it up: nobody hears of its end. Harmless if it is over.
     *
     * @return whether it was given up: false if it had ended before
     */
    public boolean abandon() {
        if (STATE.compareAndSet(this, OPEN, ABANDONED)) {
            runOnAbandon();
            return true;
        }
        return state != ENDED;
    }

    /** Once: who takes the action runs it, the thread that abandons it or the one that came too late with it. */
    private void runOnAbandon() {
        Runnable action = (Runnable) ON_ABANDON.getAndSet(this, null);
        if (action != null) {
            action.run();
        }
    }

    /**
     * Writes what is known to the exchange, so that no part of its response time is negative and all add up. After the
     * end.
     */
    public void fill(Exchange exchange) {
        long endAt = completedAt - startedAt < 0 ? startedAt : completedAt;
        long leftNanos = endAt - startedAt;
        long firstByteNanos = firstByteTold ? within(leftNanos, firstByteAt - startedAt) : leftNanos;
        long spareNanos = firstByteNanos;
        long handOff = within(spareNanos, handOffNanos);
        spareNanos -= handOff;
        long wait = within(spareNanos, waitNanos);
        spareNanos -= wait;
        exchange.lookupNanos = within(spareNanos, lookupNanos);
        spareNanos -= exchange.lookupNanos;
        exchange.connectNanos = within(spareNanos, connectNanos);
        spareNanos -= exchange.connectNanos;
        exchange.handshakeNanos = within(spareNanos, handshakeNanos);
        spareNanos -= exchange.handshakeNanos;
        exchange.idleNanos = within(spareNanos, idleNanos);
        exchange.dispatchedAt += tookLastSlot ? 0 : handOff;
        exchange.startedAt = startedAt + handOff + wait;
        exchange.firstByteAt = startedAt + firstByteNanos;
        exchange.completedAt = endAt;
        exchange.position = position;
        exchange.outcome = outcome;
    }

    private static long within(long limitNanos, long nanos) {
        return Math.max(0, Math.min(limitNanos, nanos));
    }
}
