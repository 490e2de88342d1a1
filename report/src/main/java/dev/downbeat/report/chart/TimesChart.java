package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Median, a high percentile and maximum of the response times, by the time of the answer. */
public final class TimesChart implements Chart {
    private static final double LEAST_SHOWN_SHARE = 0.8;
    private static final int HEIGHT = 265;

    private final TimelineColumns timeline;
    private final OptionalDouble high;
    private final Plot plot;
    private final EventTracks tracks;
    private final List<TimelineColumns.Column> others;
    private final String otherName;

    /**
     * Draws the response times.
     *
     * @param report the run, and another one to overlay, if any
     */
    public TimesChart(TimelineColumns timeline, RunReport report) {
        this.timeline = timeline;
        this.otherName = report.beside().map(RunReport.Beside::name).orElse("");
        this.others = report.beside()
                .map(other -> new TimelineColumns(other.run().result().intervals())
                        .columns().stream()
                                .filter(column -> column.interval().endNanos() <= timeline.lengthNanos())
                                .toList())
                .orElse(List.of());
        this.high = highestSupported();
        Distribution all = Distribution.sum(Stream.concat(timeline.columns().stream(), others.stream())
                .map(column -> column.recording().responseAtLeast())
                .toList());
        plot = new Plot(
                new Box(70, 20, 884, 190),
                Scale.time(timeline.lengthNanos()),
                Scale.Log.durations(least(all), all.maxNanos()));
        tracks = new EventTracks(report.analysis().events(), report.why(), plot);
    }

    /** The minimum of everything drawn, since lower values would be drawn at the edge. */
    private long least(Distribution all) {
        return LongStream.concat(
                        lowest(timeline.columns(), high.isPresent() ? 50 : 100), lowest(others, high.orElse(100)))
                .min()
                .orElse(all.maxNanos());
    }

    private static LongStream lowest(List<TimelineColumns.Column> columns, double percentile) {
        return columns.stream()
                .flatMapToLong(column ->
                        PercentileCells.percentile(column.recording().responseAtLeast(), percentile).stream());
    }

    /** The highest percentile with enough requests in most columns. */
    private OptionalDouble highestSupported() {
        List<Distribution> times = timeline.columns().stream()
                .map(column -> column.recording().responseAtLeast())
                .filter(one -> !one.isEmpty())
                .toList();
        return Percentiles.of(Percentiles.Place.CHART).stream()
                .mapToDouble(percentile -> percentile)
                .filter(percentile -> percentile > 50 && percentile <= 99)
                .filter(percentile -> isSupported(percentile, times))
                .max();
    }

    private static boolean isSupported(double percentile, List<Distribution> times) {
        long supported = times.stream()
                .filter(one -> ResponseBounds.hasEnoughFor(percentile, one.count()))
                .count();
        return supported > 0 && supported >= LEAST_SHOWN_SHARE * times.size();
    }

    @Override
    public About about() {
        return new About(
                "times",
                high.isPresent() ? "Over time: median, " + name() + " and the maximum" : "Over time: the maximum",
                lead(),
                description(),
                HEIGHT + tracks.height(),
                Axis.TIME);
    }

    private String name() {
        return Percentiles.name(high.orElse(50));
    }

    private String lead() {
        return "Response times of the requests that ended in each interval"
                + (timeline.columns().stream().anyMatch(TimesChart::isSilent)
                        ? "; grey: none ended although some were due."
                        : ".")
                + (others.isEmpty()
                        ? ""
                        : " Dash-dotted: " + Percentiles.name(high.orElse(100)) + " of " + otherName + ".")
                + tracks.lead();
    }

    private static boolean isSilent(TimelineColumns.Column column) {
        return column.recording().responseAtLeast().isEmpty() && column.outstanding() > 0;
    }

