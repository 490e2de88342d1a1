package dev.downbeat.load.live;

import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Watches the times of responses reported by many threads, like {@code AnswerWatch} but with a resolution of 1 ms.
 * Thread-safe. A response normally reads one field. One per millisecond is examined, and recording a silence takes a
 * lock.
 */
public final class LiveResponses {
    private static final long CHECK_NANOS = 1_000_000;

    /** For this long after a silence, responses to requests that waited through it may arrive in any order. */
    private static final long ANY_ORDER_NANOS = 50_000_000;

    private static final int MOST = 256;

    private final AtomicLong lastAt;
    private final List<Silence> silences = new ArrayList<>();

    public LiveResponses(long startAt) {
        lastAt = new AtomicLong(startAt);
    }

    /** A request that was due or arrived at {@code dueAt} ended now. */
    public void answered(long dueAt, long at) {
        long last = lastAt.getOpaque();
        if (at - last >= CHECK_NANOS && lastAt.compareAndSet(last, at)) {
            looked(last, dueAt, at);
        }
    }

    private void looked(long last, long dueAt, long at) {
        if (at - last >= Interruptions.LEAST_NANOS) {
            add(new Silence(last, Math.max(last, Math.min(dueAt, at)), at, at));
        } else if (at - dueAt >= Interruptions.LEAST_NANOS) {
            waitedThrough(dueAt, at);
        }
    }

    /** Readings of this process's clock, which has not run for 292 years, so they can be compared directly. */
    private synchronized void add(Silence silence) {
        if (silences.size() < MOST) {
            silences.add(silence);
        }
    }

    private synchronized void waitedThrough(long dueAt, long at) {
        int newest = silences.size() - 1;
        if (newest < 0) {
            return;
        }
        Silence silence = silences.get(newest);
        if (at - silence.toNanos() < ANY_ORDER_NANOS && dueAt < silence.fromNanos()) {
            silences.set(
                    newest,
                    new Silence(
                            silence.afterNanos(),
                            Math.max(silence.afterNanos(), dueAt),
                            silence.toNanos(),
                            silence.caughtUpNanos()));
        }
    }

    /**
     * Returns what was recorded since the last call.
     *
     * @param startAt time of the last call
     * @param oldestAt arrival of the oldest unfinished request; {@code nowAt} if there is none
     * @param answers number of responses
     * @param pauses of this process, if they do not belong to the service
     */
    public synchronized Interruptions take(long startAt, long nowAt, long oldestAt, long answers, List<Pause> pauses) {
        List<Silence> all = new ArrayList<>(silences);
        silences.clear();
        long last = lastAt.get();
        long from = Math.max(last, oldestAt);
        all.add(new Silence(last, from, nowAt, nowAt));
        List<Silence> kept = all.stream()
                .filter(silence -> silence.waitedNanos() >= Interruptions.LEAST_NANOS)
                .map(silence -> new Silence(
                        Math.max(0, silence.afterNanos() - startAt),
                        Math.max(0, silence.fromNanos() - startAt),
                        silence.toNanos() - startAt,
                        silence.caughtUpNanos() - startAt))
                .toList();
        long gapNanos = answers < 2 ? 0 : (nowAt - startAt) / answers;
        return new Interruptions(true, kept, List.of(), pauses, gapNanos, 0);
    }
}
