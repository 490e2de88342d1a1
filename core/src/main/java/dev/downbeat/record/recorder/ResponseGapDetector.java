package dev.downbeat.record.recorder;

import dev.downbeat.record.Attribution.GapLengths;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.LongestSpans;
import dev.downbeat.record.Interruptions.Silence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Watches the times of responses. Records periods without one, and pauses of the watching process. A response is any
 * end of a request caused by the service. Timeouts and failed connects are not.
 *
 * <p>Single writer; allocates nothing until the end.
 */
public final class ResponseGapDetector {
    /** Periods without a response of at least this length do not count as answering time. */
    private static final long SILENT_NANOS = 100_000_000;

    /** Minimum length of a recorded pause, in nanoseconds. */
    public static final long PAUSE_NANOS = 50_000_000;

    /** If every request timed out and none was sent for this long, the silence is not the service's. */
    private static final long NO_REQUESTS_NANOS = 1_000_000_000;

    /** The number of recent silences that requests sent now may have waited through. */
    private static final int RECENT = 4;

    /** This many prompt responses in a row show that the backlog is cleared; one does if no other request waits. */
    private static final int PROMPT_IN_A_ROW = 8;

    /** Minimum number of responses to establish what is prompt. */
    private static final int LEAST_ANSWERS = 16;

    /** The weight of history in the typical response time, as a power of two. */
    private static final int MOST_WEIGHT = 6;

    private final LongestSpans silences = new LongestSpans();
    private final LongestSpans gaps = new LongestSpans();
    private final LongestSpans pauses = new LongestSpans();
    private final GapLengths lengths = new GapLengths();
    private final long[] recentFrom = new long[RECENT];
    private final long[] recentTo = new long[RECENT];
    private int recent;
    private long startAt;
    private long lastAt;
    private long dueAt;
    private boolean starting;
    private boolean hasIdled;
    private long longestIdleNanos;
    private long idledNanos;
    private boolean waiting;
    private boolean allGaveUp;
    private long gaveUpAt;
    private long answers;
    private long firstAt;
    private long typicalNanos;
    private int recovering = -1;
    private int prompt;
    private long promptAt;
    private long promptNanos;
    private long silentNanos;
    private long silentUntil;

    public void startsAt(long at) {
        startAt = at;
        lastAt = at;
        silentUntil = at;
    }

    /**
     * Marks a cold start: until the first response the client may still load classes, so a silence is not the service's
     * alone.
     */
    public void startsCold() {
        starting = true;
    }

    /**
     * Sets how long a request may be in flight because there is nothing to answer. Only a longer silence may be the
     * service's.
     */
    public void setLongestIdle(long nanos) {
        longestIdleNanos = nanos;
    }

    /** A request due at that instant was dispatched, whether or not it could be sent. */
    public void due(long intendedAt) {
        if (!waiting || allGaveUp) {
            waitBegins(intendedAt);
        }
    }

    private void waitBegins(long intendedAt) {
        if (waiting && intendedAt - gaveUpAt > NO_REQUESTS_NANOS) {
            silence(gaveUpAt);
            waiting = false;
        }
        allGaveUp = false;
        if (!waiting) {
            waiting = true;
            dueAt = intendedAt - lastAt > 0 ? intendedAt : lastAt;
        }
    }

    /**
     * The service answered or otherwise ended a request.
     *
     * @param stillWaiting whether other requests are in flight or waiting to be sent
     */
    public void answered(long at, long responseNanos, boolean stillWaiting) {
        long gapNanos = at - lastAt;
        if (gapNanos >= SILENT_NANOS) {
            gap(at);
        }
        lastAt = later(at, lastAt); // time stamps of several threads may be out of order
        if (answers++ > 0) {
            lengths.add(Math.max(0, gapNanos));
        } else {
            firstAt = at - idledNanos;
        }
        idledNanos = 0;
        dueAt = lastAt;
        waiting = stillWaiting;
        allGaveUp = false;
        if (recovering >= 0) {
            recovering(at, responseNanos, stillWaiting);
        } else {
            int weight = Math.min(MOST_WEIGHT, 63 - Long.numberOfLeadingZeros(answers));
            typicalNanos += (responseNanos - typicalNanos) >> weight;
        }
    }

    /** The service answered an attempt that its caller no longer waited for. The request may still be waiting. */
    public void answeredLate(long at) {
        if (at - lastAt >= SILENT_NANOS) {
            gap(at);
        }
        lastAt = later(at, lastAt);
        dueAt = lastAt;
    }

    private void gap(long at) {
        if (at - lastAt >= Interruptions.LEAST_NANOS) {
            gaps.add(lastAt, waiting ? dueAt : at, at, at - lastAt);
        }
        if (waiting) {
            silence(at);
        }
    }

