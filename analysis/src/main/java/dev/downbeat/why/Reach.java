package dev.downbeat.why;

/**
 * The time that events explain of each slow request. For a request in flight during an event it is the event's time.
 * Requests taken up after an event's start wait behind those. While such requests follow each other without a gap, the
 * event explains each of them up to the time that it cost. A longer request is unrelated.
 */
record Reach(SlowRequests requests, Spans spans) {
    /** Deferred work takes longer by this factor, since caches are cold. */
    private static final double SLACK = 1.25;

    /** The explained part of each request, in nanoseconds. */
    double[] explainedNanos() {
        double[] explained = new double[requests.count()];
        int span = 0;
        long reachesTo = Long.MIN_VALUE;
        double costNanos = 0;
        for (int i = 0; i < explained.length; i++) {
            long from = requests.from(i);
            long to = requests.to(i);
            long slowNanos = requests.explicableNanos(i);
            for (; span < spans.count() && spans.from(span) <= from; span++) {
                if (spans.from(span) > reachesTo) {
                    costNanos = 0;
                }
                costNanos += spans.to(span) - spans.from(span);
                reachesTo = Math.max(reachesTo, spans.to(span));
            }
            long during = Math.min(slowNanos, spans.coveredNanos(from, to));
            boolean isBehind = from < reachesTo && slowNanos <= SLACK * costNanos;
            explained[i] = !requests.isSlow(i) ? 0 : isBehind ? slowNanos : during;
            if (isBehind) {
                reachesTo = Math.max(reachesTo, to);
            }
        }
        return explained;
    }
}
