package dev.downbeat.why;

import java.util.ArrayList;
import java.util.List;

/**
 * Bursts of slow requests. While something blocks them, more and more are in flight; once it is over, fewer. The cause
 * of a burst thus occurred while it grew, and later slow requests only waited. A burst ends when half of its peak is
 * gone. The next one starts at the following minimum, if the number doubles again.
 */
final class Bursts {
    /** The accepted level before a burst, relative to its height; unrelated requests may be in flight. */
    private static final double GROUND = 0.02;

    private final SlowRequests requests;
    private final List<Burst> all = new ArrayList<>();
    private final int[] ofRequest;

    /** The number in flight when each request began. */
    private final int[] outAt;

    /** The first request of the current burst, and the first one after the minimum since its peak. */
    private int first;

    private int next;
    private int base;
    private int peak;
    private int trough;
    private boolean isOver;
    private long peakUntil;

    /**
     * One burst.
     *
     * @param growsFrom when it started to grow
     * @param growsTo when it stopped growing
     * @param slowNanos total slow part of its requests
     */
    record Burst(long growsFrom, long growsTo, double slowNanos) {}

    Bursts(SlowRequests requests) {
        this.requests = requests;
        this.ofRequest = new int[requests.count()];
        this.outAt = new int[requests.count()];
        find();
    }

    List<Burst> all() {
        return List.copyOf(all);
    }

    /** Adds the slow part of each burst, spread evenly over its time of growth. */
    Circle spread(Circle circle) {
        for (Burst burst : all) {
            circle.add(burst.growsFrom, burst.growsTo, burst.slowNanos / Math.max(1, burst.growsTo - burst.growsFrom));
        }
        return circle;
    }

    /** Processes starts and ends in order of time. */
    private void find() {
        long[] ends = requests.ends();
        int ended = 0;
        for (int begun = 0; begun < requests.count(); begun++) {
            for (; ended < ends.length && ends[ended] <= requests.from(begun); ended++) {
                ends(ends[ended], begun - ended, begun);
            }
            begins(begun, begun + 1 - ended);
        }
        for (int out = requests.count() - ended; out > 0; out--) {
            ends(ends[ends.length - out], out, requests.count());
        }
        close(requests.count());
    }

    private void begins(int request, int out) {
        outAt[request] = out;
        if (isOver && out >= 2 * trough) {
            close(next);
            first = next;
            base = trough;
            peak = 0;
            isOver = false;
        }
        peak = Math.max(peak, out);
    }

    private void ends(long at, int out, int begun) {
        if (out == peak && !isOver) {
            peakUntil = at;
        }
        int left = out - 1;
        if (!isOver && 2 * (left - base) <= peak - base) {
            isOver = true;
            trough = left;
            next = begun;
        } else if (isOver && left <= trough) {
            trough = left;
            next = begun;
        }
    }

    private void close(int end) {
        double ground = base + Math.max(1, GROUND * (peak - base));
        double slowNanos = 0;
        long growsFrom = Long.MAX_VALUE;
        for (int i = first; i < end; i++) {
            slowNanos += requests.slowNanos(i);
            ofRequest[i] = all.size();
            boolean isBeforePeak = requests.from(i) < peakUntil;
            if (growsFrom == Long.MAX_VALUE || (isBeforePeak && outAt[i] <= ground)) {
                growsFrom = requests.from(i);
            }
        }
        if (end > first) {
            all.add(new Burst(growsFrom, Math.max(growsFrom, peakUntil), slowNanos));
        }
    }
}
