package dev.downbeat.report.view;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.stats.PositionTable;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.SerialRequest;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ResponseBounds;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** The table of a position report: the places that matter, each with its percentiles and their intervals. */
final class PositionRows {
    private final PositionReport report;

    PositionRows(PositionReport report) {
        this.report = report;
    }

    void write(Lines lines) throws IOException {
        lines.unwrapped(format("request", "n", "    p50 (95 %)", "    p75 (95 %)", "    p99 (95 %)"));
        Set<Integer> shown = shown();
        for (PositionTable.Row row : report.places().rows()) {
            if (shown.contains(row.place())) {
                lines.unwrapped(format(
                        Numbers.count(row.place()),
                        Numbers.count(row.service().count()),
                        cell(row, row.median()),
                        cell(row, row.p75()),
                        cell(row, row.p99())));
            }
        }
        Distribution rest = rest(shown);
        if (!rest.isEmpty()) {
            lines.unwrapped(
                    format("the rest", Numbers.count(rest.count()), value(rest, 50), value(rest, 75), value(rest, 99)));
        }
    }

    private static String format(String place, String count, String p50, String p75, String p99) {
        return String.format(Locale.ROOT, "  %8s %8s  %-19s %-19s %-19s", place, count, p50, p75, p99);
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

    private static String value(Distribution times, double percentile) {
        return ResponseBounds.carries(percentile, times.count())
                ? String.format(Locale.ROOT, "%8s", DurationText.rounded(times.valueAtPercentile(percentile)))
                : String.format(Locale.ROOT, "%8s", "-");
    }

    private static String cell(PositionTable.Row row, QuantileInterval interval) {
        String value = value(row.service(), interval.percentile());
        if (value.endsWith("-")) {
            return value;
        }
        long unit = unitNanos(interval.valueNanos());
        return value + " " + end(interval.lowNanos(), unit) + ".." + end(interval.highNanos(), unit);
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
        String text = DurationText.rounded(nanos);
        return text.endsWith(" ns")
                ? 1
                : text.endsWith(" us") ? 1_000 : text.endsWith(" ms") ? 1_000_000 : 1_000_000_000;
    }
}
