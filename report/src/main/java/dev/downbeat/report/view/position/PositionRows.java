package dev.downbeat.report.view.position;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.position.PositionTable;
import dev.downbeat.stats.position.SerialRequest;
import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** The table of a position report: the places that matter, each with its percentiles and their intervals. */
record PositionRows(PositionReport report) {
    Table table() {
        Table table = Table.with(
                Column.of("request"),
                Column.of("n"),
                Column.of("p50"),
                Column.of("95 % CI"),
                Column.of("p75"),
                Column.of("95 % CI"),
                Column.of("p99").ifAny(),
                Column.of("95 % CI").ifAny());
        Set<Integer> shown = shown();
        for (PositionTable.Row row : report.places().rows()) {
            if (shown.contains(row.place())) {
                List<String> cells = new ArrayList<>(List.of(
                        Numbers.count(row.place()), Numbers.count(row.service().count())));
                for (QuantileInterval interval : List.of(row.median(), row.p75(), row.p99())) {
                    String value = Numbers.time(row.service(), interval.percentile());
                    cells.add(value);
                    cells.add(value.isEmpty() ? "" : range(interval));
                }
                table = table.row(cells);
            }
        }
        Distribution rest = rest(shown);
        return rest.isEmpty()
                ? table
                : table.row(
                        "the rest",
                        Numbers.count(rest.count()),
                        Numbers.time(rest, 50),
                        "",
                        Numbers.time(rest, 75),
                        "",
                        Numbers.time(rest, 99),
                        "");
    }

    private static String range(QuantileInterval interval) {
        long unit = unitNanos(interval.valueNanos());
        return end(interval.lowNanos(), unit) + "-" + end(interval.highNanos(), unit);
    }

    /** The first three, and each slow place with its neighbours. */
    private Set<Integer> shown() {
        Set<Integer> shown = new HashSet<>(List.of(1, 2, 3));
        for (int slow : report.slowPlaces()) {
            shown.addAll(List.of(slow, slow + 1));
            if (slow > 1) {
                shown.add(slow - 1);
            }
        }
        return shown;
    }

    /** Many requests of each run, which depend on each other: so without intervals. */
    private Distribution rest(Set<Integer> shown) {
        Histogram histogram = Distribution.newHistogram();
        for (List<SerialRequest> run : report.runs()) {
            for (int i = 0; i < run.size(); i++) {
                if (run.get(i).answered() && !shown.contains(i + 1)) {
                    histogram.recordValue(Math.min(run.get(i).serviceNanos(), Distribution.MAX_NANOS));
                }
            }
        }
        return Distribution.of(histogram);
    }

    private static String end(OptionalLong nanos, long unit) {
        return nanos.isEmpty() ? "?" : digits(nanos.getAsLong(), unit);
    }

    private static String digits(long nanos, long unit) {
        BigDecimal value = BigDecimal.valueOf(nanos)
                .divide(BigDecimal.valueOf(unit))
                .round(new MathContext(3, RoundingMode.HALF_UP));
        int decimals = Math.max(0, Math.min(2, 3 - Math.max(1, value.precision() - value.scale())));
        return value.setScale(decimals, RoundingMode.HALF_UP).toPlainString();
    }

    private static long unitNanos(long nanos) {
        return DurationText.unitNanos(nanos);
    }
}
