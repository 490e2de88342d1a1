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
 * <p>All instants are readings of the run's clock in nanoseconds; compare them by subtraction. {@code startedAt} is the
 * moment at which a slot was free and the first byte went on its way, be it of the request or, on a new connection, of
 * the name lookup or the connect: what a new connection costs is part of the service time and is kept apart in {@link
 * #lookupNanos}, {@link #connectNanos} and {@link #handshakeNanos}.
 *
 * <p>Mutable and reused: not thread-safe. The generator writes until {@link Lane#send}, the lane from then until it
 * tells the {@link Listener}, the generator again afterwards. Fields are public because the way from intended time to
 * recorded completion is counted in nanoseconds.
 */
public final class Exchange {
    /** Told once about the end of each exchange, on the thread that polls the lane or on one that does so in its place. */
    @FunctionalInterface
    public interface Listener {
        /** The exchange has its {@code completedAt} and its {@code outcome}; the lane does not touch it any more. */
        void completed(Exchange exchange);

        /**
         * A thread of the client has told ends while the one that polls sleeps: whether that may sleep on. If not, it is
         * woken.
         */
        default boolean letsSleep() {
            return false;
        }
    }

    private static final long NEVER_NANOS = Long.MAX_VALUE >> 1;

    /** Which of the generator's slots this is; fixed. */
    public final int slot;

    /** Index of the request within the whole run, over all generators; from 0. */
    public long index;

    /** Which client or session issues it; 0 where the workload has none. */
    public int client;

    /** Number of the session or round of a client that it belongs to, from 0; its index where the workload has none. */
    public long session;

    /** Which request of its session it is, from 0; always 0 where the workload has none. */
    public int step;

    /** Which of the target's {@linkplain Target#names names} it has; the generator asks the target for it. */
    public int name;

    /** When it was meant to start. */
    public long intendedAt;

    /** When the generator noticed that it was due. */
    public long dispatchedAt;

    /** When it left. */
    public long startedAt;

    /** When it times out: an end that comes later is none. */
    public long deadlineAt;

    /** When the first byte of the response was there; equal to {@code startedAt} if there was none. */
    public long firstByteAt;

    /** When the response was complete or the exchange had failed. */
    public long completedAt;

    /** Time for the name lookup; 0 unless this request needed one. */
    public long lookupNanos;

    /** Time for the transport's connect; 0 unless this request opened the connection. */
    public long connectNanos;

    /** Time for the TLS handshake; 0 unless this request opened the connection. */
    public long handshakeNanos;

    /**
     * For how long there was nothing to answer with, as in a poll that waits for a message; after {@code startedAt} and
     * before {@code firstByteAt}, and in no time that is recorded. 0 for nearly every kind of request.
     */
    public long idleNanos;

    /**
     * For how long at most the end lay unread, since this process had something else to do or got no processor: what a
     * lane that reads by itself knows from when it had looked last. Part of the service time; 0 where nobody knows.
     */
    public long unreadNanos;

    /**
     * For how long the end lay unread as far as this process noticed: it was stopped, or worked on what had come before. Part
     * of {@link #unreadNanos} where that is known.
     */
    public long readLateNanos;

    /** What had piled up before it was sent and cannot delay it; the generator's own sum. */
    public long piledBeforeNanos;

    /** By how much at most it ended later since requests had piled up while this process was stopped; the generator writes it. */
    public long piledUpNanos;

    /**
     * The part of its backlog wait that cannot be ours, since the service gave no answer to anybody or this process was not
     * kept from its work for so long: the generator writes it. At most {@link #backlogWaitNanos}.
     */
    public long stalledNanos;

    /**
     * For how long, until the response began, the server's window or its reading held up the request's body; part of the
     * service time. 0 for nearly every kind of request.
     */
    public long windowNanos;

    /** Whether it has a stream of a connection that others share, so that its backlog wait was one for a free stream. */
    public boolean onStream;

    /** The response's status, such as 200; 0 if there was none, or the protocol has none. */
    public int status;

    /** Whether it still waits for its new connection to open, so that no byte of it has left. */
    public boolean unconnected;

    /** Its place on its connection, from 1; 0 where there is no connection. */
    public int position;

    /** How it ended. */
    public Outcome outcome = Outcome.answered();

    /**
     * Makes an exchange for one slot.
     *
     * @param slot at least 0
     */
    public Exchange(int slot) {
        if (slot < 0) {
            throw new IllegalArgumentException("slot must be at least 0, but was " + slot);
        }
        this.slot = slot;
    }

    /** Prepares for a new request that starts at {@code startedAt}; the generator calls it. */
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
        this.piledBeforeNanos = 0;
        this.piledUpNanos = 0;
        this.stalledNanos = 0;
        this.windowNanos = 0;
        this.onStream = false;
        this.status = 0;
        this.unconnected = false;
        this.position = 0;
        this.outcome = Outcome.answered();
    }

    /** Takes over everything but the slot. */
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
        piledBeforeNanos = other.piledBeforeNanos;
        piledUpNanos = other.piledUpNanos;
        stalledNanos = other.stalledNanos;
        windowNanos = other.windowNanos;
        onStream = other.onStream;
        status = other.status;
        unconnected = other.unconnected;
        position = other.position;
        outcome = other.outcome;
    }

    /** From intended to completed, less the time in which there was nothing to answer with. */
    public long responseNanos() {
        return completedAt - intendedAt - idleNanos;
    }

    /** From started to completed, less the time in which there was nothing to answer with. */
    public long serviceNanos() {
        return completedAt - startedAt - idleNanos;
    }

    /** From intended to dispatched: our own fault. */
    public long latenessNanos() {
        return dispatchedAt - intendedAt;
    }

    /** From dispatched to started: no connection, stream or slot was free. */
    public long backlogWaitNanos() {
        return startedAt - dispatchedAt;
    }

    /**
     * The part of the response time that is or may be ours by what this process noticed of itself: it sent late, or what left
     * in a bunch queued ahead, whichever is more; and it read late. At least 0, and possibly more than the response time.
     */
    public long ownNanos() {
        return Math.max(latenessNanos(), piledUpNanos) + readLateNanos;
    }

    /**
     * What else of the response time may be ours if this process was too busy to read: answers that lay unread, and the
     * wait for a slot that an answer we had not read would have freed.
     */
    public long possiblyOursNanos() {
        return unreadNanos + startedAt - dispatchedAt - stalledNanos;
    }
}
