package dev.downbeat.report.chart;

import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.SessionReport;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;

/** The share of sessions with a slow request, by threshold, next to that of single requests. */
public record SessionChart(SessionReport report, Plot plot) implements Chart {
    private static final int POINTS = 60;

    public SessionChart(SessionReport report) {
        this(
                report,
                new Plot(
                        new Box(70, 26, 884, 220),
                        Scale.Log.durations(
                                Math.max(1, report.times().valueAtPercentile(1)),
                                report.times().maxNanos()),
                        Scale.Linear.shares()));
    }

    @Override
    public About about() {
        return new About(
                "sessions",
                "Share of sessions with at least one slower request",
                "For each time, the share of sessions that hit a request that takes longer.",
                report.independentlySlowerThan(report.times().valueAtPercentile(50))
                                .text()
                        + " of sessions hit a request slower than the median, if slow requests are independent.",
                300,
                Axis.ACROSS);
    }

    private double single(long nanos) {
        return report.times().countAbove(nanos) / (double) report.times().count();
    }

    private List<Long> times() {
        Scale.Log log = (Scale.Log) plot.across();
        List<Long> times = new ArrayList<>();
        for (int i = 0; i <= POINTS; i++) {
            times.add(Math.round(log.valueAt((double) i / POINTS)));
        }
        return times;
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "slower than");
        Path single = new Path();
        Path independent = new Path();
        Path replayed = new Path();
        for (long nanos : times()) {
            double x = plot.x(nanos);
            single.to(x, plot.y(single(nanos)));
            independent.to(x, plot.y(report.independentlySlowerThan(nanos).atLeast()));
            report.replayedSlowerThan(nanos).ifPresent(share -> replayed.to(x, plot.y(share.atLeast())));
        }
        svg.path(single, Svg.Stroke.of(ThemeColour.MUTED, 1.6));
        svg.path(independent, Svg.Stroke.dashed(ThemeColour.SERVICE));
        plot.key(svg, 4, "— of requests", ThemeColour.MUTED);
        plot.key(svg, 134, "- - of sessions, if independent", ThemeColour.SERVICE);
        if (!replayed.isEmpty()) {
            svg.path(replayed, Svg.Stroke.of(ThemeColour.RESPONSE, 2));
            plot.key(svg, 404, "— of sessions, in this run", ThemeColour.RESPONSE);
        }
    }

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (long nanos : times()) {
            readings.add(new Reading(
                    plot.x(nanos),
                    "slower than " + DurationText.rounded(nanos) + ": "
                            + report.independentlySlowerThan(nanos).text() + " if independent"
                            + report.replayedSlowerThan(nanos)
                                    .map(share -> ", " + share.text() + " in this run")
                                    .orElse("")));
        }
        return readings;
    }
}
