package dev.downbeat.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of a response time a generator may have made itself by standing still. It sends late what was due meanwhile, reads late
 * what was answered meanwhile, and then sends all at once: the service has a queue that it would not have had. What was due within
 * a standstill takes the service no longer than that, or it would be overloaded; so its length bounds the wait behind the others,
 * until what is sent is answered as promptly as before.
 *
 * <p>One thread tells that the process runs; any thread asks, and reads one field where there was no standstill.
 */
final class GeneratorStops {
    /** Without a sign of life for this long the process counts as paused. */
    static final long LEAST_NANOS = 10_000_000;

    /** A queue used to 95 % has worked off what a stop piled up in twenty times its length. */
    private static final int LONGEST_WAKE = 20;

    /** So many more prompt than slow answers show that nothing is piled up. */
    private static final int PROMPT = 8;

    /** A service is prompt if it takes as long as usual, and this share more, as a power of two. */
    private static final int SLACK_BITS = 3;

    /** Of what is usual, as a power of two: so many answers count. */
    private static final int WEIGHT_BITS = 6;

    /** So many standstills are remembered: a request that lasts longer than all of them is not ours to that extent. */
    private static final int MOST = 32;

    private final AtomicLong aliveAt;
    private volatile Stop[] stops = {};
    private volatile long usualNanos = -1;
    private int prompt;

    /**
     * A standstill.
     *
     * @param longestNanos of those whose requests may still be piled up, with this
     * @param overAt who is sent later finds nothing piled up any more; set once
     */
    private record Stop(long fromAt, long toAt, long longestNanos, AtomicLong overAt) {
        long within(long from, long to) {
            return Math.max(0, Math.min(to, toAt) - Math.max(from, fromAt));
        }

        boolean pilesUp(long sentAt) {
            return sentAt - fromAt >= 0 && sentAt - overAt.get() < 0;
        }
    }

    GeneratorStops(long startAt) {
        aliveAt = new AtomicLong(startAt);
    }

    /** The process runs. */
    void alive(long nowAt) {
        long last = aliveAt.get();
        if (nowAt - last <= 0 || !aliveAt.compareAndSet(last, nowAt)) {
            return; // whoever was faster has told it
        }
        if (nowAt - last >= LEAST_NANOS) {
            stopped(last, nowAt);
        }
    }

    /** Whether nobody has told of a sign of life for so long before this instant that it is to be told now. */
    boolean mayHaveStopped(long at) {
        return at - aliveAt.getOpaque() >= LEAST_NANOS;
    }

    private synchronized void stopped(long fromAt, long toAt) {
        Stop[] before = stops;
        int kept = Math.min(before.length, MOST - 1);
        Stop[] all = new Stop[kept + 1];
        System.arraycopy(before, before.length - kept, all, 0, kept);
        boolean goesOn = kept > 0 && all[kept - 1].pilesUp(fromAt);
        long longestNanos = Math.max(toAt - fromAt, goesOn ? all[kept - 1].longestNanos : 0);
        all[kept] = new Stop(fromAt, toAt, longestNanos, new AtomicLong(toAt + LONGEST_WAKE * longestNanos));
        prompt = 0;
        stops = all;
    }

    /**
     * What of an answer's response time may be for our standstills: at least 0, and possibly more than all of it.
     *
     * @param intendedAt when its request was meant to be sent
     * @param sentAt when it was
     */
    long oursNanos(long intendedAt, long sentAt, long completedAt) {
        Stop[] known = stops;
        int newest = known.length - 1;
        if (newest < 0 || intendedAt - known[newest].overAt.get() > 0) {
            usual(completedAt - sentAt);
            return 0;
        }
        long lateNanos = 0;
        long unreadNanos = 0;
        long aheadNanos = 0;
        for (Stop stop : known) {
            lateNanos += stop.within(intendedAt, sentAt);
            boolean isReadInBunch = completedAt - stop.toAt >= 0 && completedAt - stop.toAt < LEAST_NANOS;
            unreadNanos = Math.max(unreadNanos, isReadInBunch ? stop.within(sentAt, completedAt) : 0);
            aheadNanos = stop.pilesUp(sentAt) ? Math.max(aheadNanos, stop.longestNanos) : aheadNanos;
        }
        answeredAfter(known[newest], intendedAt, sentAt, completedAt - sentAt);
        return lateNanos + aheadNanos + unreadNanos;
    }

    /** Threads may lose each other's answers here: what is usual stays what it is. */
    private void usual(long nanos) {
        long before = usualNanos;
        usualNanos = before < 0 ? nanos : before + ((nanos - before) >> WEIGHT_BITS);
    }

    /** One that was due after the standstill queued behind all that it held up: prompt again, nothing is left of it. */
    private void answeredAfter(Stop stop, long intendedAt, long sentAt, long serviceNanos) {
        if (intendedAt - stop.toAt <= 0 || !stop.pilesUp(sentAt)) {
            return;
        }
        boolean isPrompt = serviceNanos <= usualNanos + (usualNanos >> SLACK_BITS);
        synchronized (this) {
            prompt += isPrompt ? 1 : prompt > 0 ? -1 : 0;
            if (prompt >= PROMPT && stops[stops.length - 1] == stop) {
                stop.overAt.set(sentAt);
            }
        }
    }
}
