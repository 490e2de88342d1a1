package dev.downbeat.stats.session;

/**
 * The tail that users with many requests see, assuming that slow requests do not cluster. {@link RecordedTimeline.SessionReplay} drops
 * that assumption.
 */
public final class Sessions {
    private Sessions() {}

    /**
     * The share of sessions with at least one request beyond a percentile.
     *
     * @param percentile from 0 to 100
     * @param requests requests per session, at least 1
     * @return from 0 to 1
     */
    public static double shareThatMeets(double percentile, int requests) {
        if (!(percentile >= 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile must be from 0 to 100, but was " + percentile);
        }
        requireOne(requests);
        // 1 - p^n, without loss of precision for small results
        return -Math.expm1(requests * Math.log1p(-(100 - percentile) / 100));
    }

    /**
     * The percentile that a share of the sessions stays below with all requests.
     *
     * @param share share of the sessions, from 0 to 1
     * @param requests requests per session, at least 1
     */
    public static double percentileThatAllStayBelow(double share, int requests) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be from 0 to 1, but was " + share);
        }
        requireOne(requests);
        return 100 * Math.pow(share, 1.0 / requests);
    }

    private static void requireOne(int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("requests must be at least 1, but was " + requests);
        }
    }
}
