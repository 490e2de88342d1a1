package dev.downbeat.exchange;

/**
 * One request and its response, with the instants that make an honest measurement possible.
 *
 * <pre>
 *  intendedAt ──► dispatchedAt ──► startedAt ──────► completedAt
 *           lateness          backlog wait     service time
 *  └──────────────────── response time ─────────────────────┘
 * </pre>
 *
 * <p>All instants are readings of the run's clock in nanoseconds; compare them by subtraction. {@code startedAt} is when a
 * slot was free and the first byte was sent. On a new connection that is the first byte of the DNS lookup or the connect.
 * The cost of a new connection is therefore part of the service time, and is also recorded in {@link #lookupNanos},
 * {@link #connectNanos} and {@link #handshakeNanos}.
 *
 * <p>Mutable and reused; not thread-safe. The generator writes until {@link Lane#send}, then the lane until it notifies the
 * {@link Listener}, then the generator again. Fields are public because every nanosecond between the intended start and
 * the recorded completion counts.
 */
public final class Exchange {
    /** Notified once at the end of each exchange, on the thread that polls the lane or one that takes its turn. */
    @FunctionalInterface
    public interface Listener {
        /** {@code completedAt} and {@code outcome} are set; the lane no longer touches the exchange. */
        void completed(Exchange exchange);

        /** The service answered an attempt that its caller no longer waited for. */
        default void answeredLate(long at) {}

        /**
         * Called on a client thread, while the polling thread sleeps until {@code untilAt}, after ends were reported or
         * when that time has come. Sends what is due and returns when the sleep should end instead; an earlier or a past
         * time wakes the polling thread.
         */
        default long sleepsUntil(long untilAt) {
            return untilAt - 1;
        }
    }

    /**
     * The first index of a warm-up: beyond the run's, since unique values derive from indexes, and a service may remember those
     * of the warm-up. Its lower 32 bits are 0: code that casts an index to an int still counts from 0.
     */
    public static final long FIRST_OF_WARM_UP = 1L << 40;

    private static final long NEVER_NANOS = Long.MAX_VALUE >> 1;

    /** The index of the generator's slot; fixed. */
    public final int slot;

    /** Index of the request in the run, over all generators, from 0; in a warm-up from {@link #FIRST_OF_WARM_UP}. */
    public long index;

    /** The client or session that issues the request; 0 if the workload has none. */
    public int client;

    /** Number of the client's session or iteration, from 0; in an open load, one for each request. */
    public long session;

    /** Position of the request in its session, from 0; always 0 if the workload has none. */
    public int step;

    /** Index into the target's {@linkplain Target#names names}; the generator gets it from the target. */
    public int name;

    /** The intended start. */
    public long intendedAt;

    /** When the generator noticed that the request was due. */
    public long dispatchedAt;

    /** When the request was sent. */
    public long startedAt;

    /** When it times out; a later end is ignored. */
    public long deadlineAt;

    /** The first byte of the response; equal to {@code startedAt} if there was none. */
    public long firstByteAt;

    /** When the response was complete or the exchange failed. */
    public long completedAt;

    /** DNS lookup time; 0 if no lookup was needed. */
    public long lookupNanos;

    /** Transport connect time; 0 unless this request opened the connection. */
    public long connectNanos;

    /** TLS handshake time; 0 unless this request opened the connection. */
    public long handshakeNanos;

    /**
     * Time without anything to answer, such as a poll that waits for a message. It lies between {@code startedAt} and
     * {@code firstByteAt} and is excluded from all recorded times. 0 for nearly all kinds of request.
     */
    public long idleNanos;

    /**
     * Upper bound on how long the end lay unread because this process was busy or had no processor. A lane that does
     * its own reads derives it from the time of its previous read. Part of the service time; 0 if unknown.
     */
    public long unreadNanos;

    /**
     * The delay in reading that this process detected: it was paused, or handled earlier events. Part of {@link
     * #unreadNanos} if that is known.
     */
    public long readLateNanos;

    /** The generator's total of accumulated delay before the request was sent, which cannot affect it. */
    public long catchUpBeforeNanos;

    /** Upper bound on the delay from requests that accumulated while this process was paused; set by the generator. */
    public long catchUpNanos;

