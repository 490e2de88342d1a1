package dev.downbeat.jmh;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.RunIntervals;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.Aggregator;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.ScalarDerivativeResult;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.AbstractStatistics;

/**
 * Durations as a secondary JMH result: the score is the maximum, with mean and percentiles derived from the counts.
 * Results of threads, iterations and forks are merged by adding counts. A percentile of the whole is therefore that of
 * all durations together; nothing is averaged.
 *
 * <p>From twenty iterations on, over all forks, each percentile has a 95 % confidence interval, computed as for the
 * seconds of a run. It is wider if iterations are correlated (see {@link RunIntervals}).
 *
 * <p>Immutable.
 */
final class DurationResult extends Result<DurationResult> {
    private static final long serialVersionUID = 1;
    private static final String LOW = ".low";
    private static final String HIGH = ".high";

    private final DurationStatistics durations;

    /** Per iteration, in the order in which JMH merges them. */
    private final DurationStatistics[] iterations;

    private final String name;
    private final TimeUnit timeUnit;

    /** {@code response} gives the labels {@code response.max}, {@code response.p99} and so on. */
    DurationResult(String name, Distribution durations, TimeUnit timeUnit) {
        this(name, new DurationStatistics(durations, timeUnit.toNanos(1)), timeUnit);
    }

    private DurationResult(String name, DurationStatistics one, TimeUnit timeUnit) {
        this(name, one, new DurationStatistics[] {one}, timeUnit);
    }

    private DurationResult(
            String name, DurationStatistics durations, DurationStatistics[] iterations, TimeUnit timeUnit) {
        super(
                ResultRole.SECONDARY,
                name + ".max",
                durations,
                TimeValue.tuToString(timeUnit) + "/op",
                AggregationPolicy.MAX);
        this.durations = durations;
        this.iterations = iterations;
        this.name = name;
        this.timeUnit = timeUnit;
    }

    Distribution durations() {
        return durations.distribution();
    }

    @Override
    protected Aggregator<DurationResult> getThreadAggregator() {
        return results -> {
            DurationResult first = results.iterator().next();
            return new DurationResult(first.name, sum(results), first.timeUnit);
        };
    }

    @Override
    protected Aggregator<DurationResult> getIterationAggregator() {
        return results -> {
            DurationResult first = results.iterator().next();
            return new DurationResult(
                    first.name,
                    new DurationStatistics(sum(results), first.timeUnit.toNanos(1)),
                    results.stream()
                            .flatMap(result -> Arrays.stream(result.iterations))
                            .toArray(DurationStatistics[]::new),
                    first.timeUnit);
        };
    }

    private static Distribution sum(Collection<DurationResult> results) {
        return results.stream().map(DurationResult::durations).reduce(Distribution.empty(), Distribution::plus);
    }

    private Optional<RunIntervals> intervals() {
        return RunIntervals.of(
                Arrays.stream(iterations).map(DurationStatistics::distribution).toList());
    }

    @Override
    @SuppressWarnings("rawtypes") // as declared by JMH
    protected Collection<? extends Result> getDerivativeResults() {
        Distribution all = durations();
        List<Result> derived = new ArrayList<>();
        Optional<RunIntervals> intervals = intervals();
        derived.add(derived("mean", all.meanNanos()));
        for (double percentile : Percentiles.belowMax(Percentiles.Place.METER)) {
            String named = Percentiles.name(percentile);
            derived.add(derived(named, all.valueAtPercentile(percentile)));
            intervals.map(known -> known.at(percentile)).ifPresent(interval -> {
                interval.lowNanos().ifPresent(low -> derived.add(derived(named + LOW, low)));
                interval.highNanos().ifPresent(high -> derived.add(derived(named + HIGH, high)));
            });
        }
        return derived;
    }

    private ScalarDerivativeResult derived(String suffix, long nanos) {
        return new ScalarDerivativeResult(
                name + "." + suffix, (double) nanos / timeUnit.toNanos(1), getScoreUnit(), AggregationPolicy.AVG);
    }

