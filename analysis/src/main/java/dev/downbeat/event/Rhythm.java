package dev.downbeat.event;

import dev.downbeat.record.Silence;
import java.util.Arrays;
import java.util.List;

/**
 * Answers that come at equal steps, as from a service that works in batches or by a timer: most of the time no answer comes, and
 * nobody stalls.
 */
final class Rhythm {
    /** Fewer equal silences may be chance. */
    private static final int LEAST = 5;

    /** So many of the silences begin at a multiple of the step after the one before. */
    private static final double MOST = 0.8;

    /** How far from it, in steps. */
    private static final double OFF = 0.1;

    /** A silence fills so much of the step: what comes now and then is a stall, however regular. */
    private static final double LEAST_FILLED = 0.5;

    private Rhythm() {}

    /** The step; 0 if there is no rhythm. */
    static long stepNanos(List<Silence> silences) {
        if (silences.size() < LEAST) {
            return 0;
        }
        long[] steps = new long[silences.size() - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = silences.get(i + 1).toNanos() - silences.get(i).toNanos();
        }
        long[] lengths = silences.stream()
                .mapToLong(silence -> silence.toNanos() - silence.afterNanos())
                .sorted()
                .toArray();
        long[] sorted = steps.clone();
        Arrays.sort(sorted);
        // the longest silences are kept, not each: the shortest steps are one step long
        double step = sorted[sorted.length / 10];
        long regular = Arrays.stream(steps)
                .filter(nanos ->
                        Math.round(nanos / step) > 0 && Math.abs(nanos / step - Math.round(nanos / step)) < OFF)
                .count();
        return regular >= MOST * steps.length && lengths[lengths.length / 2] >= LEAST_FILLED * step ? (long) step : 0;
    }
}
