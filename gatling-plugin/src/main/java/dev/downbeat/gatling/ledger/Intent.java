package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * One request that is meant to be sent, from the moment it is planned until its fate is known. Instants are readings of
 * {@link System#nanoTime}.
 *
 * <p>Written by the thread of its virtual user, and read by whoever ends the run: hence the volatile fields.
 */
public final class Intent {
    /** What a request is called whose user has not come to it. */
    public static final String NOT_BEGUN = "(not begun)";

    /** What an iteration is called that a pace has left out. */
    public static final String SKIPPED = "(skipped by pace)";

    private final long index;
    private final int client;
    private volatile long intendedAt;
    private volatile long noticedAt;
    private volatile boolean noticed;
    private volatile long heldBackNanos;
    private volatile long endedAt;
    private volatile boolean ended;
    private volatile boolean throttled;
    private volatile boolean overdue;
    private volatile long startedAt;
    private volatile long firstByteAt;
    private volatile boolean sent;
    private boolean out;
    private volatile LateBunch.@Nullable Bunch bunch;

    /** Its neighbours among those without an end, and whether it is among them: kept by {@link OpenIntents}. */
    @Nullable
    Intent older;

    @Nullable
    Intent newer;

    boolean isOpen;
    private volatile @Nullable Exchange transported;
    private volatile String name = NOT_BEGUN;

    Intent(long index, int client, long intendedAt) {
        this.index = index;
        this.client = client;
        this.intendedAt = intendedAt;
    }

    public long intendedAt() {
        return intendedAt;
    }

    /** Marks it as one of an iteration that Gatling's own pace leaves out: a later one was due when that began. */
    public void overdue() {
        overdue = true;
    }

    boolean isOverdue() {
        return overdue;
    }

    public boolean isThrottled() {
        return throttled;
    }

    boolean isSent() {
        return sent;
    }

    /** A pause before the first request: the request is meant to start so much later. */
    public void moveTo(long later) {
        intendedAt = later;
    }

    /** It could go now, but for a throttle: what it waits for from here on is no fault of ours. */
    public void throttle(long nowAt) {
        throttled = true;
        notice(nowAt);
    }

    /**
     * Its user was still waiting for an answer when it was due: no fault of ours, but from when that answer was there.
     *
     * @param answeredAt when it was
     */
    public void heldBackUntil(long answeredAt) {
        heldBackNanos = Math.max(0, answeredAt - intendedAt);
    }

    private void notice(long nowAt) {
        if (!noticed) {
            noticedAt = nowAt - heldBackNanos;
            noticed = true;
        }
    }

    /** Its end is known. */
    void end(long at) {
        endedAt = at;
        ended = true;
    }

    /** When its end was seen; {@code otherwise} if it was not. */
    public long endedAt(long otherwise) {
        return ended ? endedAt : otherwise;
    }

    public void send(long nowAt) {
        notice(nowAt);
        startedAt = nowAt;
        firstByteAt = nowAt;
        sent = true;
    }

    /** Notes, under the journal's lock, whether an answer is waited for; returns what was before. */
    boolean out(boolean waits) {
        boolean before = out;
        out = waits;
        return before;
    }

    /** It may end later, since this process was paused and then sent all at once. */
    void leavesIn(LateBunch.Bunch others) {
        bunch = others;
    }

    void firstByte(long nowAt) {
        firstByteAt = nowAt;
    }

    /** What it is called. */
    public void name(scala.collection.immutable.List<String> groups, String request) {
        name = groups.isEmpty() ? request : groups.mkString("", " / ", " / ") + request;
    }

    public String name() {
        return name;
    }

    /** What our own transport has seen of it. */
    public void transported(Exchange copy) {
        transported = copy;
    }

    /** How late it was noticed; if it was not, up to now. */
    long latenessNanos(long nowAt) {
        return (noticed ? noticedAt : nowAt - heldBackNanos) - intendedAt;
    }

    public long ageNanos(long nowAt) {
        return nowAt - intendedAt;
    }

    /** What the recorder counts. */
    Exchange exchange(long completedAt, Outcome outcome) {
        Exchange exchange = new Exchange(0);
        exchange.begin(intendedAt, noticed ? noticedAt : completedAt, sent ? startedAt : completedAt);
        exchange.index = index;
        exchange.client = client;
        LateBunch.Bunch others = bunch;
        long aheadNanos = others == null ? 0 : others.atMostNanos();
        exchange.piledUpNanos = aheadNanos == 0 ? 0 : exchange.latenessNanos() + aheadNanos;
        exchange.firstByteAt = sent ? firstByteAt : completedAt;
        Exchange seen = transported;
        if (seen != null) {
            exchange.firstByteAt = seen.firstByteAt;
            exchange.lookupNanos = seen.lookupNanos;
            exchange.connectNanos = seen.connectNanos;
            exchange.handshakeNanos = seen.handshakeNanos;
            exchange.idleNanos = seen.idleNanos;
            exchange.position = seen.position;
        }
        exchange.completedAt = completedAt;
        exchange.outcome = outcome;
        return exchange;
    }
}
