package dev.downbeat.load.live;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/**
 * Ages of unfinished requests, to a tenth of a second. Requests are counted per tenth of a second of arrival; those
 * older than {@link #REACH_NANOS} count as younger. Each age is therefore a lower bound.
 *
 * <p>Thread-safe and lock-free; a request costs two atomic additions.
 */
public final class OpenRequests {
    private static final long TENTH_NANOS = 100_000_000;
    private static final int TENTHS = 1 << 10;
    private static final int COPIES = 4;

    /** The maximum age that is distinguished. */
    static final long REACH_NANOS = TENTHS * TENTH_NANOS;

    private final long startAt;
    private final AtomicLongArray counts = new AtomicLongArray(COPIES * TENTHS);

    public OpenRequests(long startAt) {
        this.startAt = startAt;
    }

    private long tenth(long at) {
        return Math.floorDiv(at - startAt, TENTH_NANOS);
    }

    private int place(long at) {
        int copy = (int) Thread.currentThread().getId() & (COPIES - 1);
        return copy * TENTHS + (int) (tenth(at) & (TENTHS - 1));
    }

    public void arrived(long at) {
        counts.getAndIncrement(place(at));
    }

    /** A request that arrived then has ended. */
    public void ended(long arrivedAt) {
        counts.getAndDecrement(place(arrivedAt));
    }

    /**
     * Reports a lower bound on each request's age, the youngest first.
     *
     * @param most the actual number of unfinished requests, in case requests are ended with a time other than their
     *     arrival
     */
    void ages(long nowAt, long most, LongConsumer ageNanos) {
        long left = most;
        long now = tenth(nowAt);
        for (int ago = 0; ago < TENTHS; ago++) {
            int slot = (int) ((now - ago) & (TENTHS - 1));
            long open = 0;
            for (int copy = 0; copy < COPIES; copy++) {
                open += counts.get(copy * TENTHS + slot);
            }
            long youngestNanos = Math.max(0, nowAt - startAt - (now - ago + 1) * TENTH_NANOS);
            for (; open > 0 && left > 0; open--, left--) {
                ageNanos.accept(youngestNanos);
            }
        }
        for (; left > 0; left--) {
            ageNanos.accept(0);
        }
    }
}
