package dev.downbeat.report.chart;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.stats.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The intervals of a run merged into as many columns as a chart can show. A column's percentiles cover all of its
 * requests.
 */
public final class TimelineColumns {
    private static final int MOST_COLUMNS = 240;
    private static final double NEARLY = 0.98;

    private final List<Column> columns = new ArrayList<>();
    private final long lengthNanos;

    /**
     * A column.
     *
     * @param outstanding requests due before its end that had not ended by then
     */
    public record Column(Interval interval, long outstanding) {
        public Recording recording() {
            return interval.recording();
        }

        double middle() {
            return (interval.startNanos() + interval.endNanos()) / 2.0;
        }

        /** "30.0 s to 31.0 s". */
        public String span() {
            return Numbers.seconds(interval.startNanos()) + " to " + Numbers.seconds(interval.endNanos());
        }

        double perSecond(long count) {
            return count * 1e9 / Math.max(1, interval.lengthNanos());
        }
    }

    public TimelineColumns(List<Interval> intervals) {
        lengthNanos =
                intervals.isEmpty() ? 0 : intervals.get(intervals.size() - 1).endNanos();
        long planned = 0;
        long ended = 0;
        for (Interval interval : joined(intervals)) {
            Ledger ledger = interval.recording().ledger();
            planned += ledger.planned();
            ended += ledger.answered() + ledger.failed() + ledger.timedOut();
            columns.add(new Column(interval, Math.max(0, planned - ended)));
        }
    }

    /** Merges intervals. A short rest, such as answers after the last whole second, joins the last column. */
    private List<Interval> joined(List<Interval> intervals) {
        double leastNanos = NEARLY * lengthNanos / MOST_COLUMNS;
        List<Interval> joined = new ArrayList<>();
        Interval open = null;
        for (Interval interval : intervals) {
            open = open == null ? interval : open.then(interval);
            if (open.lengthNanos() >= leastNanos && open.lengthNanos() > 0) {
                joined.add(open);
                open = null;
            }
        }
        int last = joined.size() - 1;
        Interval rest = open == null && last > 0 ? joined.remove(last--) : open;
        if (rest != null) {
            boolean tiny = last >= 0 && rest.lengthNanos() < joined.get(last).lengthNanos() / 4;
            if (tiny) {
                joined.set(last, joined.get(last).then(rest));
            } else {
                joined.add(rest);
            }
        }
        return joined;
    }

    public List<Column> columns() {
        return columns;
    }

    long lengthNanos() {
        return lengthNanos;
    }

    /** The largest count of a column; 0 without columns. */
    long most(ToLongFunction<Column> count) {
        return columns.stream().mapToLong(count).max().orElse(0);
    }

    /** A step line with one level per column. */
    Path steps(Plot plot, ToDoubleFunction<Column> value) {
        Path path = new Path();
        for (Column column : columns) {
            double y = plot.y(value.applyAsDouble(column));
            path.to(plot.x(column.interval().startNanos()), y)
                    .to(plot.x(column.interval().endNanos()), y);
        }
        return path;
    }

    /** One reading per column, at its middle: "30.0 s to 31.0 s: ...". */
    List<Chart.Reading> readings(Plot plot, Function<Column, String> words) {
        return columns.stream()
                .map(column -> new Chart.Reading(plot.x(column.middle()), column.span() + ": " + words.apply(column)))
                .toList();
    }

    /** Whether there are enough columns to draw. */
    public boolean isShown() {
        return columns.size() > 1 && lengthNanos > 0;
    }
}
