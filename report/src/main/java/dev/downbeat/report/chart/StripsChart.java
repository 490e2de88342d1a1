package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Hue;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.SideBySide;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/** Several results over time, one strip each, on the same scales. */
public final class StripsChart implements Chart {
    private static final double TOP = 8;
    private static final double STRIP = 84;
    private static final double GAP = 46;

    private final List<SideBySide.Named> results = new ArrayList<>();
    private final List<ChartSeries> strands = new ArrayList<>();
    private final List<TimelineColumns> timelines = new ArrayList<>();
    private final List<Plot> plots = new ArrayList<>();

    public StripsChart(SideBySide report) {
        long least = Long.MAX_VALUE;
        long most = 1;
        long lengthNanos = 1;
        for (int i = 0; i < report.results().size(); i++) {
            SideBySide.Named named = report.results().get(i);
            Distribution times = named.result().recording().responseAtLeast();
            TimelineColumns timeline = new TimelineColumns(named.result().intervals());
            if (timeline.isShown() && !times.isEmpty()) {
                results.add(named);
                strands.add(ChartSeries.of(report).get(i));
                timelines.add(timeline);
                lengthNanos = Math.max(lengthNanos, timeline.lengthNanos());
                least = Math.min(least, times.valueAtPercentile(25));
                most = Math.max(most, times.maxNanos());
            }
        }
        Scale across = Scale.time(lengthNanos);
        Scale up = Scale.Log.durations(Math.min(least, most), most);
        for (int i = 0; i < results.size(); i++) {
            plots.add(new Plot(new Box(70, TOP + GAP + i * (STRIP + GAP), 884, STRIP), across, up));
        }
    }

    /** Shown if at least one result has a timeline. */
    @Override
    public boolean isShown() {
        return !results.isEmpty();
    }

    @Override
    public About about() {
        return new About(
                "course",
                "Over time: the median and the maximum",
                lead(),
                description(),
                (int) (TOP + GAP + results.size() * (STRIP + GAP) + 24),
                Axis.ACROSS);
    }

    private String lead() {
        return "Response times of the requests that ended in each interval, on the same scales for all; from the"
                + " median to the maximum.";
    }

    private String description() {
        List<String> highest = new ArrayList<>();
        for (SideBySide.Named named : results) {
            highest.add(named.name() + " has its maximum at "
                    + DurationText.rounded(
                            named.result().recording().responseAtLeast().maxNanos()));
        }
        return String.join("; ", highest) + ".";
    }

    @Override
    public void draw(Svg svg) {
        for (int i = 0; i < results.size(); i++) {
            Plot plot = plots.get(i);
            plot.axes(svg, i == results.size() - 1 ? "time at which the request ended" : "");
            ChartSeries strand = strands.get(i);
            band(svg, i);
            svg.haloed(
                    plot.box().x() + 2,
                    plot.box().y() - 7,
                    strand.name(),
                    Svg.Label.start(strand.hue()).strong());
        }
    }

    /** The band between median and maximum; intervals without ended requests are gaps. */
    private void band(Svg svg, int which) {
        Plot plot = plots.get(which);
        Path maximum = new Path();
        Path median = new Path();
        StringBuilder areas = new StringBuilder();
        for (TimelineColumns.Column column : timelines.get(which).columns()) {
            Distribution times = column.recording().responseAtLeast();
            OptionalLong high = PercentileCells.percentile(times, 100);
            if (high.isEmpty()) {
                maximum.gap();
                median.gap();
                continue;
            }
            double from = plot.x(column.interval().startNanos());
            double to = plot.x(column.interval().endNanos());
            double top = plot.y(high.getAsLong());
            double low = plot.y(times.valueAtPercentile(50));
            maximum.to(from, top).to(to, top);
            median.to(from, low).to(to, low);
            areas.append(new Path().to(from, top).to(to, top).to(to, low).to(from, low))
                    .append('Z');
        }
        if (areas.length() > 0) {
            Hue hue = strands.get(which).hue();
            svg.area(areas.toString(), hue, 0.16);
            svg.path(median.toString(), Svg.Stroke.of(Hue.MUTED, 1.4));
            svg.path(maximum.toString(), Svg.Stroke.of(hue, 1.8));
        }
    }

    /** Readings at the intervals of the longest result. */
    @Override
    public List<Reading> readings() {
        List<TimelineColumns.Column> columns = timelines.stream()
                .max(Comparator.comparingLong(TimelineColumns::lengthNanos))
                .orElseThrow()
                .columns();
        List<Reading> readings = new ArrayList<>();
        for (TimelineColumns.Column column : columns) {
            double middle = column.middle();
            List<String> words = new ArrayList<>();
            for (int i = 0; i < timelines.size(); i++) {
                String name = strands.get(i).name();
                timelines.get(i).columns().stream()
                        .filter(one -> one.interval().startNanos() <= middle
                                && one.interval().endNanos() > middle)
                        .findFirst()
                        .ifPresent(one ->
                                words.add(name + ": " + values(one.recording().responseAtLeast())));
            }
            readings.add(
                    new Reading(plots.get(0).x(middle), column.span() + ", p50 and max: " + String.join("; ", words)));
        }
        return readings;
    }

    private static String values(Distribution times) {
        return times.isEmpty()
                ? "none ended"
                : DurationText.rounded(times.valueAtPercentile(50)) + " and " + DurationText.rounded(times.maxNanos());
    }
}
