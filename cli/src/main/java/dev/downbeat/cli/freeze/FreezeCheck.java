package dev.downbeat.cli.freeze;

import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.ProofReport;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Compares each quantity of a run with its theoretical value. Pure functions. */
public final class FreezeCheck {
    private static final double TOLERANCE = 0.03;
    private static final long TOLERANCE_NANOS = 5_000_000;

    private final List<ProofReport.Row> rows = new ArrayList<>();
    private final List<ProofReport.Failure> failures = new ArrayList<>();

    /** A quantity, the least number of requests it needs, and how it is read from a distribution. */
    private record Quantity(String name, long least, ToLongFunction<Distribution> of) {
        static Quantity percentile(String name, double percentile) {
            return new Quantity(
                    name,
                    ResponseBounds.neededFor(percentile),
                    distribution -> distribution.valueAtPercentile(percentile));
        }
    }

    private static final List<Quantity> TIMES = List.of(
            new Quantity("mean", 1, Distribution::meanNanos),
            Quantity.percentile("p50", 50),
            Quantity.percentile("p75", 75),
            Quantity.percentile("p90", 90),
            Quantity.percentile("p99", 99),
            Quantity.percentile("p99.9", 99.9),
            Quantity.percentile("max", 100));

    /**
     * Compares the distributions. Percentiles with too few requests are omitted.
     *
     * @param shown response times of the run
     * @param must theoretical response times
     * @param waiting response times that a closed-loop tool would report
     */
    public FreezeCheck(Distribution shown, Distribution must, Distribution waiting) {
        boolean exact = shown.count() == must.count();
        add(new ProofReport.Row("count", false, shown.count(), must.count(), waiting.count(), exact));
        for (Quantity quantity : TIMES) {
            if (must.count() < quantity.least()) {
                continue;
            }
            long had = quantity.of().applyAsLong(shown);
            long needed = quantity.of().applyAsLong(must);
            boolean held = Math.abs(had - needed) <= TOLERANCE * needed + TOLERANCE_NANOS;
            long closedLoop = quantity.of().applyAsLong(waiting);
            add(new ProofReport.Row(quantity.name(), true, had, needed, closedLoop, held));
        }
    }

    private void add(ProofReport.Row row) {
        rows.add(row);
        if (!row.held()) {
            failures.add(new ProofReport.Failure(
                    row.name(),
                    row.name() + " was " + text(row, row.shown()) + " instead of " + text(row, row.must())));
        }
    }

    private static String text(ProofReport.Row row, long value) {
        return row.isTime() ? DurationText.rounded(value) : PlanText.format("%,d", value);
    }

    /** Quantities outside their tolerance; empty if there are none. */
    public List<ProofReport.Failure> failures() {
        return List.copyOf(failures);
    }

    /** All quantities. */
    public List<ProofReport.Row> rows() {
        return List.copyOf(rows);
    }
}
