package dev.downbeat.simulate;

import java.util.ArrayList;
import java.util.List;

/**
 * The number of requests that waited for a server over time, which no client of a real service can see. Requests in
 * service are not counted. Immutable.
 *
 * @param stretches stretches of equal length in order of time; the last one may be shorter
 * @param most the longest queue
 * @param mostAtNanos when the queue first reached that length, from the start of the run
 * @param growthPerSecond growth of the queue over the second half of the load, in requests per second, by linear
 *     regression
 * @param atEndOfLoad length of the queue at the intended time of the last request
 */
public record QueueLengths(
        List<Stretch> stretches, long most, long mostAtNanos, double growthPerSecond, long atEndOfLoad) {
    /** A queue is steady if its growth in the second half of the load is a smaller share of its final length. */
    private static final double LEAST_GAIN = 0.25;

    /** A growing queue ends the load at no less than this share of its maximum. */
    private static final double LEAST_SHARE_OF_PEAK = 0.75;

    private static final long NOTEWORTHY = 50;

    /**
     * A stretch of time.
     *
     * @param startNanos from the start of the run
     * @param endNanos from the start of the run
     * @param mean time-weighted mean length
     * @param most the greatest length
     */
    public record Stretch(long startNanos, long endNanos, double mean, long most) {}

    public QueueLengths {
        stretches = List.copyOf(stretches);
    }

    /** The time-weighted mean length. */
    public double mean() {
        double area = 0;
        double nanos = 0;
        for (Stretch stretch : stretches) {
            area += stretch.mean() * (stretch.endNanos() - stretch.startNanos());
            nanos += stretch.endNanos() - stretch.startNanos();
        }
        return nanos == 0 ? 0 : area / nanos;
    }

    /** Whether the queue was still growing when the load ended, as it does beyond the capacity. */
    public boolean grows(long loadNanos) {
        double gain = growthPerSecond * loadNanos / 2e9;
        return atEndOfLoad >= NOTEWORTHY
                && atEndOfLoad >= LEAST_SHARE_OF_PEAK * most
                && gain >= LEAST_GAIN * atEndOfLoad;
    }

    /**
     * Tracks the length of a queue. Stretches double in length when there are too many, so memory is bounded. Not
     * thread-safe.
     */
    static final class QueueWatch {
        private static final int MOST_STRETCHES = 1_024;

        private final double[] area = new double[MOST_STRETCHES];
        private final long[] longest = new long[MOST_STRETCHES];
        private long stretchNanos = 1_000_000;
        private int stretch;
        private long seenNanos;
        private long length;
        private long most;
        private long mostAtNanos;
        private final long loadNanos;
        private long atEndOfLoad;

        /** Creates an empty queue, for a load that ends then; {@link Long#MAX_VALUE} if unknown. */
        QueueWatch(long loadNanos) {
            this.loadNanos = loadNanos;
        }

        /** Sets the queue's length from this time on. */
        void changed(long nanos, long nowLong) {
            advance(nanos);
            length = nowLong;
            longest[stretch] = Math.max(longest[stretch], length);
            if (length > most) {
                most = length;
                mostAtNanos = nanos;
            }
            if (nanos <= loadNanos) {
                atEndOfLoad = length;
            }
        }

        private void advance(long nanos) {
            while (nanos >= (stretch + 1) * stretchNanos) {
                long end = (stretch + 1) * stretchNanos;
                area[stretch] += (double) length * (end - seenNanos);
                seenNanos = end;
                if (stretch + 1 == MOST_STRETCHES) {
                    halve();
                } else {
                    stretch++;
                    area[stretch] = 0;
                    longest[stretch] = length;
                }
            }
            area[stretch] += (double) length * (nanos - seenNanos);
            seenNanos = nanos;
        }

        /** Merges neighbouring stretches to free the second half of the arrays. */
        private void halve() {
            for (int i = 0; i < MOST_STRETCHES / 2; i++) {
                area[i] = area[2 * i] + area[2 * i + 1];
                longest[i] = Math.max(longest[2 * i], longest[2 * i + 1]);
            }
            stretchNanos *= 2;
            stretch = MOST_STRETCHES / 2;
            area[stretch] = 0;
            longest[stretch] = length;
        }

        QueueLengths lengths(long endNanos) {
            advance(Math.max(seenNanos, endNanos));
            List<Stretch> stretches = new ArrayList<>();
            for (int i = 0; i <= stretch; i++) {
                long start = i * stretchNanos;
                long end = Math.min(start + stretchNanos, seenNanos);
                if (end > start) {
                    stretches.add(new QueueLengths.Stretch(start, end, area[i] / (end - start), longest[i]));
                }
            }
            return new QueueLengths(
                    stretches, most, mostAtNanos, growth(stretches, Math.min(loadNanos, seenNanos)), atEndOfLoad);
        }

        /** The slope of the regression line through the means of the load's second half. */
        private static double growth(List<Stretch> stretches, long untilNanos) {
            List<Stretch> half = stretches.stream()
                    .filter(part -> part.startNanos() >= untilNanos / 2 && part.endNanos() <= untilNanos)
                    .toList();
            double time =
                    half.stream().mapToDouble(QueueWatch::middle).average().orElse(0);
            double level = half.stream().mapToDouble(Stretch::mean).average().orElse(0);
            double products = 0;
            double squares = 0;
            for (Stretch part : half) {
                products += (middle(part) - time) * (part.mean() - level);
                squares += (middle(part) - time) * (middle(part) - time);
            }
            return squares == 0 ? 0 : products / squares;
        }

        private static double middle(Stretch part) {
            return (part.startNanos() + part.endNanos()) / 2e9;
        }
    }
}
