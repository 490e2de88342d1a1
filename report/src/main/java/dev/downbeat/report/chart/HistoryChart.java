package dev.downbeat.report.chart;

import dev.downbeat.compare.History;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.level.LevelChange;
import dev.downbeat.time.DurationText;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** One percentile over all builds, with its levels and changes. */
public final class HistoryChart implements Chart {
    private final History history;
    private final History.OfPercentile series;
    private final Plot plot;

    /**
     * Draws one percentile.
     *
     * @param series one of the history's series
     */
    public HistoryChart(History history, History.OfPercentile series) {
        this.history = history;
        this.series = series;
        long least = series.nanos().stream().min(Long::compare).orElse(1L);
        long most = series.nanos().stream().max(Long::compare).orElse(1L);
        plot = new Plot(
                new Box(70, 24, 884, 170),
                new Scale.Names(
                        history.builds().stream().map(build -> build.name()).toList(), 884),
                Scale.Log.durations(Math.min(least, most), most));
    }

    private long level(int build) {
        return LevelChange.nanos(series.levels().level(build));
    }

    @Override
    public About about() {
        return new About(
                "history-" + Percentiles.name(series.percentile()).replace('.', '-'),
                Percentiles.name(series.percentile()) + " by build",
                "Each point is a build, the line its level. Shaded: 95 % CI of the build that introduced the change. Hollow:"
                        + " isolated outliers.",
                description(),
                248,
                Axis.ACROSS);
    }

    private String description() {
        int last = history.builds().size() - 1;
        return "From " + DurationText.rounded(level(0)) + " at "
                + history.builds().get(0).name() + " to "
                + DurationText.rounded(level(last)) + " at "
                + history.builds().get(last).name() + ", with "
                + Numbers.count(series.levels().changes().size(), "lasting change") + ".";
    }

    @Override
    public void draw(Svg svg) {
        for (LevelChange change : series.levels().changes()) {
            double from = plot.x(change.earliest() - 0.5);
            double to = Math.max(from + 2, plot.x(change.latest() + 0.5));
            plot.band(svg, from, to, change.change() > 0 ? ThemeColour.HIDDEN : ThemeColour.SHADE);
        }
        plot.axes(svg, "build, the newest last");
        Path levels = new Path();
        for (int i = 0; i < history.builds().size(); i++) {
            levels.to(plot.x(i - 0.5), plot.y(level(i))).to(plot.x(i + 0.5), plot.y(level(i)));
        }
        svg.path(levels, Svg.Stroke.of(ThemeColour.SERVICE, 2));
        List<Integer> outliers = series.levels().outliers();
        for (int i = 0; i < history.builds().size(); i++) {
            double y = plot.y(series.nanos().get(i));
            svg.dot(plot.x(i), y, 3.2, ThemeColour.MUTED);
            if (outliers.contains(i)) {
                svg.dot(plot.x(i), y, 1.8, ThemeColour.PAPER);
            }
        }
        for (LevelChange change : series.levels().changes()) {
            double x = plot.x(change.at() - 0.5);
            double before = plot.y(LevelChange.nanos(change.before()));
            double after = plot.y(LevelChange.nanos(change.after()));
            ThemeColour hue = change.change() > 0 ? ThemeColour.BAD : ThemeColour.SLO;
            svg.line(x, before, x, after, Svg.Stroke.of(hue, 2.4));
            svg.haloed(
                    x,
                    plot.box().y() - 8,
                    Scale.Names.shown(history.builds().get(change.at()).name()) + ": "
                            + String.format(Locale.ROOT, "%+.0f %%", 100 * change.change()),
                    (x > plot.box().right() - 120 ? Svg.Label.end(hue) : Svg.Label.middle(hue)).strong());
        }
    }

    @Override
    public List<Reading> readings() {
        return IntStream.range(0, history.builds().size())
                .mapToObj(i -> new Reading(
                        plot.x(i),
                        history.builds().get(i).name() + ": "
                                + DurationText.rounded(series.nanos().get(i)) + ", level "
                                + DurationText.rounded(level(i))))
                .toList();
    }
}
