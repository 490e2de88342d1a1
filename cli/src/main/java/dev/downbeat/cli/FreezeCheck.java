package dev.downbeat.cli;

import dev.downbeat.record.Distribution;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Holds what a run showed against what it must have shown, quantity by quantity. Pure. */
final class FreezeCheck {
    private static final double TOLERANCE = 0.03;
    private static final long TOLERANCE_NANOS = 5_000_000;

    private final List<Row> rows = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private record Row(String name, String shown, String must, String waiting, boolean held) {}

    /** A quantity, how many requests it takes at least, and how it is read off a distribution. */
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
     * Compares. A percentile that so few requests do not carry is left out.
     *
     * @param shown response times of the run
     * @param must response times by the closed form
     * @param waiting what a stopwatch would have noted that waits for each answer
     */
    FreezeCheck(Distribution shown, Distribution must, Distribution waiting) {
        boolean exact = shown.count() == must.count();
        add(new Row("count", count(shown), count(must), count(waiting), exact));
        for (Quantity quantity : TIMES) {
            if (must.count() < quantity.least()) {
                continue;
            }
            long had = quantity.of().applyAsLong(shown);
            long needed = quantity.of().applyAsLong(must);
            boolean held = Math.abs(had - needed) <= TOLERANCE * needed + TOLERANCE_NANOS;
            add(new Row(
                    quantity.name(),
                    DurationText.rounded(had),
                    DurationText.rounded(needed),
                    DurationText.rounded(quantity.of().applyAsLong(waiting)),
                    held));
        }
    }

    private static String count(Distribution distribution) {
        return PlanText.format("%,d", distribution.count());
    }

    private void add(Row row) {
        rows.add(row);
        if (!row.held()) {
            failures.add(row.name() + " was " + row.shown() + " instead of " + row.must());
        }
    }

    /** What was not as it must be; empty if all was. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** The comparison as a table. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("              run showed     must show     a stopwatch that waits");
        for (Row row : rows) {
            lines.add(PlanText.format(
                    "  %-8s %13s %13s %26s   %s",
                    row.name(), row.shown(), row.must(), row.waiting(), row.held() ? "ok" : "WRONG"));
        }
        return lines;
    }
}
