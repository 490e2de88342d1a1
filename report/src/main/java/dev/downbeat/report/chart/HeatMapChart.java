package dev.downbeat.report.chart;

import dev.downbeat.record.BucketCounts.Bucket;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Exemplar;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.ClockLabels;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** All requests by intended time and response time, coloured by their number. */
public final class HeatMapChart implements Chart {
    private static final int BANDS = 42;
    private static final double NOTABLE = 3;
    /** Enough for either label of the slowest request. */
    private static final double LABEL_WIDTH = 330;

    private static final int HEIGHT = 330;

    private final RunResult result;
    private final Distribution times;
    private final List<ServiceLevelObjective.Percentile> slos;
    private final Plot plot;
    private final IntendedGrid grid;
    /** The most readings, about the resolution of a pointer. */
    private static final int MOST_READINGS = 100;

    private final EventTracks tracks;

    /**
     * Draws the requests of a run.
     *
     * @param timeline columns of its intervals
     */
    public HeatMapChart(RunReport report, TimelineColumns timeline) {
        result = report.result();
        Recording recording = result.recording();
        times = recording.responseAtLeast();
        slos = ServiceLevelObjective.Percentile.among(
                report.verdict().objectives().stream().map(JudgedObjective::slo));
        Scale.Log up = Scale.Log.durations(times.minNanos(), times.maxNanos());
        Scale across = Scale.time(timeline.lengthNanos());
        plot = new Plot(new Box(70, 24, 884, 6 * BANDS), across, up);
        grid = new IntendedGrid(result.intervals(), up, BANDS);
        tracks = new EventTracks(report.analysis().events(), report.why(), plot);
    }

    @Override
    public About about() {
        return new About(
                "heatmap",
                ClockLabels.of(result).every(),
                lead(),
                Numbers.count(times.count(), "request") + " over " + DurationText.rounded(result.durationNanos())
                        + ", from "
                        + DurationText.rounded(times.minNanos()) + " to " + DurationText.rounded(times.maxNanos()) + "."
                        + slowest().map(one -> " The " + slowest(one) + ".").orElse("")
                        + tracks.description(),
                HEIGHT + tracks.height(),
                Axis.TIME);
    }

