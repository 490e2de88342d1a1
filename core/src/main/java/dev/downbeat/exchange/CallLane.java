package dev.downbeat.exchange;

import dev.downbeat.time.NanoClock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A lane for a client that completes calls on its own threads. The thread that sees the end of a call stamps it; the
 * generator's thread, which it wakes, handles it in {@link #poll}. Nothing locks: ended calls are a stack that client
 * threads push to and the generator takes whole.
 *
 * <p>A wait for one of the client's own connections ({@link Call#waited}) is added to the exchange's {@code
 * startedAt}. The backlog wait thus lasts from dispatch to start, wherever the queue is, and the service time
 * excludes it.
 *
 * <p>A client thread that has ended a call and is free ({@link Call#turn}) does the generator's work while that
 * sleeps: it reports the end, sends what is due, and may run the next call itself. Two hand-overs between threads
 * cost more than a short call. One thread at most has the turn, and sees what the previous one did. One free thread
 * ({@link Call#standBy}) also waits in the generator's place, so that a request that becomes due needs no hand-over.
 *
 * <p>An end after {@link #abandon} is dropped: every call is a new object, and only the one in its slot is heard.
 * That is one allocation per request, which clients of this kind do not notice.
 *
 * <p>Not thread-safe, like every lane; its {@link Call}s are.
 */
public final class CallLane implements Lane, Call.Ends {
    /** The longest turn of another thread, unless that waits for a processor. */
    private static final long TURN_NANOS = 20_000;

    /** A generator that should have woken this long ago was paused. */
    private static final long OVERSLEPT_NANOS = 200_000;

    /** How long after a due time the generator takes over from the thread on standby. */
    private static final long STANDBY_GRACE_NANOS = 150_000;

    /** The longest interval at which a free thread checks whether the generator sleeps. */
    private static final long LONGEST_RETRY_NANOS = 10_000_000;

    /** A few microseconds. */
    private static final int SPINS = 100;

    /** A thread with the turn may itself wait for the processor of one that spins. */
    private static final int SPINS_PER_YIELD = 32;

    /** Shorter waits spin: waking a thread takes about as long. */
    private static final long SPIN_NANOS = 60_000;

    private final NanoClock clock;
    private final Exchange.Listener listener;
    private final CallClient client;
    private final Nap nap;
    private final @Nullable Call[] calls;
    private final @Nullable Exchange[] exchanges;
    private final AtomicReference<@Nullable Call> ended = new AtomicReference<>();

    /** Whether no thread has the turn: the generator sleeps, and no client thread works for it. */
    private final AtomicBoolean isTurnFree = new AtomicBoolean();

    /** The generator's thread while it sleeps. */
    private volatile @Nullable Thread sleeper;

    /** When the next turn is due. */
    private volatile long nextTurnAt;

    /** When the generator wakes without being woken. */
    private volatile long sleepsUntilAt;

    /** The client thread that does the next turn when it is due. */
    private final AtomicReference<@Nullable Thread> standby = new AtomicReference<>();

    private volatile long retryAfterNanos = TURN_NANOS;

    /** Whether a client thread's turn left work that only the generator can do. */
    private volatile boolean needsGenerator;

    /** The error thrown in a client thread's turn. */
    private @Nullable Throwable turnFailure;

    private int inUse;
    private boolean idlesWhenFull;
    private long idleSinceAt;
    private long idleWhenFullNanos;

    /** Part of a wait: returns after at most this many nanoseconds, earlier if the thread is unparked. */
    @FunctionalInterface
    interface Nap {
        void atMost(long nanos);
    }

    /**
     * A lane with real sleep, for any clock that runs with real time.
     *
     * @param capacity most calls out at the same time; at least 1
     * @param clock the run's clock
     * @param listener told about each end, on the thread that polls
     * @param client starts the calls; closed with the lane
     */
    public CallLane(int capacity, NanoClock clock, Exchange.Listener listener, CallClient client) {
        this(capacity, clock, listener, client, CallLane::parkOrSpin);
    }

    CallLane(int capacity, NanoClock clock, Exchange.Listener listener, CallClient client, Nap nap) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, but was " + capacity);
        }
        this.clock = Objects.requireNonNull(clock, "clock");
        this.listener = Objects.requireNonNull(listener, "listener");
        this.client = Objects.requireNonNull(client, "client");
        this.nap = nap;
        this.calls = new Call[capacity];
        this.exchanges = new Exchange[capacity];
    }

    private static void parkOrSpin(long nanos) {
        if (nanos > SPIN_NANOS) {
            LockSupport.parkNanos(nanos - SPIN_NANOS);
        } else {
            Thread.onSpinWait();
        }
    }

    @Override
    public int capacity() {
        return calls.length;
    }

    @Override
    public void send(Exchange exchange) {
        inUse++;
        Call call = new Call(this, clock, exchange, inUse == calls.length);
        calls[exchange.slot] = call;
        exchanges[exchange.slot] = exchange;
        try {
            client.start(call);
        } catch (RuntimeException refused) {
            String name = refused.getClass().getSimpleName();
            call.complete(Outcome.failed(name.isEmpty() ? refused.getClass().getName() : name));
        }
    }

    @Override
    public void abandon(Exchange exchange) {
        Call call = calls[exchange.slot];
        if (call != null) {
            free(exchange.slot);
            call.abandon();
            call.fillUnfinished(exchange);
        }
    }

    @Override
    public boolean abandonUnlessEnded(Exchange exchange) {
        Call call = calls[exchange.slot];
        if (call != null) {
            if (!call.abandon()) {
                return false;
            }
            call.fillUnfinished(exchange);
        }
        free(exchange.slot);
        return true;
    }

    @Override
    public void end() {
        for (int slot = 0; slot < calls.length; slot++) {
            Call call = calls[slot];
            while (call != null && calls[slot] == call && !call.abandon()) {
                deliverEnded(); // its thread is about to report it
            }
            Exchange exchange = exchanges[slot];
            if (call != null && exchange != null) {
                call.fillUnfinished(exchange);
            }
        }
    }

    private void free(int slot) {
        calls[slot] = null;
        exchanges[slot] = null;
        inUse--;
    }

    @Override
    public void poll(long untilAt) {
        if (deliverEnded()) {
            return;
        }
        idleBegins();
        sleep(untilAt);
        idleEnds();
        deliverEnded();
    }

    private void idleBegins() {
        idlesWhenFull = inUse == calls.length;
        idleSinceAt = idlesWhenFull ? clock.nanoTime() : 0;
    }

    private void idleEnds() {
        if (idlesWhenFull) {
            idleWhenFullNanos += idleUntil() - idleSinceAt;
        }
    }

    /** The first end, if there is one: after it the delay is Downbeat's, not the client's. */
    private long idleUntil() {
        Call last = ended.get();
        long at = last == null ? clock.nanoTime() : last.completedAt();
        for (Call call = last; call != null; call = call.next) {
            at = call.completedAt() - at < 0 ? call.completedAt() : at;
        }
        return at - idleSinceAt < 0 ? idleSinceAt : at;
    }

    private void sleep(long untilAt) {
        sleeper = Thread.currentThread();
        nextTurnAt = untilAt;
        isTurnFree.set(true);
        while (ended.get() == null && !needsGenerator) { // a call may have ended before the sleeper was set
            Thread standbyThread = standby.get();
            long now = clock.nanoTime();
            long leftNanos = nextTurnAt - now + (standbyThread == null ? 0 : STANDBY_GRACE_NANOS);
            if (leftNanos <= 0) {
                break;
            }
            sleepsUntilAt = now + leftNanos;
            if (standbyThread == standby.get()) { // otherwise a thread that stood down may not have seen the new nap
                nap.atMost(leftNanos);
            }
        }
        needsGenerator = true; // no client thread begins another turn
        while (!isTurnFree.compareAndSet(true, false)) {
            LockSupport.parkNanos(TURN_NANOS); // for the end of a turn
        }
        sleeper = null;
        needsGenerator = false;
        Throwable thrown = turnFailure;
        turnFailure = null;
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Called by any thread. */
    @Override
    public void ended(Call call) {
        endedBeforeTurn(call);
        wake();
    }

    private void wake() {
        Thread waiting = sleeper;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    /** Called by any thread. */
    @Override
    public void endedBeforeTurn(Call call) {
        Call head;
        do {
            head = ended.get();
            call.next = head;
        } while (!ended.compareAndSet(head, call));
    }

    /** Called by any thread. Whoever has the turn looks for further ends before it gives it up. */
    @Override
    public void turn() {
        while (ended.get() != null && awaitOtherTurn()) {
            workForGenerator();
        }
    }

    /** Called by any thread. */
    @Override
    public long standBy() {
        Thread thread = Thread.currentThread();
        if (standby.get() != thread && !standby.compareAndSet(null, thread)) {
            return Long.MAX_VALUE;
        }
        if (!isTurnFree.get() || needsGenerator) {
            standDown(false);
            retryAfterNanos = Math.min(2 * retryAfterNanos, LONGEST_RETRY_NANOS);
            return retryAfterNanos;
        }
        retryAfterNanos = TURN_NANOS;
        long leftNanos = nextTurnAt - clock.nanoTime();
        if (leftNanos > SPIN_NANOS) {
            return leftNanos - SPIN_NANOS;
        }
        if (leftNanos > 0) {
            Thread.onSpinWait();
        } else if (isTurnFree.compareAndSet(true, false)) {
            workForGenerator();
            turn(); // for ends during it, whose threads found the turn taken
        }
        return 0;
    }

    /** Called by any thread. */
    @Override
    public boolean standDown(boolean hasRelief) {
        boolean stoodBy = standby.compareAndSet(Thread.currentThread(), null);
        if (stoodBy && !hasRelief && sleepsUntilAt - nextTurnAt > 0) {
            wake();
        }
        return stoodBy;
    }

    /** Runs on a client thread, which has the turn and gives it up. */
    @SuppressWarnings("IllegalCatch") // the generator rethrows it
    private void workForGenerator() {
        try {
            long untilAt = nextTurnAt;
            if (clock.nanoTime() - untilAt > OVERSLEPT_NANOS) {
                needsGenerator = true; // only the generator measures how long a pause of the process was
            } else {
                idleEnds();
                deliverEnded();
                long nextAt = listener.sleepsUntil(untilAt);
                if (nextAt - untilAt < 0 || nextAt - clock.nanoTime() <= 0) {
                    needsGenerator = true;
                } else {
                    nextTurnAt = nextAt;
                }
                idleBegins();
            }
        } catch (RuntimeException | Error thrown) {
            turnFailure = thrown;
            needsGenerator = true;
        }
        isTurnFree.set(true);
        if (needsGenerator) {
            wake();
        }
    }

    /** Another thread's turn is over sooner than a sleeping thread could be woken, so wait for it. */
    private boolean awaitOtherTurn() {
        for (int i = 0; i < SPINS && ended.get() != null && !needsGenerator; i++) {
            if (isTurnFree.get() && isTurnFree.compareAndSet(true, false)) {
                return true;
            }
            if (i % SPINS_PER_YIELD == SPINS_PER_YIELD - 1) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    private boolean deliverEnded() {
        Call last = ended.getAndSet(null);
        Call first = null;
        while (last != null) { // the stack has the last end first
            Call before = last.next;
            last.next = first;
            first = last;
            last = before;
        }
        boolean handled = false;
        Call rest = first;
        try {
            while (rest != null) {
                Call call = rest;
                rest = call.next;
                handled |= deliver(call);
            }
        } finally {
            while (rest != null) { // the listener threw; the other calls have ended all the same
                Call call = rest;
                rest = call.next;
                endedBeforeTurn(call);
            }
        }
        return handled;
    }

    private boolean deliver(Call call) {
        int slot = call.slot();
        Exchange exchange = exchanges[slot];
        if (calls[slot] != call || exchange == null) {
            return false;
        }
        free(slot);
        call.fill(exchange);
        listener.completed(exchange);
        return true;
    }

    @Override
    public long idleWhenFullNanos() {
        return idleWhenFullNanos;
    }

    @Override
    public ConnectionCounts connections() {
        return client.connections();
    }

    @Override
    public TargetCounts counts() {
        return client.counts();
    }

    @Override
    public void close() {
        for (Call call : calls) {
            if (call != null) {
                call.abandon();
            }
        }
        client.close();
    }
}