    private String description() {
        TimelineColumns.Column worst = timeline.columns().get(0);
        for (TimelineColumns.Column column : timeline.columns()) {
            boolean worse = column.recording().responseAtLeast().maxNanos()
                    > worst.recording().responseAtLeast().maxNanos();
            worst = worse ? column : worst;
        }
        return "The highest maximum is "
                + PercentileCells.time(Observations.bounds(worst.recording()), 100) + ", from "
                + Numbers.seconds(worst.interval().startNanos()) + " to "
                + Numbers.seconds(worst.interval().endNanos()) + ".";
    }

    @Override
    public void draw(Svg svg) {
        for (TimelineColumns.Column column : timeline.columns()) {
            if (isSilent(column)) {
                plot.band(
                        svg,
                        plot.x(column.interval().startNanos()),
                        plot.x(column.interval().endNanos()),
                        ThemeColour.SHADE);
            }
        }
        plot.axes(svg, "time at which the request ended");
        List<Line> lines = lines();
        lines.forEach(line -> draw(svg, timeline.columns(), line));
        draw(svg, others, new Line(high.orElse(100), SpectrumChart.OVERLAID));
        labels(svg, lines);
        tracks.draw(svg, HEIGHT);
    }

    /** A percentile with its line style. */
    private record Line(double percentile, Svg.Stroke stroke) {}

    /** From the lowest percentile to the highest. */
    private List<Line> lines() {
        Line max = new Line(100, Svg.Stroke.of(ThemeColour.RESPONSE, 2.2));
        return high.isEmpty()
                ? List.of(max)
                : List.of(
                        new Line(50, Svg.Stroke.of(ThemeColour.MUTED, 1.6)),
                        new Line(high.getAsDouble(), Svg.Stroke.of(ThemeColour.INK, 1.8)),
                        max);
    }

    private void draw(Svg svg, List<TimelineColumns.Column> columns, Line line) {
        Path path = new Path();
        for (TimelineColumns.Column column : columns) {
            OptionalLong nanos = PercentileCells.percentile(column.recording().responseAtLeast(), line.percentile());
            if (nanos.isPresent()) {
                double y = plot.y(nanos.getAsLong());
                path.to(plot.x(column.interval().startNanos()), y)
                        .to(plot.x(column.interval().endNanos()), y);
            } else {
                path.gap();
            }
        }
        svg.path(path, line.stroke());
    }

    /** Labels to the right of the lines, in their order, at readable distances and below the top. */
    private void labels(Svg svg, List<Line> lines) {
        double[] ys = new double[lines.size()];
        double below = plot.box().bottom() + 2 * Svg.FONT;
        for (int i = 0; i < ys.length; i++) {
            ys[i] = Math.min(plot.y(last(lines.get(i).percentile())) + 4, below - Svg.FONT - 2);
            below = ys[i];
        }
        double down = Math.max(0, plot.box().y() + 4 - below);
        for (int i = 0; i < ys.length; i++) {
            svg.text(
                    plot.box().right() + 6,
                    ys[i] + down,
                    Percentiles.name(lines.get(i).percentile()),
                    Svg.Label.start(lines.get(i).stroke().hue()).strong());
        }
    }

    private long last(double percentile) {
        long last = 0;
        for (TimelineColumns.Column column : timeline.columns()) {
            last = PercentileCells.percentile(column.recording().responseAtLeast(), percentile)
                    .orElse(last);
        }
        return last;
    }

    @Override
    public List<Reading> readings() {
        return timeline.readings(plot, column -> values(column.recording()));
    }

    private String values(Recording recording) {
        Distribution times = recording.responseAtLeast();
        if (times.isEmpty()) {
            return "none ended";
        }
        StringBuilder values = new StringBuilder();
        double[] percentiles = high.isPresent() ? new double[] {50, high.getAsDouble(), 100} : new double[] {50, 100};
        for (double percentile : percentiles) {
            if (ResponseBounds.hasEnoughFor(percentile, times.count())) {
                values.append(Percentiles.name(percentile))
                        .append(' ')
                        .append(PercentileCells.time(Observations.bounds(recording), percentile))
                        .append(percentile == 100 ? "" : ", ");
            }
        }
        return values.toString();
    }
}