    private String lead() {
        return "Stronger colour means more requests, on a logarithmic scale. Start times are known to within "
                + "one interval"
                + (times.count() > result.recording().response().count()
                        ? "; unfinished requests are drawn at their duration so far."
                        : ".")
                + tracks.lead();
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, ClockLabels.of(result).axis());
        cells(svg);
        objectives(svg);
        slowest().ifPresent(one -> labelSlowest(svg, one));
        tracks.draw(svg, HEIGHT);
    }

    /** One path per colour, in cell units; adjacent cells of a colour form one stroke. */
    private void cells(Svg svg) {
        Box cell = new Box(
                plot.box().x(),
                plot.box().y(),
                plot.box().width() / grid.columns(),
                plot.box().height() / BANDS);
        for (int level = 0; level < ThemeColour.HEAT.length; level++) {
            StringBuilder data = new StringBuilder();
            for (int row = 0; row < BANDS; row++) {
                for (int column = 0; column < grid.columns(); column++) {
                    int from = column;
                    while (column < grid.columns()
                            && grid.level(column, BANDS - 1 - row, ThemeColour.HEAT.length) == level) {
                        column++;
                    }
                    if (column > from) {
                        data.append('M')
                                .append(from)
                                .append(' ')
                                .append(row)
                                .append('h')
                                .append(column - from);
                    }
                }
            }
            if (data.length() > 0) {
                svg.cells(data.toString(), cell, ThemeColour.HEAT[level]);
            }
        }
    }

    private void objectives(Svg svg) {
        List<Double> taken = new ArrayList<>();
        for (ServiceLevelObjective.Percentile slo : slos) {
            double y = plot.y(slo.limitNanos());
            boolean isInRange = slo.limitNanos() < ((Scale.Log) plot.up()).high()
                    && slo.limitNanos() > ((Scale.Log) plot.up()).low();
            if (isInRange) {
                svg.line(plot.box().x(), y, plot.box().right(), y, Svg.Stroke.dashed(ThemeColour.SLO));
                boolean isFree = taken.stream().noneMatch(other -> Math.abs(other - y) < Svg.FONT);
                if (isFree) {
                    boolean isCrossed = slos.stream()
                            .mapToDouble(other -> y - plot.y(other.limitNanos()))
                            .anyMatch(above -> above > 0 && above < 2 * Svg.FONT);
                    svg.haloed(
                            plot.box().x() + 6,
                            isCrossed ? y + Svg.FONT + 2 : y - 5,
                            slo.subject() + " " + slo.limit(),
                            Svg.Label.start(ThemeColour.SLO));
                    taken.add(y);
                }
            }
        }
    }

    /** The slowest answered request, if it is far slower than most. */
    private Optional<Exemplar> slowest() {
        return result.recording().anatomy().exemplars().stream()
                .findFirst()
                .filter(one -> one.responseNanos() > NOTABLE * times.valueAtPercentile(50));
    }

    private String slowest(Exemplar one) {
        return "slowest " + ClockLabels.of(result).noun() + " "
                + ClockLabels.of(result).started() + " at " + Numbers.seconds(one.intendedNanos()) + " and took "
                + DurationText.rounded(one.responseNanos());
    }

    private void labelSlowest(Svg svg, Exemplar one) {
        double x = plot.x(one.intendedNanos());
        double y = Math.max(plot.box().y() + 8, plot.y(one.responseNanos()));
        // later requests waited less, so the incident lies between the two
        double ended = plot.x(one.intendedNanos() + one.responseNanos());
        boolean right =
                plot.box().right() - ended > LABEL_WIDTH || x - plot.box().x() < LABEL_WIDTH;
        double at = right ? Math.min(ended + 20, plot.box().right() - LABEL_WIDTH) : x - 20;
        Svg.Label label = right ? Svg.Label.start(ThemeColour.INK) : Svg.Label.end(ThemeColour.INK);
        svg.haloed(
                at,
                y,
                "at " + Numbers.seconds(one.intendedNanos()) + " the slowest: "
                        + DurationText.rounded(one.responseNanos()),
                label.strong());
        if (result.lanes().peakBacklog() > 0) {
            svg.haloed(at, y + 17, BacklogChart.peak(result), label);
        }
    }

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        int step = 1 + (grid.columns() - 1) / MOST_READINGS;
        for (int first = 0; first < grid.columns(); first += step) {
            int end = Math.min(grid.columns(), first + step);
            double middle = (first + end) / 2.0 * grid.columnNanos();
            long count = IntStream.range(first, end).mapToLong(grid::count).sum();
            long top =
                    IntStream.range(first, end).mapToLong(grid::topNanos).max().orElse(0);
            readings.add(new Reading(
                    plot.x(middle),
                    "near " + Numbers.seconds(Math.round(middle)) + ": about " + Numbers.count(count, "request")
                            + (top == 0 ? "" : ", up to " + DurationText.rounded(Math.min(top, times.maxNanos())))
                            + tracks.within(first * grid.columnNanos(), end * grid.columnNanos())));
        }
        return readings;
    }

    /**
     * Requests by intended time and response time. A request is counted in the interval in which it ended. Its intended
     * time is that end less its response time, and so known to within one interval. A bucket's requests are spread evenly
     * over that time.
     */
    static final class IntendedGrid {
        private static final int LEAST_COLUMNS = 60;
        private static final int MOST_COLUMNS = 240;
        private static final double NEGLIGIBLE = 0.1;

        private final double[][] counts;

        /** The band of each bucket, plus one; 0 until its first use. A logarithm for each would be most of the work. */
        private final int[] bandOf = new int[Bucket.of(Distribution.MAX_NANOS) + 1];

        private final Scale.Log durations;
        private final double columnNanos;
        private final long lengthNanos;
        private double most;

        IntendedGrid(List<Interval> intervals, Scale.Log durations, int bands) {
            this.durations = durations;
            this.lengthNanos = intervals.get(intervals.size() - 1).endNanos();
            int each = Math.max(1, (LEAST_COLUMNS + intervals.size() - 1) / intervals.size());
            int columns = Math.min(MOST_COLUMNS, each * intervals.size());
            this.columnNanos = (double) lengthNanos / columns;
            this.counts = new double[columns][bands];
            for (Interval interval : intervals) {
                Distribution times = interval.recording().responseAtLeast();
                times.forEach((nanos, count) -> spread(interval, nanos, count));
            }
        }

        private void spread(Interval interval, long nanos, long count) {
            double from = (double) Math.max(0, Math.min(interval.startNanos() - nanos, lengthNanos - 1));
            double to = Math.max(from + 1, (double) Math.min(interval.endNanos() - nanos, lengthNanos));
            int band = band(nanos);
            int last = (int) Math.min(counts.length - 1, to / columnNanos);
            for (int column = (int) (from / columnNanos); column <= last; column++) {
                double overlap = Math.min(to, (column + 1) * columnNanos) - Math.max(from, column * columnNanos);
                if (overlap > NEGLIGIBLE * Math.min(columnNanos, to - from)) {
                    counts[column][band] += count * overlap / (to - from);
                    most = Math.max(most, counts[column][band]);
                }
            }
        }

        private int band(long nanos) {
            int bucket = Bucket.of(nanos);
            if (bandOf[bucket] == 0) {
                int bands = counts[0].length;
                bandOf[bucket] = 1 + (int) Math.min(bands - 1, durations.share((double) nanos) * bands);
            }
            return bandOf[bucket] - 1;
        }

        int columns() {
            return counts.length;
        }

        int bands() {
            return counts[0].length;
        }

        /** The colour level of a cell: -1 for no request, 0 to {@code levels - 1} otherwise, on a logarithmic scale. */
        int level(int column, int band, int levels) {
            double count = counts[column][band];
            if (count == 0) {
                return -1;
            }
            return count <= 1 || most <= 1 ? 0 : (int) Math.min(levels - 1, Math.log(count) / Math.log(most) * levels);
        }

        /** The number of requests intended in a column, rounded. */
        long count(int column) {
            double sum = 0;
            for (double count : counts[column]) {
                sum += count;
            }
            return Math.round(sum);
        }

        /** The upper end of the highest non-empty band, in nanoseconds; 0 if there is none. */
        long topNanos(int column) {
            for (int band = bands() - 1; band >= 0; band--) {
                if (counts[column][band] > 0) {
                    return Math.round(durations.valueAt((band + 1.0) / bands()));
                }
            }
            return 0;
        }

        double columnNanos() {
            return columnNanos;
        }
    }
}
