package dev.downbeat.compare;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.RunIntervals;
import dev.downbeat.stats.change.RunsNeeded;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How long and how often a service must be measured for a comparison to show a change, by what a pilot run of it differs by
 * from second to second and by what runs of one service usually differ by. Immutable.
 *
 * @param change 0.05 for 5 % slower
 * @param pilotSeconds how long the pilot was
 * @param rows p50, p90 and p99, as far as the pilot has requests enough
 */
public record Detection(double change, int pilotSeconds, List<Row> rows) {
    private static final List<Double> PERCENTILES = Percentiles.of(Percentiles.Place.DECIDING);
    private static final List<Integer> LENGTHS = List.of(20, 30, 60, 120, 300, 600);

    /** As a comparison shows them if nobody asks. */
    private static final List<Double> COMPARED = Percentiles.belowMax(Percentiles.Place.TABLE);

    /** Copies the list. */
    public Detection {
        rows = List.copyOf(rows);
    }

    /**
     * So many runs of a side, of the same length.
     *
     * @param runs of each side
     * @param seconds of each run
     */
    public record Plan(int runs, int seconds) {
        /** Of both sides together. */
        public long secondsInAll() {
            return 2L * runs * seconds;
        }
    }

    /**
     * One percentile.
     *
     * @param percentile of the response time
     * @param neededSeconds how long a pilot should be for an interval there; at most its length if it has one
     * @param shortest the plan that takes the least time; empty if there is none
     */
    public record Row(double percentile, long neededSeconds, Optional<Plan> shortest) {}

    /**
     * Plans comparisons with runs like this one.
     *
     * @param change above 0
     * @return empty if it is too short for an interval, or nothing was answered
     */
    public static Optional<Detection> of(ComparedRun pilot, double change) {
        List<Distribution> seconds =
                pilot.stretches().stream().map(Recording::responseAtLeast).toList();
        return RunIntervals.of(seconds)
                .filter(run -> run.whole().count() > 0)
                .map(run -> new Detection(change, seconds.size(), rows(run, seconds.size(), change)));
    }

    private static List<Row> rows(RunIntervals run, int seconds, double change) {
        long count = run.whole().count();
        int compared = (int) COMPARED.stream()
                .filter(percentile -> ResponseBounds.carries(percentile, count))
                .count();
        return PERCENTILES.stream()
                .filter(percentile -> ResponseBounds.carries(percentile, count))
                .map(percentile -> {
                    double within = RunsNeeded.within(run.at(percentile));
                    return new Row(
                            percentile,
                            run.stretchesNeeded(percentile),
                            Double.isInfinite(within)
                                    ? Optional.empty()
                                    : shortest(change, within, seconds, Math.max(1, compared)));
                })
                .toList();
    }

    /** What happens within a run is a mean over its seconds: it shrinks with the root of its length. */
    private static Optional<Plan> shortest(double change, double within, int seconds, int compared) {
        return IntStream.concat(LENGTHS.stream().mapToInt(each -> each), IntStream.of(seconds))
                .mapToObj(length -> {
                    OptionalInt runs = RunsNeeded.of(change, within * Math.sqrt((double) seconds / length), compared);
                    return new Plan(runs.orElse(0), length);
                })
                .filter(plan -> plan.runs > 0)
                .min(Comparator.comparingLong(Plan::secondsInAll).thenComparingInt(Plan::runs));
    }
}
