package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;

/**
 * One intended request, from planning until its fate is known. Instants are readings of {@link System#nanoTime}.
 *
 * <p>Written by the thread of its virtual user and read by the thread that keeps the journal, which sees what was
 * written before an entry was posted. Only what moves without an entry is volatile.
 */
public final class IntendedRequest {
    /** The name of a request that its user has not reached. */
    public static final String NOT_BEGUN = "(not begun)";

    /** The name of an iteration that a pace skipped. */
    public static final String SKIPPED = "(skipped by pace)";

    /** The separator between groups and request names, as shown. */
    static final String BETWEEN = " / ";

    private long index;
    private final int client;
    private volatile long intendedAt;
    private long dispatchedAt;
    private boolean dispatched;
    private long answeredAt;
    private boolean responded;
    private long endedAt;
    private boolean ended;
    private boolean overdue;
    private boolean iteration;
    private boolean early;
    private long startedAt;
    private long firstByteAt;
    private boolean sent;
    private boolean awaitsResponse;
    private BurstBound.@Nullable Burst burst;
    private boolean throttled;
    private long throttledAt;
    private long delayedBeforeNanos;
    private long throttleNanos;

    /** Links to its neighbours among open requests, and whether it is one; maintained by {@link OpenIntents}. */
    @Nullable
    IntendedRequest older;

    @Nullable
    IntendedRequest newer;

    boolean isOpen;
    private @Nullable Exchange transportTiming;
    private String name = NOT_BEGUN;
    private List<String> groups = List$.MODULE$.empty();

    /** A request that no journal knows yet. */
    public IntendedRequest(int client, long intendedAt) {
        this.client = client;
        this.intendedAt = intendedAt;
        answeredAt = intendedAt;
    }

    void number(long place) {
        index = place;
    }

    public long intendedAt() {
        return intendedAt;
    }

    /**
     * Marks the request as part of an iteration that Gatling's own pace would skip: a later one was due when it began.
     */
    public void overdue() {
        overdue = true;
    }

    boolean isOverdue() {
        return overdue;
    }

    /** Marks the request as intended before the start, or not; returns 1 if that is new. */
    int markEarly(boolean isEarly) {
        int changed = early == isEarly ? 0 : 1;
        early = isEarly;
        return changed;
    }

    /** Marks the request as planned by a pace. */
    public void iterate() {
        iteration = true;
    }

    public boolean isIteration() {
        return iteration;
    }

    boolean isSent() {
        return sent;
    }

    void moveTo(long later) {
        intendedAt = later;
    }

    /**
     * The user was waiting for a response when the request was due. Only time after that response is Downbeat's delay.
     *
     * @param answeredAt when the response arrived
     */
    public void heldBackUntil(long answeredAt) {
        this.answeredAt = answeredAt;
    }

    /** From the intended start, which a pause may still have moved later. */
    private long heldBackNanos() {
        return Math.max(0, answeredAt - intendedAt);
    }

    /** The request is ready, but may still wait for a throttle: time from now on is not Downbeat's delay. */
    public void dispatch(long nowAt) {
        if (!dispatched) {
            dispatchedAt = nowAt - heldBackNanos();
            dispatched = true;
        }
    }

    /** The request must wait for a throttle; {@code delayedNanos} is this process's total delay so far. */
    void holdBack(long nowAt, long delayedNanos) {
        dispatch(nowAt);
        throttled = true;
        throttledAt = nowAt;
        delayedBeforeNanos = delayedNanos;
    }

    /**
     * The throttle lets the request go, or the run ends. No response frees a place in it, so only delays of this process
     * while the request waited may have made it wait longer.
     *
     * @param delayedNanos total delay of this process so far
     */
    void letGo(long nowAt, long delayedNanos) {
        if (throttled) {
            throttled = false;
            long delayNanos = Math.max(0, delayedNanos - delayedBeforeNanos);
            throttleNanos += Math.max(0, nowAt - throttledAt - delayNanos);
        }
    }

    void end(long at) {
        endedAt = at;
        ended = true;
    }

    /** When the request ended; {@code otherwise} if that is unknown. */
    public long endedAt(long otherwise) {
        return ended ? endedAt : otherwise;
    }

    public void send(long nowAt) {
        dispatch(nowAt);
        startedAt = nowAt;
        firstByteAt = nowAt;
        sent = true;
    }

    /** A response arrived, whatever a check made of it. */
    public void responded() {
        responded = true;
    }

    boolean hasResponse() {
        return responded;
    }

    /** Sets whether a response is awaited; returns the previous value. */
    boolean awaitResponse(boolean awaits) {
        boolean before = awaitsResponse;
        awaitsResponse = awaits;
        return before;
    }

    /** The request may end later because this process was paused and then sent a bunch at once. */
    void setBurst(BurstBound.Burst others) {
        burst = others;
    }

    void firstByte(long nowAt) {
        firstByteAt = nowAt;
    }

    /**
     * Sets the name.
     *
     * @param enclosing the groups that the request is in, outermost first
     */
    public void name(List<String> enclosing, String request) {
        groups = enclosing;
        name = enclosing.isEmpty() ? request : enclosing.mkString("", BETWEEN, BETWEEN) + request;
    }

    List<String> groups() {
        return groups;
    }

    public String name() {
        return name;
    }

    /** Adds the timing measured by Downbeat's own transport. */
    public void setTransportTiming(Exchange copy) {
        transportTiming = copy;
    }

    /** Whether Downbeat's own transport had nothing to send. */
    boolean isUnbuilt() {
        Exchange timing = transportTiming;
        return timing != null && timing.outcome.isUnbuilt();
    }

    /** The lateness; up to now if the request was not dispatched. */
    long latenessNanos(long nowAt) {
        return (dispatched ? dispatchedAt : nowAt - heldBackNanos()) - intendedAt;
    }

    public long ageNanos(long nowAt) {
        return nowAt - intendedAt;
    }

    void describe(Exchange exchange, long completedAt, Outcome outcome) {
        exchange.begin(intendedAt, dispatched ? dispatchedAt : completedAt, sent ? startedAt : completedAt);
        exchange.stalledNanos = Math.min(throttleNanos, exchange.backlogWaitNanos());
        exchange.index = index;
        exchange.client = client;
        BurstBound.Burst others = burst;
        long aheadNanos = others == null ? 0 : others.atMostNanos();
        exchange.catchUpNanos = aheadNanos == 0 ? 0 : exchange.latenessNanos() + aheadNanos;
        exchange.firstByteAt = sent ? firstByteAt : completedAt;
        Exchange timing = transportTiming;
        if (timing != null) {
            exchange.firstByteAt = timing.firstByteAt;
            exchange.lookupNanos = timing.lookupNanos;
            exchange.connectNanos = timing.connectNanos;
            exchange.handshakeNanos = timing.handshakeNanos;
            exchange.idleNanos = timing.idleNanos;
            exchange.position = timing.position;
        }
        exchange.completedAt = completedAt;
        exchange.outcome = outcome;
    }
}