    private void silence(long at) {
        if (at - dueAt < SILENT_NANOS) {
            return;
        }
        silentNanos += at - later(dueAt, silentUntil);
        silentUntil = at;
        recentFrom[recent] = dueAt;
        recentTo[recent] = at;
        recent = (recent + 1) % RECENT;
        if (at - dueAt >= Interruptions.LEAST_NANOS) {
            if (recovering >= 0) {
                silences.caughtUp(recovering, dueAt);
            }
            recovering = silences.add(lastAt, dueAt, at, at - dueAt);
            prompt = 0;
            promptNanos = answers < LEAST_ANSWERS ? -1 : 2 * typicalNanos;
        }
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private void recovering(long at, long responseNanos, boolean stillWaiting) {
        boolean isPrompt = promptNanos < 0 ? responseNanos < at - recentTo() : responseNanos <= promptNanos;
        if (!isPrompt) {
            prompt = 0;
            return;
        }
        if (prompt++ == 0) {
            promptAt = at;
        }
        if (prompt == PROMPT_IN_A_ROW || !stillWaiting) {
            silences.caughtUp(recovering, promptAt);
            recovering = -1;
        }
    }

    private long recentTo() {
        return recentTo[(recent + RECENT - 1) % RECENT];
    }

    /**
     * Until that instant, the service had nothing to answer for this long, such as a poll that waits for a message.
     * This is not a silence. Call before {@link #answered}.
     */
    public void nothingToAnswer(long nanos, long at) {
        hasIdled = true;
        idledNanos = nanos;
        if (waiting && at - dueAt > 0) {
            dueAt = at;
        }
    }

    /**
     * A request timed out or never got a connection.
     *
     * @param stillWaiting whether other requests are in flight or waiting to be sent
     */
    public void gaveUp(long at, boolean stillWaiting) {
        allGaveUp = !stillWaiting;
        gaveUpAt = at;
    }

    /**
     * A request was not sent after all, so nobody waits for its response.
     *
     * @param stillWaiting whether other requests are in flight or waiting to be sent
     */
    public void withdrawn(boolean stillWaiting) {
        waiting &= stillWaiting;
    }

    /** The watching process should have continued at {@code from} and did so at {@code to}. */
    public void paused(long from, long to) {
        if (to - from >= PAUSE_NANOS) {
            pauses.add(from, to);
        }
    }

    /** Time since the last response while requests are waiting; -1 if none are. */
    public long silentNanos(long now) {
        return waiting && !allGaveUp ? Math.max(0, now - silentFrom()) : -1;
    }

    /** The typical response time in nanoseconds; 0 before the first response. */
    public long typicalNanos() {
        return typicalNanos;
    }

    /** The part of a period, just ended, that had no response, so no slot could become free. */
    public long silentNanos(long from, long to) {
        long nanos = waiting && to - silentFrom() >= SILENT_NANOS ? overlap(from, to, silentFrom(), to) : 0;
        for (int i = 0; i < RECENT; i++) {
            nanos += overlap(from, to, recentFrom[i], recentTo[i]);
        }
        return nanos;
    }

    private static long overlap(long from, long to, long otherFrom, long otherTo) {
        long begin = later(from, otherFrom);
        long end = to - otherTo > 0 ? otherTo : to;
        return end - begin > 0 ? end - begin : 0;
    }

    /** While a request is in flight it is unknown whether there is anything to answer. */
    private long silentFrom() {
        return dueAt + longestIdleNanos;
    }

    /** Time, since the last call, that requests waited in a long gap without a response. */
    public long takeSilentNanos(long now) {
        if (waiting && now - silentFrom() >= SILENT_NANOS) {
            silentNanos += now - later(silentFrom(), silentUntil);
            silentUntil = now;
        }
        long taken = silentNanos;
        silentNanos = 0;
        return taken;
    }

    public long answers() {
        return answers;
    }

    public Interruptions end(long endAt) {
        if (waiting
                && !hasIdled
                && endAt - dueAt > longestIdleNanos) { // otherwise the requests in flight may have nothing to answer
            silence(allGaveUp ? gaveUpAt : endAt);
        }
        if (recovering >= 0) {
            silences.caughtUp(recovering, later(endAt, recentTo()));
        }
        List<Silence> allGaps = new ArrayList<>(gaps.silences(startAt));
        long fromNanos = waiting ? dueAt - startAt : Long.MAX_VALUE;
        allGaps.add(new Silence(lastAt - startAt, fromNanos, Long.MAX_VALUE, Long.MAX_VALUE));
        return new Interruptions(
                        true,
                        inOrder(silences.silences(startAt)),
                        inOrder(allGaps),
                        List.of(),
                        lengths.medianNanos(),
                        startingNanos(endAt))
                .withPauses(pauses.pauses(startAt));
    }

    private long startingNanos(long endAt) {
        return starting ? Math.max(0, (answers == 0 ? endAt - longestIdleNanos : firstAt) - startAt) : 0;
    }

    private static List<Silence> inOrder(List<Silence> silences) {
        return silences.stream()
                .sorted(Comparator.comparingLong(Silence::afterNanos))
                .toList();
    }
}
