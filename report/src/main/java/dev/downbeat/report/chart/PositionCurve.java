package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.ServiceTimesByPosition;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Hue;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;

/** Service times by position on the connection: the cost of first requests, and periodic slowness. */
public final class PositionCurve implements Chart {
    private static final int LEAST_PLACES = 4;
    private static final double HIGH = 90;

    private final ServiceTimesByPosition positions;
    private final Plot plot;

    public PositionCurve(ServiceTimesByPosition positions) {
        this.positions = positions;
        long least = Long.MAX_VALUE;
        long most = 1;
        for (int position = 1; position <= positions.last(); position++) {
            Distribution times = positions.at(position);
            if (ResponseBounds.carries(HIGH, times.count())) {
                least = Math.min(least, times.valueAtPercentile(50));
                most = Math.max(most, times.valueAtPercentile(HIGH));
            }
        }
        double last = Math.max(2, positions.last());
        Scale.Linear across = Scale.Linear.counts(last / 1.08);
        plot = new Plot(new Box(70, 26, 884, 150), across, Scale.Log.durations(Math.min(least, most), most));
    }

    /** Shown if the target reports positions and enough requests can be compared. */
    @Override
    public boolean isShown() {
        int carried = 0;
        for (int position = 1; position <= positions.last(); position++) {
            carried += ResponseBounds.carries(HIGH, positions.at(position).count()) ? 1 : 0;
        }
        return carried >= LEAST_PLACES;
    }

    @Override
    public About about() {
        return new About(
                "position",
                "Position on the connection",
                "Service time of the first, second, third... request on its connection, where there are enough of them."
                        + (positions.last() == ServiceTimesByPosition.LAST
                                ? " Position " + ServiceTimesByPosition.LAST + " includes all later ones."
                                : ""),
                description(),
                230,
                Axis.ACROSS);
    }

    private String description() {
        Distribution first = positions.at(1);
        Distribution rest = positions.afterFirst();
        boolean known = ResponseBounds.carries(50, first.count()) && ResponseBounds.carries(50, rest.count());
        return known
                ? "The median of first requests is " + DurationText.rounded(first.valueAtPercentile(50))
                        + ", that of later ones " + DurationText.rounded(rest.valueAtPercentile(50)) + "."
                : "Positions up to " + positions.last() + ".";
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "request on its connection");
        line(svg, HIGH, Svg.Stroke.of(Hue.RESPONSE, 1.6));
        line(svg, 50, Svg.Stroke.of(Hue.SERVICE, 1.8));
        svg.haloed(
                plot.box().x() + 4,
                14,
                "— " + Percentiles.name(HIGH),
                Svg.Label.start(Hue.RESPONSE).strong());
        svg.haloed(
                plot.box().x() + 70, 14, "— p50", Svg.Label.start(Hue.SERVICE).strong());
    }

    private void line(Svg svg, double percentile, Svg.Stroke stroke) {
        Path path = new Path();
        for (int position = 1; position <= positions.last(); position++) {
            Distribution times = positions.at(position);
            if (!ResponseBounds.carries(HIGH, times.count())) {
                path.gap();
                continue;
            }
            double x = plot.x(position);
            double y = plot.y(times.valueAtPercentile(percentile));
            path.to(x, y);
            if (position == 1 || positions.last() <= 100) {
                svg.dot(x, y, 2.4, stroke.hue());
            }
        }
        if (!path.isEmpty()) {
            svg.path(path.toString(), stroke);
        }
    }

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (int position = 1; position <= positions.last(); position++) {
            Distribution times = positions.at(position);
            if (ResponseBounds.carries(HIGH, times.count())) {
                readings.add(new Reading(
                        plot.x(position),
                        "request " + position + " on its connection: p50 "
                                + DurationText.rounded(times.valueAtPercentile(50))
                                + ", p90 " + DurationText.rounded(times.valueAtPercentile(HIGH)) + " of "
                                + Numbers.count(times.count())));
            }
        }
        return readings;
    }
}