    /** The percentiles as lines of text; JMH's own text would assume normally distributed durations. */
    @Override
    public String extendedInfo() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "  N = %,d%n", getSampleCount()));
        Map<String, Double> values = new LinkedHashMap<>();
        getDerivativeResults().forEach(derived -> values.put(derived.getLabel(), derived.getScore()));
        values.forEach((each, value) -> {
            if (!each.endsWith(LOW) && !each.endsWith(HIGH)) {
                text.append(String.format(Locale.ROOT, "  %-20s %,14.3f %s", each, value, getScoreUnit()))
                        .append(interval(values.get(each + LOW), values.get(each + HIGH)))
                        .append(System.lineSeparator());
            }
        });
        text.append(String.format(Locale.ROOT, "  %-20s %,14.3f %s%n", label, getScore(), getScoreUnit()));
        return text.append("  ").append(memory()).append(System.lineSeparator()).toString();
    }

    private static String interval(@Nullable Double low, @Nullable Double high) {
        if (low == null) {
            return "";
        }
        return high == null
                ? String.format(Locale.ROOT, "  95 %% CI above %,.3f", low)
                : String.format(Locale.ROOT, "  95 %% CI %,.3f to %,.3f", low, high);
    }

    private String memory() {
        return intervals()
                .map(known -> known.memory(99))
                .map(memory -> "iterations depend on each other for "
                        + (memory.stretches() == 1 ? "less than one" : memory.stretches() + " of them")
                        + ", by p99 and what is below it")
                .orElseGet(() -> "no confidence intervals: " + RunIntervals.LEAST_SECONDS
                        + " iterations are needed, such as -f 2 -i 10, but there were " + iterations.length);
    }

    /**
     * A {@link Distribution} as JMH statistics, in the unit of the benchmark. Percentiles are nearest ranks, never
     * interpolated. Sent from fork to host by Java serialization, as JMH requires: two arrays of a few kilobytes.
     *
     * <p>Immutable.
     */
    private static final class DurationStatistics extends AbstractStatistics {
        private static final long serialVersionUID = 1;

        private final long[] nanos;
        private final long[] counts;
        private final double nanosPerUnit;

        DurationStatistics(Distribution durations, double nanosPerUnit) {
            LongStream.Builder values = LongStream.builder();
            LongStream.Builder times = LongStream.builder();
            durations.forEach((value, count) -> {
                values.add(value);
                times.add(count);
            });
            this.nanos = values.build().toArray();
            this.counts = times.build().toArray();
            this.nanosPerUnit = nanosPerUnit;
        }

        /** The original distribution, bucket by bucket. */
        Distribution distribution() {
            return Distribution.of(nanos, counts);
        }

        @Override
        public double getMax() {
            return distribution().maxNanos() / nanosPerUnit;
        }

        @Override
        public double getMin() {
            return distribution().minNanos() / nanosPerUnit;
        }

        @Override
        public double getMean() {
            return distribution().meanNanos() / nanosPerUnit;
        }

        @Override
        public long getN() {
            return Arrays.stream(counts).sum();
        }

        @Override
        public double getSum() {
            return getMean() * getN();
        }

        @Override
        public double getPercentile(double percentile) {
            return distribution().valueAtPercentile(percentile) / nanosPerUnit;
        }

        @Override
        public double getVariance() {
            double mean = getMean();
            double squares = IntStream.range(0, nanos.length)
                    .mapToDouble(i -> counts[i] * Math.pow(nanos[i] / nanosPerUnit - mean, 2))
                    .sum();
            return getN() < 2 ? Double.NaN : squares / (getN() - 1);
        }

        @Override
        public int[] getHistogram(double[] levels) {
            int[] histogram = new int[levels.length - 1];
            for (int i = 0; i < nanos.length; i++) {
                int found = Arrays.binarySearch(levels, nanos[i] / nanosPerUnit);
                int level = found >= 0 ? found : -found - 2;
                if (level >= 0 && level < histogram.length) {
                    histogram[level] += (int) counts[i];
                }
            }
            return histogram;
        }

        @Override
        public Iterator<Map.Entry<Double, Long>> getRawData() {
            return IntStream.range(0, nanos.length)
                    .mapToObj(i ->
                            (Map.Entry<Double, Long>) new SimpleImmutableEntry<>(nanos[i] / nanosPerUnit, counts[i]))
                    .iterator();
        }
    }
}
