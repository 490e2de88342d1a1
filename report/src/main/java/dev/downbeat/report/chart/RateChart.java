package dev.downbeat.report.chart;

import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.stats.Numbers;
import java.util.List;

/** Requests per second: planned, answered, and failed. */
public final class RateChart implements Chart {
    private final TimelineColumns timeline;
    private final Plot plot;
    private final boolean hasFailures;

    public RateChart(TimelineColumns timeline) {
        this.timeline = timeline;
        hasFailures = timeline.columns().stream().anyMatch(column -> unanswered(column) > 0);
        double most = 0;
        for (TimelineColumns.Column column : timeline.columns()) {
            most = Math.max(most, Math.max(planned(column), Math.max(answered(column), unanswered(column))));
        }
        plot = new Plot(new Box(70, 26, 884, 150), Scale.time(timeline.lengthNanos()), Scale.Linear.counts(most));
    }

    private static double planned(TimelineColumns.Column column) {
        return column.perSecond(column.recording().ledger().planned());
    }

    private static double answered(TimelineColumns.Column column) {
        return column.perSecond(column.recording().ledger().answered());
    }

    private static double unanswered(TimelineColumns.Column column) {
        return column.perSecond(column.recording().ledger().failed()
                + column.recording().ledger().timedOut());
    }

    @Override
    public About about() {
        return new About(
                "rates",
                "Intended and completed rate",
                "Requests per second. Dashed: intended. Solid: answered."
                        + (hasFailures ? " Dotted: failed or timed out." : ""),
                description(),
                230,
                Axis.TIME);
    }

    private String description() {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (TimelineColumns.Column column : timeline.columns()) {
            least = Math.min(least, answered(column));
            most = Math.max(most, answered(column));
        }
        return "The answered rate ranged from " + Numbers.rate(least) + " to " + Numbers.rate(most) + ".";
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "time");
        svg.path(timeline.steps(plot, RateChart::answered), Svg.Stroke.of(ThemeColour.SERVICE, 2));
        svg.path(timeline.steps(plot, RateChart::planned), new Svg.Stroke(ThemeColour.INK, 1.4, "6 4"));
        if (hasFailures) {
            svg.path(timeline.steps(plot, RateChart::unanswered), new Svg.Stroke(ThemeColour.BAD, 2, "2 3"));
        }
        plot.key(svg, 4, "- - intended", ThemeColour.INK);
        plot.key(svg, 104, "— answered", ThemeColour.SERVICE);
        if (hasFailures) {
            plot.key(svg, 204, "··· failed or timed out", ThemeColour.BAD);
        }
    }

    @Override
    public List<Reading> readings() {
        return timeline.readings(
                plot,
                column -> "intended " + Numbers.rate(planned(column)) + ", answered " + Numbers.rate(answered(column))
                        + (hasFailures ? ", failed or timed out " + Numbers.rate(unanswered(column)) : ""));
    }
}
