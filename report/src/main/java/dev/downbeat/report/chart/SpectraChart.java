package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Response times by percentile of several results, overlaid. On the axis each further nine takes the same width. */
public final class SpectraChart implements Chart {
    private static final double NAME_HEIGHT = Svg.FONT + 3;
    private static final double FIRST_SHOWN = 10;

    private final List<ChartSeries> series;
    private final Plot plot;

    /** Results with too few answers for a median are omitted. */
    public SpectraChart(List<ChartSeries> all) {
        series = all.stream()
                .filter(one -> ResponseBounds.hasEnoughFor(50, times(one).count()))
                .toList();
        long least = Long.MAX_VALUE;
        long most = 1;
        double nines = 1;
        for (ChartSeries one : series) {
            least = Math.min(least, times(one).valueAtPercentile(FIRST_SHOWN));
            most = Math.max(most, times(one).maxNanos());
            nines = Math.max(nines, ninesOf(one));
        }
        plot = new Plot(
                new Box(70, 20, 760, 340), new Scale.Nines(nines), Scale.Log.durations(Math.min(least, most), most));
    }

    private static Distribution times(ChartSeries one) {
        return one.recording().responseAtLeast();
    }

    /** The nines at which a single request lies beyond. */
    private static double ninesOf(ChartSeries one) {
        return Math.max(1, Math.log10((double) Math.max(1, times(one).count())));
    }

    /** Shown for two lines or more. */
    @Override
    public boolean isShown() {
        return series.size() > 1;
    }

    @Override
    public About about() {
        return new About("spectra", "Response times by percentile", lead(), description(), 410, Axis.ACROSS);
    }

    private String lead() {
        boolean censored =
                series.stream().anyMatch(one -> !one.recording().censored().isEmpty());
        return "From the intended start of each request; each step to the right is ten times rarer. A line ends at the"
                + " slowest request."
                + (censored ? " Unfinished requests count with their duration so far." : "");
    }

    private String description() {
        List<String> medians = new ArrayList<>();
        for (ChartSeries one : series) {
            medians.add(one.name() + " has its median at "
                    + PercentileCells.time(Observations.bounds(one.recording()), 50) + " and its maximum at "
                    + PercentileCells.time(Observations.bounds(one.recording()), 100));
        }
        return String.join("; ", medians) + ".";
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "percentile of requests");
        List<End> ends = new ArrayList<>();
        for (ChartSeries one : series) {
            SpectrumCurve curve = new SpectrumCurve(times(one), plot);
            svg.path(curve.between(Scale.Nines.of(FIRST_SHOWN), ninesOf(one)), one.stroke());
            double x = plot.x(ninesOf(one));
            ends.add(new End(one, x, curve.y(x)));
        }
        ends.sort(Comparator.comparingDouble(End::y));
        double next = plot.box().y();
        double lowest = plot.box().bottom() - NAME_HEIGHT * ends.size();
        for (End end : ends) {
            double y = Math.max(next, Math.min(end.y(), lowest));
            svg.line(end.x(), end.y(), plot.box().right() + 6, y, Svg.Stroke.of(ThemeColour.GRID, 1));
            svg.dot(end.x(), end.y(), 3, end.one().hue());
            // above the line's end: on a narrow page the label overlays the chart, where the line rises from below
            svg.name(
                    plot.box().right(),
                    10,
                    y - 5,
                    end.one().shortName(),
                    Svg.Label.start(end.one().hue()).strong());
            next = y + NAME_HEIGHT;
            lowest += NAME_HEIGHT;
        }
    }

    /** The end of a line. */
    private record End(ChartSeries one, double x, double y) {}

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (double percentile : Percentiles.belowMax(Percentiles.Place.CHART)) {
            List<String> values = new ArrayList<>();
            for (ChartSeries one : series) {
                if (ResponseBounds.hasEnoughFor(percentile, times(one).count())) {
                    values.add(one.shortName() + " "
                            + PercentileCells.time(Observations.bounds(one.recording()), percentile));
                }
            }
            if (!values.isEmpty()) {
                readings.add(new Reading(
                        plot.x(Scale.Nines.of(percentile)),
                        Percentiles.name(percentile) + ": " + String.join(", ", values)));
            }
        }
        return readings;
    }
}
