package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A few complete requests for each doubling of the response time, so that values in the tail can be inspected. The
 * slowest are kept.
 */
public final class Exemplars {
    /** Per doubling, within one interval. */
    private static final int KEPT_PER_INTERVAL = 2;

    /** Per doubling, in a whole run. */
    private static final int KEPT_PER_RUN = 8;

    private static final int OCTAVES = 64;

    /** Preallocated copies, so keeping an exchange allocates nothing. */
    private final Exchange[] kept = new Exchange[OCTAVES * KEPT_PER_INTERVAL];

    private final int[] count = new int[OCTAVES];

    /** Once full, the minimum response time to exceed. Most requests are rejected here. */
    private final long[] leastNanos = new long[OCTAVES];

    public Exemplars() {
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new Exchange(i);
        }
    }

    private static int octave(long responseNanos) {
        return 63 - Long.numberOfLeadingZeros(Math.max(1, responseNanos));
    }

    public void offer(Exchange exchange) {
        long responseNanos = exchange.responseNanos();
        int octave = octave(responseNanos);
        if (responseNanos > leastNanos[octave]) {
            keep(exchange, octave);
        }
    }

    private void keep(Exchange exchange, int octave) {
        int first = octave * KEPT_PER_INTERVAL;
        Exchange place = count[octave] < KEPT_PER_INTERVAL ? kept[first + count[octave]++] : quicker(first);
        place.copy(exchange);
        if (count[octave] == KEPT_PER_INTERVAL) {
            leastNanos[octave] = quicker(first).responseNanos();
        }
    }

    private Exchange quicker(int first) {
        return kept[first].responseNanos() <= kept[first + 1].responseNanos() ? kept[first] : kept[first + 1];
    }

    public List<Exemplar> drain(long runStartAt) {
        List<Exemplar> drained = new ArrayList<>();
        for (int octave = 0; octave < OCTAVES; octave++) {
            for (int i = 0; i < count[octave]; i++) {
                drained.add(Exemplar.of(kept[octave * KEPT_PER_INTERVAL + i], runStartAt));
            }
            count[octave] = 0;
            leastNanos[octave] = 0;
        }
        return sorted(drained);
    }

    /** The slowest of all, per doubling; slowest first. */
    static List<Exemplar> slowest(List<Exemplar> all) {
        int[] taken = new int[OCTAVES];
        return sorted(all).stream()
                .filter(exemplar -> taken[octave(exemplar.responseNanos())]++ < KEPT_PER_RUN)
                .toList();
    }

    private static List<Exemplar> sorted(List<Exemplar> exemplars) {
        return exemplars.stream()
                .sorted(Comparator.comparingLong(Exemplar::responseNanos)
                        .reversed()
                        .thenComparingLong(Exemplar::index))
                .toList();
    }
}
