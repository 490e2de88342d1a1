package dev.downbeat.why;

/**
 * What events explain of each slow request. Of a request that was out during an event it is the time of the event. What was
 * taken up after the begin of an event waits behind those: as long as such requests follow each other without a gap, each is
 * explained by the event up to the time that it cost; an unrelated one that took longer is not.
 */
record Reach(SlowRequests requests, Spans spans) {
    /** Work that is put off takes somewhat longer than it would have: caches are cold. */
    private static final double SLACK = 1.25;

    /** Of the slow part of each request so much, in nanoseconds. */
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
            explained[i] = !requests.isAsked(i) ? 0 : isBehind ? slowNanos : during;
            if (isBehind) {
                reachesTo = Math.max(reachesTo, to);
            }
        }
        return explained;
    }
}
