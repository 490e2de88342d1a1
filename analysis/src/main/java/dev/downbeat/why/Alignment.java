package dev.downbeat.why;

import java.util.Arrays;
import java.util.List;

/**
 * Tests whether events coincide with slow requests more than at other times of the same load. Events are rotated
 * against the requests by each of 65,536 steps, separately at each level of the load. The time they explain in place is
 * compared with that at other rotations. Events explain the time they cover while slow requests were in flight, or
 * while bursts of those grew, since later requests only wait; the larger of both counts. The result is weighted by the
 * share of the events' own time with slow requests in flight. An event without slow requests is evidence against its
 * kind.
 *
 * <p>If events are unrelated to the requests at the same load, each rotation is equally likely. The probability is then
 * exact, even for bursts, periods, or a common growth with the load.
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

    /** The slow requests at one level of the load. */
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

        /** Adds the overlap at each rotation, in nanoseconds. */
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
     * The result of the test.
     *
     * @param suspect the events tested
     * @param share share of the slow time that the events cover
     * @param largestShare largest share over all rotations
     * @param precision share of the events' time with slow requests in flight
     * @param largestFit best {@link #fit} over all rotations, with neither factor limited to 1
     * @param probability probability that unrelated events would agree so well
     */
    record Agreement(
            Suspect suspect,
            double share,
            double largestShare,
            double precision,
            double largestFit,
            double probability) {
        /** The quality of the agreement: 1 if events occur exactly when requests are slow. */
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

    /** The share of rotations that agree at least as well as the events in place. */
    private static double probability(double[] fits, double most) {
        long asGood = Arrays.stream(fits)
                .filter(fit -> fit >= fits[0] - ROUNDING * most)
                .count();
        return (double) asGood / Circle.CELLS;
    }
}
