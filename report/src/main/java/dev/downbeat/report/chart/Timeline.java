package dev.downbeat.report.chart;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import java.util.ArrayList;
import java.util.List;

/**
 * The intervals of a run in as many columns as a picture can show. Joining loses no request: the percentiles of a column
 * are those of its requests.
 */
public final class Timeline {
    private static final int MOST_COLUMNS = 240;
    private static final double NEARLY = 0.98;

    private final List<Column> columns = new ArrayList<>();
    private final long lengthNanos;

    /**
     * A stretch of the run.
     *
     * @param outstanding requests that were due before its end and had not ended by then
     */
    public record Column(Interval interval, long outstanding) {
        public Recording recording() {
            return interval.recording();
        }

        double perSecond(long count) {
            return count * 1e9 / Math.max(1, interval.lengthNanos());
        }
    }

    public Timeline(List<Interval> intervals) {
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

    /** What is left over at the end, such as the last answers after the last whole second, is part of the last column. */
    private List<Interval> joined(List<Interval> intervals) {
        double wanted = NEARLY * lengthNanos / MOST_COLUMNS;
        List<Interval> joined = new ArrayList<>();
        Interval open = null;
        for (Interval interval : intervals) {
            open = open == null ? interval : open.then(interval);
            if (open.lengthNanos() >= wanted && open.lengthNanos() > 0) {
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

    /** Whether there is a course of time to show. */
    public boolean isShown() {
        return columns.size() > 1 && lengthNanos > 0;
    }
}
