package dev.downbeat.compare;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ShiftFunction.BlockIntervals;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Variants of one run, measured in alternating slices, and their comparison. Immutable.
 *
 * @param variants those with a slice; the others are compared with the first
 * @param againstFirst one comparison for each variant but the first; empty without a complete turn
 * @param turns number of turns in which all variants completed their slice
 */
public record Variants(List<Variant> variants, List<Comparison> againstFirst, int turns) {
    private static final double[] PERCENTILES = Percentiles.belowMax(Percentiles.Place.TABLE).stream()
            .mapToDouble(each -> each)
            .toArray();
    private static final long SEED = 0x7f3a;

    /**
     * One variant.
     *
     * @param name as the user would write it: {@code connections=10 keep-alive=on}
     * @param analysis of all its slices as one result
     * @param throughput of all its slices while their load lasted
     * @param quantiles of the response times
     */
    public record Variant(String name, Analysis analysis, RunResult.Throughput throughput, List<Quantile> quantiles) {
        public Variant {
            quantiles = List.copyOf(quantiles);
        }

        public RunResult total() {
            return analysis.result();
        }

        public RunVerdict verdict() {
            return analysis.verdict();
        }

        /** The share of the response time spent waiting for a free connection; empty if unknown. */
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
     * @param isLowerBound whether the value is a lower bound, because requests were not seen to end
     * @param interval 95 %, from the variation between slices; empty with fewer than {@link Comparison#LEAST_TURNS}
     *     turns or for lower bounds
     */
    public record Quantile(
            double percentile, long nanos, boolean isLowerBound, Optional<BlockIntervals.Range> interval) {}

    /**
     * The measurements of one variant.
     *
     * @param name as the user would write it
     * @param plan of all slices together
     * @param slices in order of turns; none if it failed in its first
     */
    public record MeasuredVariant(String name, RunPlan plan, List<RunResult> slices) {
        public MeasuredVariant {
            slices = List.copyOf(slices);
        }

        private Variant judged(List<ServiceLevelObjective> slos, RequiredCertainty rigour) {
            RunResult total = RunResult.ofSlices(plan, slices);
            RunResult.Throughput throughput = slices.stream()
                    .map(RunResult::throughput)
                    .reduce(new RunResult.Throughput(0, 0), RunResult.Throughput::plus);
            return new Variant(name, Analysis.of(total, new Criteria(slos, rigour, false)), throughput, quantiles());
        }

        private List<Quantile> quantiles() {
            List<Distribution> blocks = slices.stream()
                    .map(slice -> slice.recording().responseAtLeast())
                    .toList();
            Recording all =
                    Recording.sum(slices.stream().map(RunResult::recording).toList());
            Distribution times = all.responseAtLeast();
            List<BlockIntervals.Range> ranges = blocks.size() < Comparison.LEAST_TURNS || times.isEmpty()
                    ? List.of()
                    : BlockIntervals.of(blocks, PERCENTILES, SEED);
            List<Quantile> quantiles = new ArrayList<>();
            for (int i = 0; i < PERCENTILES.length; i++) {
                if (ResponseBounds.hasEnoughFor(PERCENTILES[i], times.count())) {
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

        /** The first turns, each a run of one block. */
        private ComparedSide side(int turns, RunVerdict verdict) {
            List<ComparedRun> runs = new ArrayList<>();
            for (RunResult slice : slices.subList(0, turns)) {
                runs.add(ComparedRun.of(name, Observations.of(slice), verdict).asTurn(slice.recording()));
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
     * @param measured at least two, of which one has a slice; the first ones may have one slice more than the others
     * @param slos objectives of each variant
     * @param rigour how much certainty each decision needs
     * @param requested percentiles to compare; if empty, all with enough requests
     */
    public static Variants of(
            List<MeasuredVariant> measured,
            List<ServiceLevelObjective> slos,
            RequiredCertainty rigour,
            List<Double> requested) {
        List<Variant> variants = measured.stream()
                .filter(each -> !each.slices().isEmpty())
                .map(each -> each.judged(slos, rigour))
                .toList();
        int turns = (int) measured.stream()
                .mapToLong(each ->
                        each.slices().stream().takeWhile(RunResult::isComplete).count())
                .min()
                .orElse(0);
        List<ComparedSide> sides = new ArrayList<>();
        for (int i = 0; i < measured.size() && turns > 0; i++) {
            sides.add(measured.get(i).side(turns, variants.get(i).verdict()));
        }
        return new Variants(variants, sides.isEmpty() ? List.of() : Comparison.ofTurns(sides, requested), turns);
    }
}
