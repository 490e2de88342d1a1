package dev.downbeat.report.chart;

import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Numbers;
import java.util.List;

/** The number of outstanding requests over time, and the longest queue for a free connection or stream. */
public final class BacklogChart implements Chart {
    private final RunResult result;
    private final TimelineColumns timeline;
    private final Plot plot;

    public BacklogChart(RunResult result, TimelineColumns timeline) {
        this.result = result;
        this.timeline = timeline;
        plot = new Plot(
                new Box(70, 22, 884, 130),
                Scale.time(timeline.lengthNanos()),
                Scale.Linear.counts(
                        Math.max(result.lanes().peakBacklog(), timeline.most(TimelineColumns.Column::outstanding))));
    }

    /** Shown if there was a queue. */
    @Override
    public boolean isShown() {
        return result.lanes().peakBacklog() > 0;
    }

    @Override
    public About about() {
        return new About(
                "backlog",
                "Backlog",
                "Requests due but not finished, at the end of each interval. The dot marks the longest queue"
                        + (isCounted(result) ? " for a free " + slot(result) : "") + ".",
                peak(result) + ".",
                205,
                Axis.TIME);
    }

    /** Whether the target counts connections for which requests could wait. */
    private static boolean isCounted(RunResult result) {
        return !result.connections().isNone();
    }

    /** The resource that requests wait for. */
    private static String slot(RunResult result) {
        return result.connections().streams().begun() > 0 ? "stream" : "connection";
    }

    /** "at most 21 waited for a free connection, at 5.0 s". */
    static String peak(RunResult result) {
        return "at most " + Numbers.count(result.lanes().peakBacklog())
                + (isCounted(result) ? " waited for a free " + slot(result) : " waited to be sent") + ", at "
                + Numbers.seconds(result.lanes().peakBacklogAtNanos());
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "time");
        Path line = line();
        plot.area(svg, line, ThemeColour.RESPONSE, 0.18);
        svg.path(line, Svg.Stroke.of(ThemeColour.RESPONSE, 1.8));
        double x = plot.x(result.lanes().peakBacklogAtNanos());
        double y = plot.y(result.lanes().peakBacklog());
        svg.dot(x, y, 4, ThemeColour.RESPONSE);
        boolean isLeftHalf = x < plot.box().x() + plot.box().width() / 2;
        svg.haloed(
                isLeftHalf ? x + 12 : x - 12,
                Math.min(plot.box().bottom() - 6, y + 5),
                peak(result),
                isLeftHalf ? Svg.Label.start(ThemeColour.INK) : Svg.Label.end(ThemeColour.INK));
    }

    /** Includes the peak, which lies inside a column; otherwise the line would stay below the longest queue. */
    private Path line() {
        Path path = new Path().to(plot.box().x(), plot.box().bottom());
        boolean isPeakAhead = true;
        for (TimelineColumns.Column column : timeline.columns()) {
            if (isPeakAhead
                    && result.lanes().peakBacklogAtNanos() <= column.interval().endNanos()) {
                path.to(
                        plot.x(result.lanes().peakBacklogAtNanos()),
                        plot.y(result.lanes().peakBacklog()));
                isPeakAhead = false;
            }
            path.to(plot.x(column.interval().endNanos()), plot.y(column.outstanding()));
        }
        return path;
    }

    @Override
    public List<Reading> readings() {
        return timeline.columns().stream()
                .map(column -> new Reading(
                        plot.x(column.interval().endNanos()),
                        "at " + Numbers.seconds(column.interval().endNanos()) + ": "
                                + Numbers.count(column.outstanding()) + " outstanding"))
                .toList();
    }
}
