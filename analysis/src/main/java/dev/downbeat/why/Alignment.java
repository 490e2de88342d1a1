package dev.downbeat.why;

import java.util.Arrays;
import java.util.List;

/**
 * Whether events go with slow requests more than at any other time of the same load: the test behind a cause. Events are turned
 * against the requests in a circle, by every of 65,536 steps, at each level of the load by the same part of it, and what they
 * explain where they are is held against what they would explain elsewhere. They explain what they cover while slow requests were
 * out, or while bursts of those grew, since what comes after that only waits: at each turn the larger of both. It counts as much as
 * of the events' own time slow requests were out: an event at which nobody was slow speaks against its kind.
 *
 * <p>If events have nothing to do with the requests at the same load, each turn is as likely as any other, so the probability is
 * exact, however both come in bursts or in periods, and also if both grow with the load.
 */
final class Alignment {
    private static final double ROUNDING = 1e-9;

    private final List<AtLevel> levels;
    private final double totalNanos;

    Alignment(SlowRequests requests, Bursts bursts, Spans out, LoadLevels loads) {
        double lengthNanos = loads.lengthNanos();
        this.levels = loads.levels().stream()
                .map(level -> new AtLevel(level, level.lengthNanos() / lengthNanos, requests, bursts, out))
                .toList();
        this.totalNanos = Math.max(1, requests.totalNanos());
    }

    /** What was slow at one level of the load. */
    private static final class AtLevel {
        private final LoadLevel level;
        private final double ofRun;
        private final double[][] slow;
        private final double[][] growing;
        private final double[][] out;

        AtLevel(LoadLevel level, double ofRun, SlowRequests requests, Bursts bursts, Spans out) {
            this.level = level;
            this.ofRun = ofRun;
            this.slow = Circle.transform(requests.spread(circle()).heights());
            this.growing = Circle.transform(bursts.spread(circle()).heights());
            this.out = Circle.transform(circle().with(out).heights());
        }

        private Circle circle() {
            return new Circle(level, ofRun);
        }

        /** Adds how long they go together at each turn, in nanoseconds. */
        void add(Spans spans, double[] covered, double[] grown, double[] during) {
            Circle circle = circle().with(spans);
            double[] heights = circle.heights();
            if (Arrays.stream(heights).allMatch(height -> height == 0)) {
                return;
            }
            double[][] events = Circle.transform(heights);
            add(circle, Circle.agreement(events, slow), covered);
            add(circle, Circle.agreement(events, growing), grown);
            add(circle, Circle.agreement(events, out), during);
        }

        private static void add(Circle circle, double[] agreement, double[] sum) {
            int turnsPerCell = sum.length / agreement.length;
            for (int turn = 0; turn < sum.length; turn++) {
                sum[turn] += circle.cellNanos() * agreement[turn / turnsPerCell];
            }
        }
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
        double[] covered = new double[Circle.CELLS];
        double[] grown = new double[Circle.CELLS];
        double[] during = new double[Circle.CELLS];
        levels.forEach(level -> level.add(spans, covered, grown, during));
        double[] explained = new double[Circle.CELLS];
        double[] fits = new double[Circle.CELLS];
        double most = 0;
        for (int turn = 0; turn < Circle.CELLS; turn++) {
            explained[turn] = Math.max(covered[turn], grown[turn]) / totalNanos;
            fits[turn] = explained[turn] * during[turn];
            most = Math.max(most, fits[turn]);
        }
        double precision = 1.0 / Math.max(1, spans.totalNanos());
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
