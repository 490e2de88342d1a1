package dev.downbeat.stats.session;

import dev.downbeat.record.Distribution;
import org.HdrHistogram.Histogram;

/**
 * The sessions that users would have had, one starting at each moment of a recorded run. A session pauses between its
 * requests. Each request gets the response time of the last recorded request intended by then. The next recorded one
 * would be too fast, since a queue shrinks between arrivals. Unlike {@link Sessions}, a replay accounts for clusters of
 * slow requests. Immutable.
 */
public final class SessionReplay {
    private final long[] intendedNanos;
    private final long[] responseNanos;

    /**
     * Creates a replay.
     *
     * @param intendedNanos intended time of each request, ascending
     * @param responseNanos response times; the age for requests whose end was not seen
     */
    public SessionReplay(long[] intendedNanos, long[] responseNanos) {
        if (intendedNanos.length != responseNanos.length || intendedNanos.length == 0) {
            throw new IllegalArgumentException("there must be as many response times as intended times, and at least 1,"
                    + " but there were " + responseNanos.length + " and " + intendedNanos.length);
        }
        this.intendedNanos = intendedNanos.clone();
        this.responseNanos = responseNanos.clone();
    }

    /**
     * The slowest request of each session; one session starts at each recorded request that leaves time for it.
     *
     * @param requests requests per session, at least 1
     * @param pauseNanos from one intended time to the next, at least 0
     * @return empty if a session takes longer than the run
     */
    public Distribution slowest(int requests, long pauseNanos) {
        if (requests < 1 || pauseNanos < 0) {
            throw new IllegalArgumentException("requests must be at least 1 and pauseNanos at least 0, but were "
                    + requests + " and " + pauseNanos);
        }
        Histogram histogram = Distribution.newHistogram();
        int[] met = new int[requests];
        long lastNanos = intendedNanos[intendedNanos.length - 1];
        long spanNanos = Math.multiplyExact(requests - 1L, pauseNanos);
        for (int first = 0; first < intendedNanos.length && intendedNanos[first] + spanNanos <= lastNanos; first++) {
            long slowest = 0;
            for (int i = 0; i < requests; i++) {
                long at = intendedNanos[first] + i * pauseNanos;
                while (met[i] + 1 < intendedNanos.length && intendedNanos[met[i] + 1] <= at) {
                    met[i]++;
                }
                slowest = Math.max(slowest, responseNanos[met[i]]);
            }
            histogram.recordValue(Math.min(slowest, Distribution.MAX_NANOS));
        }
        return Distribution.of(histogram);
    }
}
