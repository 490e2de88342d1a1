package dev.downbeat.report.view.position;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.PositionTable;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Service times by position in the run, with new connections marked, so that periodic slowness is visible. */
final class PositionCurves implements Chart {
    private static final int MOST_MARKS = 12;
    private static final int MOST_READINGS = 120;
    private static final double BOTTOM = 246;

    private record Curve(double percentile, ThemeColour hue) {
        boolean isSupportedBy(Distribution times) {
            return percentile == 100 || ResponseBounds.hasEnoughFor(percentile, times.count());
        }
    }

    private static final List<Curve> CURVES = List.of(
            new Curve(100, ThemeColour.RESPONSE),
            new Curve(99, ThemeColour.LOOKUP),
            new Curve(75, ThemeColour.SERVICE),
            new Curve(50, ThemeColour.MUTED));

    private final PositionReport report;
    private final String id;
    private final String title;
    private final List<PositionTable.Row> rows;
    private final List<Curve> curves;
    private final Plot plot;

    PositionCurves(PositionReport report) {
        this(report, List.of(report), "curve", "Service time by request of a run");
    }

    private PositionCurves(PositionReport report, Collection<PositionReport> all, String id, String title) {
        this.report = report;
        this.id = id;
        this.title = title;
        this.rows = report.places().rows();
        this.curves = CURVES.stream()
                .filter(curve -> rows.stream().anyMatch(row -> curve.isSupportedBy(row.service())))
                .toList();
        long least = Long.MAX_VALUE;
        long most = 1;
        double last = 2;
        for (PositionReport one : all) {
            for (PositionTable.Row row : one.places().rows()) {
                least = Math.min(least, row.service().valueAtPercentile(50));
                most = Math.max(most, row.service().maxNanos());
                last = Math.max(last, row.place());
            }
        }
        plot = new Plot(
                new Box(70, 40, 884, BOTTOM - 40),
                Scale.Linear.longCounts(last / 1.08),
                Scale.Log.durations(Math.min(least, most), most));
    }

    /** One chart per report, stacked on the same axes. */
    static List<Chart> of(Map<String, PositionReport> reports) {
        List<Chart> charts = new ArrayList<>();
        reports.forEach((name, report) ->
                charts.add(new PositionCurves(report, reports.values(), "curve-" + (charts.size() + 1), name)));
        return charts;
    }

    @Override
    public boolean isShown() {
        return rows.size() > 1;
    }

    @Override
    public About about() {
        return new About(
                id,
                title,
                report.lives().isRule() ? "Shaded: the first request on a new connection." : "",
                description(),
                (int) BOTTOM + 50,
                Axis.ACROSS);
    }

    private String description() {
        PositionTable.Row first = rows.get(0);
        return "The first request takes " + DurationText.rounded(first.service().valueAtPercentile(50))
                + " at the median" + cause() + ". The table lists the notable positions.";
    }

    /** The largest part of a first request's extra cost. */
    private String cause() {
        return report.cost()
                .map(FirstRequestCost::partsNanos)
                .flatMap(parts -> parts.entrySet().stream()
                        .filter(part -> part.getValue() > 0)
                        .max(Map.Entry.<Part, Long>comparingByValue()))
                .map(part -> ", " + report.names().of(part.getKey()) + " " + DurationText.rounded(part.getValue()))
                .orElse("");
    }

    @Override
    public void draw(Svg svg) {
        List<Integer> newConnections = newConnections();
        double width = Math.max(2, plot.x(2.0) - plot.x(1.0));
        for (int place : newConnections) {
            plot.band(svg, plot.x(place) - width / 2, plot.x(place) + width / 2, ThemeColour.SHADE);
        }
        plot.axes(svg, "request of a run");
        double x = plot.box().x() + 4;
        for (Curve curve : curves) {
            line(svg, curve);
            String name = "— " + Percentiles.name(curve.percentile());
            svg.haloed(x, 14, name, Svg.Label.start(curve.hue()).strong());
            x += 70;
        }
        if (report.lives().isRule() && newConnections.size() > 1) {
            svg.haloed(
                    plot.x(newConnections.get(1)),
                    34,
                    "new connections: every " + report.lives().usual() + " requests" + cause(),
                    Svg.Label.middle(ThemeColour.INK));
        }
    }

    private List<Integer> newConnections() {
        List<Integer> newConnections = new ArrayList<>();
        int last = rows.get(rows.size() - 1).place();
        for (int place = 1; report.lives().isRule() && place <= last && newConnections.size() < MOST_MARKS; ) {
            newConnections.add(place);
            place += report.lives().usual();
        }
        return newConnections;
    }

    private void line(Svg svg, Curve curve) {
        Path path = new Path();
        for (PositionTable.Row row : rows) {
            if (curve.isSupportedBy(row.service())) {
                path.to(plot.x(row.place()), plot.y(row.service().valueAtPercentile(curve.percentile())));
            } else {
                path.gap();
            }
        }
        svg.path(path, Svg.Stroke.of(curve.hue(), 1.8));
    }

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        int step = 1 + (rows.size() - 1) / MOST_READINGS;
        for (int i = 0; i < rows.size(); i += step) {
            PositionTable.Row row = rows.get(i);
            StringBuilder words = new StringBuilder("request " + Numbers.count(row.place()) + ":");
            for (Curve curve : curves) {
                if (curve.isSupportedBy(row.service())) {
                    words.append(' ')
                            .append(Percentiles.name(curve.percentile()))
                            .append(' ')
                            .append(DurationText.rounded(row.service().valueAtPercentile(curve.percentile())));
                }
            }
            readings.add(new Reading(plot.x(row.place()), words.toString()));
        }
        return readings;
    }
}
