package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.ServiceTimesByPosition;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.List;
import java.util.stream.IntStream;

/** Service times by position on the connection: the cost of first requests, and periodic slowness. */
public final class PositionCurve implements Chart {
    private static final int LEAST_POSITIONS = 4;
    private static final double HIGH = 90;

    private final ServiceTimesByPosition positions;

    /** The positions with enough requests, ascending. */
    private final List<Integer> supported;

    private final Plot plot;

    public PositionCurve(ServiceTimesByPosition positions) {
        this.positions = positions;
        supported = IntStream.rangeClosed(1, positions.last())
                .filter(position ->
                        ResponseBounds.hasEnoughFor(HIGH, positions.at(position).count()))
                .boxed()
                .toList();
        long most = supported.stream()
                .mapToLong(position -> nanos(position, HIGH))
                .max()
                .orElse(1);
        long least = supported.stream()
                .mapToLong(position -> nanos(position, 50))
                .min()
                .orElse(most);
        double last = Math.max(2, positions.last());
        Scale.Linear across = Scale.Linear.counts(last / 1.08);
        plot = new Plot(new Box(70, 26, 884, 150), across, Scale.Log.durations(least, Math.max(1, most)));
    }

    private long nanos(int position, double percentile) {
        return positions.at(position).valueAtPercentile(percentile);
    }

    /** Shown if the target reports positions and enough requests can be compared. */
    @Override
    public boolean isShown() {
        return supported.size() >= LEAST_POSITIONS;
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
        boolean areComparable =
                ResponseBounds.hasEnoughFor(50, first.count()) && ResponseBounds.hasEnoughFor(50, rest.count());
        return areComparable
                ? "The median of first requests is " + DurationText.rounded(first.valueAtPercentile(50))
                        + ", that of later ones " + DurationText.rounded(rest.valueAtPercentile(50)) + "."
                : "Positions up to " + positions.last() + ".";
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "request on its connection");
        line(svg, HIGH, Svg.Stroke.of(ThemeColour.RESPONSE, 1.6));
        line(svg, 50, Svg.Stroke.of(ThemeColour.SERVICE, 1.8));
        plot.key(svg, 4, "— " + Percentiles.name(HIGH), ThemeColour.RESPONSE);
        plot.key(svg, 70, "— p50", ThemeColour.SERVICE);
    }

    private void line(Svg svg, double percentile, Svg.Stroke stroke) {
        Path path = new Path();
        int last = 0;
        for (int position : supported) {
            if (position > last + 1) {
                path.gap();
            }
            last = position;
            double x = plot.x(position);
            double y = plot.y(nanos(position, percentile));
            path.to(x, y);
            if (position == 1 || positions.last() <= 100) {
                svg.dot(x, y, 2.4, stroke.hue());
            }
        }
        svg.path(path, stroke);
    }

    @Override
    public List<Reading> readings() {
        return supported.stream()
                .map(position -> new Reading(
                        plot.x(position),
                        "request " + position + " on its connection: p50 " + DurationText.rounded(nanos(position, 50))
                                + ", p90 " + DurationText.rounded(nanos(position, HIGH)) + " of "
                                + Numbers.count(positions.at(position).count())))
                .toList();
    }
}
