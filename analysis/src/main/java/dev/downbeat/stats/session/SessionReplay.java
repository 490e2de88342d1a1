package dev.downbeat.stats.session;

import dev.downbeat.record.Distribution;
import org.HdrHistogram.Histogram;

/**
 * What sessions would have met that had begun at each moment of a recorded run. A session pauses between its requests. Each
 * of them meets the response time of the last recorded request that was meant to start by then: the next one would be too
 * quick, since a queue shrinks while nobody comes. Unlike {@link Sessions}, it knows that slow requests come in clusters.
 * Immutable.
 */
public final class SessionReplay {
    private final long[] intendedNanos;
    private final long[] responseNanos;

    /**
     * Takes a run.
     *
     * @param intendedNanos when each request was meant to start, ascending
     * @param responseNanos its response time; that of a request whose end was not seen is its age
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
     * The slowest request of each session, one session for each recorded request with which one can begin.
     *
     * @param requests in a session, at least 1
     * @param pauseNanos from the intended time of one request to that of the next, at least 0
     * @return empty if a session takes longer than the run did
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
