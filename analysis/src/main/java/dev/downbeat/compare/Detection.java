package dev.downbeat.compare;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.RunIntervals;
import dev.downbeat.stats.change.QuantileChange.RunsNeeded;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The measuring time that a comparison needs to detect a change. It follows from a pilot run's variation and the usual
 * variation between runs. Immutable.
 *
 * @param change slowdown to detect: 0.05 for 5 %
 * @param pilotSeconds length of the pilot run
 * @param rows p50, p90 and p99, where the pilot has enough requests
 */
public record Detection(double change, int pilotSeconds, List<Row> rows) {
    private static final List<Double> PERCENTILES = Percentiles.of(Percentiles.Place.DECIDING);
    private static final List<Integer> LENGTHS = List.of(20, 30, 60, 120, 300, 600);

    /** The default percentiles of a comparison. */
    private static final List<Double> COMPARED = Percentiles.belowMax(Percentiles.Place.TABLE);

    /** Copies the list. */
    public Detection {
        rows = List.copyOf(rows);
    }

    /**
     * A number of runs per side, all of the same length.
     *
     * @param runs runs per side
     * @param seconds length of each run
     */
    public record Plan(int runs, int seconds) {
        /** Total of both sides. */
        public long secondsInAll() {
            return 2L * runs * seconds;
        }
    }

    /**
     * One percentile.
     *
     * @param percentile of the response time
     * @param neededSeconds pilot length that an interval at this percentile needs; at most its own length if it has one
     * @param shortest the plan with the least total time; empty if there is none
     */
    public record Row(double percentile, long neededSeconds, Optional<Plan> shortest) {}

    /**
     * Plans comparisons of runs like this pilot.
     *
     * @param change above 0
     * @return empty if the pilot is too short for an interval or has no answered requests
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

    /** Variation within a run shrinks with the square root of its length. */
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
