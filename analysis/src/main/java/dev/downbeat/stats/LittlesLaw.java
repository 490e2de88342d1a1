package dev.downbeat.stats;

import java.util.Arrays;

/**
 * How many requests there are at a time must be their rate times how long each takes. Where it is not, requests are
 * missing or times are wrong.
 *
 * @param meanInFlight requests at a time, averaged over the run
 * @param perSecond requests that began in a second
 * @param meanNanos how long each took
 * @see <a href="https://doi.org/10.1287/opre.9.3.383">Little: A proof for the queuing formula L = λW, Oper. Res. 9,
 *     1961</a>
 */
public record LittlesLaw(double meanInFlight, double perSecond, double meanNanos) {
    private static final double TOLERANCE = 0.01;

    /** Refuses negative values. */
    public LittlesLaw {
        if (!(meanInFlight >= 0 && perSecond >= 0 && meanNanos >= 0)) {
            throw new IllegalArgumentException(
                    "values must be at least 0, but were " + meanInFlight + ", " + perSecond + " and " + meanNanos);
        }
    }

    /**
     * Counts the requests in flight at each moment of a window. Requests that stick out of it are counted for the part
     * inside, so the law holds only nearly: the longer the window, the better.
     *
     * @param starts instants in nanoseconds
     * @param ends of the same requests, none before its start
     * @param from begin of the window
     * @param to end of the window, after its begin
     */
    public static LittlesLaw of(long[] starts, long[] ends, long from, long to) {
        if (starts.length != ends.length || to <= from) {
            throw new IllegalArgumentException(
                    "there must be as many ends as starts, and the window must not be empty," + " but there were "
                            + ends.length + " and " + starts.length + ", and its length was " + (to - from));
        }
        double[] inside = new double[starts.length];
        double began = 0;
        double took = 0;
        for (int i = 0; i < starts.length; i++) {
            inside[i] = Math.max(0, Math.min(ends[i], to) - Math.max(starts[i], from));
            if (starts[i] >= from && starts[i] < to) {
                began++;
                took += ends[i] - starts[i];
            }
        }
        double length = to - from;
        return new LittlesLaw(
                Arrays.stream(inside).sum() / length, began / length * 1e9, began == 0 ? 0 : took / began);
    }

    /** By how much the sides differ, as a share of the requests in flight; 0 if there are none. */
    public double deviation() {
        double expected = perSecond * meanNanos / 1e9;
        double larger = Math.max(meanInFlight, expected);
        return larger == 0 ? 0 : Math.abs(meanInFlight - expected) / larger;
    }

    /** Whether the law holds within 1 %. */
    public boolean holds() {
        return deviation() < TOLERANCE;
    }
}