    /**
     * The part of the backlog wait that cannot be Downbeat's delay: the service answered nobody, or this process was
     * not delayed for that long. Set by the generator; at most {@link #backlogWaitNanos}.
     */
    public long stalledNanos;

    /**
     * Time that the server's flow-control window or its slow reads held up the request body, up to the start of the
     * response. Part of the service time; 0 for nearly all kinds of request.
     */
    public long windowNanos;

    /**
     * Whether the request used a stream of a multiplexed connection, so that its backlog wait was a wait for a free
     * stream.
     */
    public boolean onStream;

    /** The response status, such as 200; 0 if there was none or the protocol has none. */
    public int status;

    /** Whether the request has no connection yet, with no byte sent. */
    public boolean unconnected;

    /** Position on the connection, from 1; 0 without a connection. */
    public int position;

    public Outcome outcome = Outcome.answered();

    public Exchange(int slot) {
        if (slot < 0) {
            throw new IllegalArgumentException("slot must be at least 0, but was " + slot);
        }
        this.slot = slot;
    }

    /** Resets the exchange for a new request that starts at {@code startedAt}; called by the generator. */
    public void begin(long intendedAt, long dispatchedAt, long startedAt) {
        this.intendedAt = intendedAt;
        this.dispatchedAt = dispatchedAt;
        this.startedAt = startedAt;
        this.deadlineAt = startedAt + NEVER_NANOS;
        this.firstByteAt = startedAt;
        this.completedAt = startedAt;
        this.lookupNanos = 0;
        this.connectNanos = 0;
        this.handshakeNanos = 0;
        this.idleNanos = 0;
        this.unreadNanos = 0;
        this.readLateNanos = 0;
        this.catchUpBeforeNanos = 0;
        this.catchUpNanos = 0;
        this.stalledNanos = 0;
        this.windowNanos = 0;
        this.onStream = false;
        this.status = 0;
        this.unconnected = false;
        this.position = 0;
        this.outcome = Outcome.answered();
    }

    /** Whether a request with this index belongs to a warm-up. */
    public static boolean isOfWarmUp(long index) {
        return (index & FIRST_OF_WARM_UP) != 0;
    }

    /** Copies everything except the slot. */
    public void copy(Exchange other) {
        index = other.index;
        client = other.client;
        session = other.session;
        step = other.step;
        name = other.name;
        intendedAt = other.intendedAt;
        dispatchedAt = other.dispatchedAt;
        startedAt = other.startedAt;
        deadlineAt = other.deadlineAt;
        firstByteAt = other.firstByteAt;
        completedAt = other.completedAt;
        lookupNanos = other.lookupNanos;
        connectNanos = other.connectNanos;
        handshakeNanos = other.handshakeNanos;
        idleNanos = other.idleNanos;
        unreadNanos = other.unreadNanos;
        readLateNanos = other.readLateNanos;
        catchUpBeforeNanos = other.catchUpBeforeNanos;
        catchUpNanos = other.catchUpNanos;
        stalledNanos = other.stalledNanos;
        windowNanos = other.windowNanos;
        onStream = other.onStream;
        status = other.status;
        unconnected = other.unconnected;
        position = other.position;
        outcome = other.outcome;
    }

    /** Time from intended start to completion, without the time when there was nothing to answer. */
    public long responseNanos() {
        return completedAt - intendedAt - idleNanos;
    }

    /** Time from actual start to completion, without the time when there was nothing to answer. */
    public long serviceNanos() {
        return completedAt - startedAt - idleNanos;
    }

    /** Time from intended start to dispatch: Downbeat's own delay. */
    public long latenessNanos() {
        return dispatchedAt - intendedAt;
    }

    /** Time from dispatch to start: no connection, stream or slot was free. */
    public long backlogWaitNanos() {
        return startedAt - dispatchedAt;
    }

    /**
     * The part of the response time that is known or suspected to be Downbeat's delay. It is the larger of the lateness
     * and the delay from bunched requests, plus the delay in reading. At least 0; it may exceed the response time.
     */
    public long ownNanos() {
        return Math.max(latenessNanos(), catchUpNanos) + readLateNanos;
    }

    /**
     * Further parts of the response time that may be Downbeat's if this process was too busy to read: unread responses,
     * and waits for a slot that an unread response would have freed.
     */
    public long possiblyOwnNanos() {
        return unreadNanos + startedAt - dispatchedAt - stalledNanos;
    }
}
