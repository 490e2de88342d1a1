package dev.downbeat.load.live;

import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Watches the times of responses reported by many threads, like {@code ResponseGapDetector} but with a resolution of 1 ms.
 * Thread-safe. A response normally reads one field. One per millisecond is examined, and recording a silence takes a
 * lock.
 */
public final class LiveResponses {
    private static final long CHECK_NANOS = 1_000_000;

    /** For this long after a silence, responses to requests that waited through it may arrive in any order. */
    private static final long ANY_ORDER_NANOS = 50_000_000;

    private static final int MOST = 256;

    /** Where times in nanoseconds count from; instants cannot be compared by value. */
    private final long originAt;

    private final AtomicLong lastNanos = new AtomicLong();
    private final List<Silence> silences = new ArrayList<>();

    public LiveResponses(long startAt) {
        originAt = startAt;
    }

    /** A request that was due or arrived at {@code dueAt} ended now. */
    public void answered(long dueAt, long at) {
        long nanos = at - originAt;
        long last = lastNanos.getOpaque();
        if (nanos - last >= CHECK_NANOS && lastNanos.compareAndSet(last, nanos)) {
            examine(last, dueAt - originAt, nanos);
        }
    }

    private void examine(long last, long due, long nanos) {
        if (nanos - last >= Interruptions.LEAST_NANOS) {
            add(new Silence(last, Math.max(last, Math.min(due, nanos)), nanos, nanos));
        } else if (nanos - due >= Interruptions.LEAST_NANOS) {
            waitedThrough(due, nanos);
        }
    }

    /** The previous silence can no longer gain an earlier wait: it is kept only if a request waited through it. */
    private synchronized void add(Silence silence) {
        int newest = silences.size() - 1;
        if (newest >= 0 && silences.get(newest).waitedNanos() < Interruptions.LEAST_NANOS) {
            silences.remove(newest);
        } else if (silences.size() == MOST) {
            silences.remove(Collections.min(silences, Comparator.comparingLong(Silence::waitedNanos)));
        }
        silences.add(silence);
    }

    private synchronized void waitedThrough(long due, long nanos) {
        int newest = silences.size() - 1;
        if (newest < 0) {
            return;
        }
        Silence silence = silences.get(newest);
        if (nanos - silence.toNanos() < ANY_ORDER_NANOS && due < silence.fromNanos()) {
            silences.set(
                    newest,
                    new Silence(
                            silence.afterNanos(),
                            Math.max(silence.afterNanos(), due),
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
        long start = startAt - originAt;
        long now = nowAt - originAt;
        long last = lastNanos.get();
        all.add(new Silence(last, Math.max(last, oldestAt - originAt), now, now));
        List<Silence> kept = all.stream()
                .filter(silence -> silence.waitedNanos() >= Interruptions.LEAST_NANOS)
                .map(silence -> new Silence(
                        Math.max(0, silence.afterNanos() - start),
                        Math.max(0, silence.fromNanos() - start),
                        silence.toNanos() - start,
                        silence.caughtUpNanos() - start))
                .toList();
        long gapNanos = answers < 2 ? 0 : (nowAt - startAt) / answers;
        return new Interruptions(true, kept, List.of(), pauses, gapNanos, 0);
    }
}
