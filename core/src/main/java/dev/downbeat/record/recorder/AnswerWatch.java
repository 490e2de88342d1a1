package dev.downbeat.record.recorder;

import dev.downbeat.record.GapLengths;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.LongestSpans;
import dev.downbeat.record.Silence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Watches when answers come, request by request, and notes the stretches in which none came, and the pauses of whoever
 * watches. An answer is whatever the service did to end a request; that we gave one up, or could not connect, is none.
 *
 * <p>Single writer; allocates nothing until it is asked at the end.
 */
public final class AnswerWatch {
    /** A stretch without an answer from this length on is not a time in which answers came. */
    private static final long SILENT_NANOS = 100_000_000;

    /** Pauses from this length on are noted, in nanoseconds. */
    public static final long PAUSE_NANOS = 50_000_000;

    /** If all timed out and nothing was asked for so long, it was not the service that was silent. */
    private static final long NOTHING_ASKED_NANOS = 1_000_000_000;

    /** Silences that requests may have waited through which are sent now. */
    private static final int RECENT = 4;

    /** So many prompt answers in a row show that what had piled up is worked off. */
    private static final int PROMPT_IN_A_ROW = 8;

    /** How many answers are needed to know what is prompt. */
    private static final int USUAL = 16;

    /** Of what is usual, as a power of two: so many answers count. */
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
    private long mayIdleNanos;
    private long idledNanos;
    private boolean waiting;
    private boolean gaveUpAll;
    private long gaveUpAt;
    private long answers;
    private long firstAt;
    private long usualNanos;
    private int recovering = -1;
    private int prompt;
    private long promptAt;
    private long promptNanos;
    private long silentNanos;
    private long silentUntil;

    /** The run starts. */
    public void startsAt(long at) {
        startAt = at;
        lastAt = at;
        silentUntil = at;
    }

    /** Until the first answer this client may still load what it needs: what is silent before is not the service's alone. */
    public void startsCold() {
        starting = true;
    }

    /** For so long a request may be out because there is nothing to answer with: only then silence may be the service's. */
    public void mayIdle(long nanos) {
        mayIdleNanos = nanos;
    }

    /** A request that was due at that instant is taken up, whether or not it can be sent. */
    public void due(long intendedAt) {
        if (!waiting || gaveUpAll) {
            asked(intendedAt);
        }
    }

    private void asked(long intendedAt) {
        if (waiting && intendedAt - gaveUpAt > NOTHING_ASKED_NANOS) {
            silence(gaveUpAt);
            waiting = false;
        }
        gaveUpAll = false;
        if (!waiting) {
            waiting = true;
            dueAt = intendedAt - lastAt > 0 ? intendedAt : lastAt;
        }
    }

    /**
     * The service answered, or ended a request otherwise.
     *
     * @param stillWaiting whether other requests are out or wait to be sent
     */
    public void answered(long at, long responseNanos, boolean stillWaiting) {
        long gapNanos = at - lastAt;
        if (gapNanos >= SILENT_NANOS) {
            gap(at);
        }
        lastAt = later(at, lastAt); // stamps of several threads may come in another order
        if (answers++ > 0) {
            lengths.add(Math.max(0, gapNanos));
        } else {
            firstAt = at - idledNanos;
        }
        idledNanos = 0;
        dueAt = lastAt;
        waiting = stillWaiting;
        gaveUpAll = false;
        if (recovering >= 0) {
            recovering(at, responseNanos);
        } else {
            int weight = Math.min(MOST_WEIGHT, 63 - Long.numberOfLeadingZeros(answers));
            usualNanos += (responseNanos - usualNanos) >> weight;
        }
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
            promptNanos = answers < USUAL ? -1 : 2 * usualNanos;
        }
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private void recovering(long at, long responseNanos) {
        boolean isPrompt = promptNanos < 0 ? responseNanos < at - recentTo() : responseNanos <= promptNanos;
        if (!isPrompt) {
            prompt = 0;
            return;
        }
        if (prompt++ == 0) {
            promptAt = at;
        }
        if (prompt == PROMPT_IN_A_ROW) {
            silences.caughtUp(recovering, promptAt);
            recovering = -1;
        }
    }

    private long recentTo() {
        return recentTo[(recent + RECENT - 1) % RECENT];
    }

    /**
     * For so long, until then, the service had nothing to answer with, as in a poll that waits for a message: that is no silence.
     * Told before {@link #answered}.
     */
    public void nothingToAnswer(long nanos, long at) {
        hasIdled = true;
        idledNanos = nanos;
        if (waiting && at - dueAt > 0) {
            dueAt = at;
        }
    }

    /**
     * A request timed out, or never found a connection.
     *
     * @param stillWaiting whether other requests are out or wait to be sent
     */
    public void gaveUp(long at, boolean stillWaiting) {
        gaveUpAll = !stillWaiting;
        gaveUpAt = at;
    }

    /** Whoever watches should have gone on at {@code from} and did so at {@code to}. */
    public void paused(long from, long to) {
        if (to - from >= PAUSE_NANOS) {
            pauses.add(from, to);
        }
    }

    /** For how long nobody has been answered though something waits; -1 if nothing does. */
    public long silentNanos(long now) {
        return waiting && !gaveUpAll ? Math.max(0, now - silentFrom()) : -1;
    }

    /** What a response usually takes, in nanoseconds; 0 before the first. */
    public long usualNanos() {
        return usualNanos;
    }

    /** How much of a stretch that has just ended was without an answer, so that no place could become free. */
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

    /** While something is out nobody knows whether there is something to answer with. */
    private long silentFrom() {
        return dueAt + mayIdleNanos;
    }

    /** How long, since the last call, answers were waited for and none came for a while. */
    public long takeSilentNanos(long now) {
        if (waiting && now - silentFrom() >= SILENT_NANOS) {
            silentNanos += now - later(silentFrom(), silentUntil);
            silentUntil = now;
        }
        long taken = silentNanos;
        silentNanos = 0;
        return taken;
    }

    /** How many answers have come. */
    public long answers() {
        return answers;
    }

    /** All that was noted; the end of the watch. */
    public Interruptions end(long endAt) {
        if (waiting
                && !hasIdled
                && endAt - dueAt > mayIdleNanos) { // else what is still out may have nothing to answer with
            silence(gaveUpAll ? gaveUpAt : endAt);
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
        return starting ? Math.max(0, (answers == 0 ? endAt - mayIdleNanos : firstAt) - startAt) : 0;
    }

    private static List<Silence> inOrder(List<Silence> silences) {
        return silences.stream()
                .sorted(Comparator.comparingLong(Silence::afterNanos))
                .toList();
    }
}
