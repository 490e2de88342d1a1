package dev.downbeat.compare;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.BlockIntervals;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.Rigour;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Variants of one run that were measured in turns, each in several short slices, and what may be concluded about them.
 * Immutable.
 *
 * @param variants at least two, the first of which the others are compared with
 * @param againstFirst for each but the first; empty if there was not one whole turn
 * @param turns in which every variant had its slice to the end
 */
public record Variants(List<Variant> variants, List<Comparison> againstFirst, int turns) {
    private static final double[] PERCENTILES = Percentiles.belowMax(Percentiles.Place.TABLE).stream()
            .mapToDouble(each -> each)
            .toArray();
    private static final long SEED = 0x7f3a;

    /**
     * One of them.
     *
     * @param name as the user would say it: {@code connections=10 keep-alive=on}
     * @param analysis of all its slices as one result
     * @param quantiles of the response times
     */
    public record Variant(String name, Analysis analysis, List<Quantile> quantiles) {
        public Variant {
            quantiles = List.copyOf(quantiles);
        }

        /** All its slices as one result. */
        public RunResult total() {
            return analysis.result();
        }

        /** How the measurement and the objectives came out. */
        public RunVerdict verdict() {
            return analysis.verdict();
        }

        /** The part of all response times that was spent waiting for a free connection; empty if none is known. */
        public OptionalDouble poolWaitShare() {
            Recording recording = total().recording();
            double all = sum(recording.response());
            return all > 0
                    ? OptionalDouble.of(Math.min(1, sum(recording.backlogWait()) / all))
                    : OptionalDouble.empty();
        }

        private static double sum(Distribution times) {
            return (double) times.meanNanos() * times.count();
        }
    }

    /**
     * A percentile of one variant.
     *
     * @param percentile above 0, below 100
     * @param nanos over all slices
     * @param isLowerBound whether it is at least that, since requests were not seen to end
     * @param interval 95 %, from how the slices differ; empty with fewer than {@link Comparison#LEAST_TURNS}, or if only a
     *     lower bound is known
     */
    public record Quantile(
            double percentile, long nanos, boolean isLowerBound, Optional<BlockIntervals.Range> interval) {}

    /**
     * What was measured of one variant.
     *
     * @param name as the user would say it
     * @param plan of all slices together
     * @param slices in the order of their turns; at least one
     */
    public record Measured(String name, RunPlan plan, List<RunResult> slices) {
        public Measured {
            slices = List.copyOf(slices);
        }

        private Variant judged(List<AskedObjective> slos, Rigour rigour) {
            RunResult total = RunResult.ofSlices(plan, slices);
            return new Variant(name, Analysis.of(total, new Wishes(slos, rigour, false)), quantiles());
        }

        private List<Quantile> quantiles() {
            List<Distribution> blocks = slices.stream()
                    .map(slice -> slice.recording().responseAtLeast())
                    .toList();
            Recording all = slices.stream().map(RunResult::recording).reduce(Recording.empty(), Recording::plus);
            Distribution times = all.responseAtLeast();
            List<BlockIntervals.Range> ranges = blocks.size() < Comparison.LEAST_TURNS || times.isEmpty()
                    ? List.of()
                    : BlockIntervals.of(blocks, PERCENTILES, SEED);
            List<Quantile> quantiles = new ArrayList<>();
            for (int i = 0; i < PERCENTILES.length; i++) {
                if (ResponseBounds.carries(PERCENTILES[i], times.count())) {
                    boolean known = all.isKnownAt(PERCENTILES[i]);
                    quantiles.add(new Quantile(
                            PERCENTILES[i],
                            times.valueAtPercentile(PERCENTILES[i]),
                            !known,
                            known && !ranges.isEmpty() ? Optional.of(ranges.get(i)) : Optional.empty()));
                }
            }
            return quantiles;
        }

        /** The first so many turns, each a run of one block. */
        private ComparedSide side(int turns, RunVerdict verdict) {
            List<ComparedRun> runs = new ArrayList<>();
            for (RunResult slice : slices.subList(0, turns)) {
                ComparedRun run = ComparedRun.of(name, Observations.of(slice), verdict);
                runs.add(new ComparedRun(
                        name, List.of(slice.recording()), run.workload(), run.ratePerSecond(), run.doubts()));
            }
            return new ComparedSide(name, runs);
        }
    }

    public Variants {
        variants = List.copyOf(variants);
        againstFirst = List.copyOf(againstFirst);
    }

    /**
     * Judges variants.
     *
     * @param measured at least two, of which the first few may have had one slice more than the others
     * @param slos what is asked of each
     */
    public static Variants of(List<Measured> measured, List<AskedObjective> slos) {
        return of(measured, slos, Rigour.PLAIN, List.of());
    }

    /**
     * Judges variants at some percentiles.
     *
     * @param measured at least two, of which the first few may have had one slice more than the others
     * @param slos what is asked of each
     * @param rigour how much is asked of each verdict
     * @param asked the percentiles to compare; if empty, all that the requests are enough for
     */
    public static Variants of(List<Measured> measured, List<AskedObjective> slos, Rigour rigour, List<Double> asked) {
        List<Variant> variants =
                measured.stream().map(each -> each.judged(slos, rigour)).toList();
        int turns = (int) measured.stream()
                .mapToLong(each ->
                        each.slices().stream().takeWhile(RunResult::isComplete).count())
                .min()
                .orElse(0);
        List<ComparedSide> sides = new ArrayList<>();
        for (int i = 0; i < measured.size() && turns > 0; i++) {
            sides.add(measured.get(i).side(turns, variants.get(i).verdict()));
        }
        return new Variants(variants, sides.isEmpty() ? List.of() : Comparison.ofTurns(sides, asked), turns);
    }
}
