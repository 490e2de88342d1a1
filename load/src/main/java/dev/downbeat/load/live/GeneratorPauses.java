package dev.downbeat.load.live;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Estimates how much of a response time is due to pauses of the generator. After a pause, requests that became due are
 * sent late, responses are read late, and everything is sent at once, which creates a queue in the service. Requests
 * due within a pause take the service no longer than the pause, or it would be overloaded. The length of the pause
 * therefore bounds the wait behind the others, until responses are as prompt as before.
 *
 * <p>One thread reports that the process is running. Any thread may query; without a pause, a query reads one field.
 */
public final class GeneratorPauses {
    /** Without a sign of life for this long, the process counts as paused. */
    static final long LEAST_NANOS = 10_000_000;

    /** A queue at 95 % utilisation clears the effect of a pause within twenty times its length. */
    private static final int LONGEST_EFFECT = 20;

    /** An excess of this many prompt over slow responses shows that the bunch has cleared. */
    private static final int PROMPT = 8;

    /** A service is prompt if it takes at most the usual time plus this fraction, as a power of two. */
    private static final int SLACK_BITS = 3;

    /** The weight of history in the usual time, as a power of two. */
    private static final int WEIGHT_BITS = 6;

    /** The number of pauses remembered; older ones are not attributed to Downbeat. */
    private static final int MOST = 32;

    private final AtomicLong aliveAt;
    private volatile Stop[] stops = {};
    private volatile long typicalNanos = -1;
    private int prompt;

    /**
     * A pause.
     *
     * @param longestNanos the longest pause whose requests may still be queued, including this one
     * @param overAt requests sent after this find no queue from the pause; set once
     */
    private record Stop(long fromAt, long toAt, long longestNanos, AtomicLong overAt) {
        long within(long from, long to) {
            return Math.max(0, Math.min(to - fromAt, toAt - fromAt) - Math.max(from - fromAt, 0));
        }

        boolean delays(long sentAt) {
            return mayDelay(sentAt, sentAt);
        }

        /** The same for a request sent at an unknown time between these. */
        boolean mayDelay(long earliestAt, long latestAt) {
            return latestAt - fromAt >= 0 && earliestAt - overAt.get() < 0;
        }
    }

    public GeneratorPauses(long startAt) {
        aliveAt = new AtomicLong(startAt);
    }

    public void alive(long nowAt) {
        long last = aliveAt.get();
        if (nowAt - last <= 0 || !aliveAt.compareAndSet(last, nowAt)) {
            return; // another thread was faster
        }
        if (nowAt - last >= LEAST_NANOS) {
            paused(last, nowAt);
        }
    }

    /** Whether the last sign of life before this instant is so old that a new one should be reported now. */
    public boolean mayHaveStopped(long at) {
        return at - aliveAt.getOpaque() >= LEAST_NANOS;
    }

    private synchronized void paused(long fromAt, long toAt) {
        Stop[] before = stops;
        int kept = Math.min(before.length, MOST - 1);
        Stop[] all = new Stop[kept + 1];
        System.arraycopy(before, before.length - kept, all, 0, kept);
        boolean continuesEarlier = kept > 0 && all[kept - 1].delays(fromAt);
        long longestNanos = Math.max(toAt - fromAt, continuesEarlier ? all[kept - 1].longestNanos : 0);
        all[kept] = new Stop(fromAt, toAt, longestNanos, new AtomicLong(toAt + LONGEST_EFFECT * longestNanos));
        prompt = 0;
        stops = all;
    }

    /**
     * The part of a response time that may be due to pauses: at least 0, possibly more than all of it.
     *
     * @param intendedAt intended start
     * @param sentAt actual start
     */
    public long ownDelayNanos(long intendedAt, long sentAt, long completedAt) {
        Stop[] known = stops;
        int newest = known.length - 1;
        if (newest < 0 || intendedAt - known[newest].overAt.get() > 0) {
            updateTypical(completedAt - sentAt);
            return 0;
        }
        long lateNanos = 0;
        long unreadNanos = 0;
        long queuedNanos = 0;
        for (Stop stop : known) {
            lateNanos += stop.within(intendedAt, sentAt);
            boolean isReadInBunch = completedAt - stop.toAt >= 0 && completedAt - stop.toAt < LEAST_NANOS;
            unreadNanos = Math.max(unreadNanos, isReadInBunch ? stop.within(sentAt, completedAt) : 0);
            queuedNanos = stop.delays(sentAt) ? Math.max(queuedNanos, stop.longestNanos) : queuedNanos;
        }
        answeredAfter(known[newest], intendedAt, sentAt, completedAt - sentAt);
        return lateNanos + queuedNanos + unreadNanos;
    }

    /**
     * The same for a request that has not ended, which shows nothing about how prompt the service is. It may have been
     * sent at any time since, so every pause since then may have delayed it, and so may the queue behind one.
     */
    public long ownDelayNanosSoFar(long intendedAt, long seenAt) {
        long pausedNanos = 0;
        long queuedNanos = 0;
        for (Stop stop : stops) {
            pausedNanos += stop.within(intendedAt, seenAt);
            queuedNanos = stop.mayDelay(intendedAt, seenAt) ? Math.max(queuedNanos, stop.longestNanos) : queuedNanos;
        }
        return pausedNanos + queuedNanos;
    }

    /** Concurrent updates may be lost, which does not bias the usual time. */
    private void updateTypical(long nanos) {
        long before = typicalNanos;
        typicalNanos = before < 0 ? nanos : before + ((nanos - before) >> WEIGHT_BITS);
    }

    /**
     * A request due after the pause queued behind everything that the pause delayed. If it is prompt again, the queue
     * is gone.
     */
    private void answeredAfter(Stop stop, long intendedAt, long sentAt, long serviceNanos) {
        if (intendedAt - stop.toAt <= 0 || !stop.delays(sentAt)) {
            return;
        }
        boolean isPrompt = serviceNanos <= typicalNanos + (typicalNanos >> SLACK_BITS);
        synchronized (this) {
            prompt += isPrompt ? 1 : prompt > 0 ? -1 : 0;
            if (prompt >= PROMPT && stops[stops.length - 1] == stop) {
                stop.overAt.set(sentAt);
            }
        }
    }
}
