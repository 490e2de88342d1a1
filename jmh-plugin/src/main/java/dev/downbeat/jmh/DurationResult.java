package dev.downbeat.jmh;

import dev.downbeat.record.Distribution;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.Aggregator;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.ScalarDerivativeResult;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Durations as a secondary result of JMH: its score is their maximum, and mean and percentiles are derived from the
 * counts. Results of threads, iterations and forks are merged by adding up the counts, so that a percentile of the
 * whole is that of all durations together: nothing is averaged.
 *
 * <p>Immutable.
 */
public final class DurationResult extends Result<DurationResult> {
    private static final long serialVersionUID = 1;
    private static final String[] PERCENTILES = {"50", "90", "99", "99.9"};

    private final DurationStatistics durations;
    private final String name;
    private final TimeUnit timeUnit;

    /**
     * A result whose labels begin with a name.
     *
     * @param name such as {@code response}, for {@code response.max}, {@code response.p99} and so on
     * @param durations what was counted; not empty
     * @param timeUnit the unit to show
     */
    public DurationResult(String name, Distribution durations, TimeUnit timeUnit) {
        this(name, new DurationStatistics(durations, timeUnit.toNanos(1)), timeUnit);
    }

    private DurationResult(String name, DurationStatistics durations, TimeUnit timeUnit) {
        super(
                ResultRole.SECONDARY,
                name + ".max",
                durations,
                TimeValue.tuToString(timeUnit) + "/op",
                AggregationPolicy.MAX);
        this.durations = durations;
        this.name = name;
        this.timeUnit = timeUnit;
    }

    /** The durations that it carries. */
    public Distribution durations() {
        return durations.distribution();
    }

    @Override
    protected Aggregator<DurationResult> getThreadAggregator() {
        return DurationResult::merge;
    }

    @Override
    protected Aggregator<DurationResult> getIterationAggregator() {
        return DurationResult::merge;
    }

    private static DurationResult merge(Collection<DurationResult> results) {
        DurationResult first = results.iterator().next();
        Distribution sum =
                results.stream().map(DurationResult::durations).reduce(Distribution.empty(), Distribution::plus);
        return new DurationResult(first.name, sum, first.timeUnit);
    }

    @Override
    @SuppressWarnings("rawtypes") // as JMH has it
    protected Collection<? extends Result> getDerivativeResults() {
        Distribution all = durations();
        List<Result> derived = new java.util.ArrayList<>();
        derived.add(derived("mean", all.meanNanos()));
        for (String percentile : PERCENTILES) {
            derived.add(derived("p" + percentile, all.valueAtPercentile(Double.parseDouble(percentile))));
        }
        return derived;
    }

    private ScalarDerivativeResult derived(String suffix, long nanos) {
        return new ScalarDerivativeResult(
                name + "." + suffix, (double) nanos / timeUnit.toNanos(1), getScoreUnit(), AggregationPolicy.AVG);
    }

    /** The percentiles in lines; JMH's own text would take the durations for normally distributed. */
    @Override
    public String extendedInfo() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "  N = %,d%n", getSampleCount()));
        for (Result<?> derived : getDerivativeResults()) {
            text.append(String.format(
                    Locale.ROOT, "  %-20s %,14.3f %s%n", derived.getLabel(), derived.getScore(), getScoreUnit()));
        }
        return text.append(String.format(Locale.ROOT, "  %-20s %,14.3f %s%n", label, getScore(), getScoreUnit()))
                .toString();
    }
}
