package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/** Keeps the longest of many spans in preallocated arrays. Not thread-safe. */
public final class LongestSpans {
    private static final int KEPT = 128;

    private final long[] afterAt = new long[KEPT];
    private final long[] fromAt = new long[KEPT];
    private final long[] toAt = new long[KEPT];
    private final long[] caughtUpAt = new long[KEPT];
    private final long[] lengthNanos = new long[KEPT];
    private int count;

    /** Adds a pause. */
    public void add(long from, long to) {
        add(from, from, to, to - from);
    }

    /** Adds a silence. Returns its index, valid until it is replaced; -1 if enough longer ones are stored. */
    public int add(long after, long from, long to, long length) {
        int place = count < KEPT ? count++ : shortest(length);
        if (place >= 0) {
            afterAt[place] = after;
            fromAt[place] = from;
            toAt[place] = to;
            caughtUpAt[place] = to;
            lengthNanos[place] = length;
        }
        return place;
    }

    private int shortest(long length) {
        int shortest = 0;
        for (int i = 1; i < KEPT; i++) {
            if (lengthNanos[i] < lengthNanos[shortest]) {
                shortest = i;
            }
        }
        return lengthNanos[shortest] < length ? shortest : -1;
    }

    public void caughtUp(int place, long at) {
        caughtUpAt[place] = at;
    }

    /** The spans as pauses, relative to the start of a run; earlier ones are omitted. */
    public List<Pause> pauses(long startAt) {
        List<Pause> pauses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (toAt[i] - startAt > 0) {
                pauses.add(new Pause(Math.max(0, fromAt[i] - startAt), toAt[i] - startAt));
            }
        }
        return pauses;
    }

    /** The spans as silences, relative to the start of a run. */
    public List<Silence> silences(long startAt) {
        List<Silence> silences = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            silences.add(
                    new Silence(afterAt[i] - startAt, fromAt[i] - startAt, toAt[i] - startAt, caughtUpAt[i] - startAt));
        }
        return silences;
    }
}
