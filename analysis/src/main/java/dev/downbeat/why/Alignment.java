package dev.downbeat.why;

import java.util.Arrays;

/**
 * Whether events go with slow requests more than at any other time: the test behind a cause. Events are turned against the
 * requests in a circle, by every of 65,536 steps, and what they explain where they are is held against what they would explain
 * elsewhere. They explain what they cover while slow requests were out, or while bursts of those grew, since what comes after
 * that only waits: at each turn the larger of both. It counts as much as of the events' own time slow requests were out: an
 * event at which nobody was slow speaks against its kind.
 *
 * <p>If events have nothing to do with the requests, each turn is as likely as any other, so the probability is exact, however
 * both come in bursts or in periods.
 */
final class Alignment {
    private static final double ROUNDING = 1e-9;

    private final double[][] slow;
    private final double[][] growing;
    private final double[][] out;
    private final double totalNanos;
    private final long start;
    private final long end;

    Alignment(SlowRequests requests, Bursts bursts, Spans out, long start, long end) {
        this.slow = Circle.transform(requests.spread(start, end).heights());
        this.growing = Circle.transform(bursts.spread(start, end).heights());
        this.out = Circle.transform(new Circle(start, end).with(out).heights());
        this.totalNanos = Math.max(1, requests.totalNanos());
        this.start = start;
        this.end = end;
    }

    /**
     * What came of it.
     *
     * @param suspect what was tested
     * @param share of the slow time that events of the kind cover
     * @param largestShare that they would cover at any time of the run
     * @param precision of the events' time in which slow requests were out
     * @param largestFit the best {@link #fit} at any time of the run, neither factor cut at 1
     * @param probability that events unrelated to the requests would agree with them so well
     */
    record Agreement(
            Suspect suspect,
            double share,
            double largestShare,
            double precision,
            double largestFit,
            double probability) {
        /** How well both fit: 1 if the events are when requests are slow, and never else. */
        double fit() {
            return share * precision;
        }
    }

    Agreement of(Suspect suspect) {
        Spans spans = suspect.spans();
        Circle circle = new Circle(start, end).with(spans);
        double[][] events = Circle.transform(circle.heights());
        double[] covered = Circle.agreement(events, slow);
        double[] grown = Circle.agreement(events, growing);
        double[] during = Circle.agreement(events, out);
        double scale = circle.cellNanos() / totalNanos;
        double[] explained = new double[Circle.CELLS];
        double[] fits = new double[Circle.CELLS];
        double most = 0;
        for (int turn = 0; turn < Circle.CELLS; turn++) {
            explained[turn] = scale * Math.max(covered[turn], grown[turn]);
            fits[turn] = explained[turn] * during[turn];
            most = Math.max(most, fits[turn]);
        }
        double precision = circle.cellNanos() / Math.max(1, spans.totalNanos());
        return new Agreement(
                suspect,
                Math.min(1, explained[0]),
                Arrays.stream(explained).max().orElse(0),
                Math.min(1, precision * during[0]),
                precision * most,
                probability(fits, most));
    }

    /** The share of all turns that agree at least as well as the events where they are. */
    private static double probability(double[] fits, double most) {
        long asGood = Arrays.stream(fits)
                .filter(fit -> fit >= fits[0] - ROUNDING * most)
                .count();
        return (double) asGood / Circle.CELLS;
    }
}
