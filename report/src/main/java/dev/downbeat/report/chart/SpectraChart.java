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

    private final List<ChartSeries> strands;
    private final Plot plot;

    /** Results with too few answers for a median are omitted. */
    public SpectraChart(List<ChartSeries> all) {
        strands = all.stream()
                .filter(strand -> ResponseBounds.hasEnoughFor(50, times(strand).count()))
                .toList();
        long least = Long.MAX_VALUE;
        long most = 1;
        double nines = 1;
        for (ChartSeries strand : strands) {
            least = Math.min(least, times(strand).valueAtPercentile(FIRST_SHOWN));
            most = Math.max(most, times(strand).maxNanos());
            nines = Math.max(nines, ninesOf(strand));
        }
        plot = new Plot(
                new Box(70, 20, 760, 340), new Scale.Nines(nines), Scale.Log.durations(Math.min(least, most), most));
    }

    private static Distribution times(ChartSeries strand) {
        return strand.recording().responseAtLeast();
    }

    /** The nines at which a single request lies beyond. */
    private static double ninesOf(ChartSeries strand) {
        return Math.max(1, Math.log10((double) Math.max(1, times(strand).count())));
    }

    /** Shown for two lines or more. */
    @Override
    public boolean isShown() {
        return strands.size() > 1;
    }

    @Override
    public About about() {
        return new About("spectra", "Response times by percentile", lead(), description(), 410, Axis.ACROSS);
    }

    private String lead() {
        boolean censored = strands.stream()
                .anyMatch(strand -> !strand.recording().censored().isEmpty());
        return "From the intended start of each request; each step to the right is ten times rarer. A line ends at the"
                + " slowest request."
                + (censored ? " Unfinished requests count with their duration so far." : "");
    }

    private String description() {
        List<String> medians = new ArrayList<>();
        for (ChartSeries strand : strands) {
            medians.add(strand.name() + " has its median at "
                    + PercentileCells.time(Observations.bounds(strand.recording()), 50) + " and its maximum at "
                    + PercentileCells.time(Observations.bounds(strand.recording()), 100));
        }
        return String.join("; ", medians) + ".";
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "percentile of requests");
        List<End> ends = new ArrayList<>();
        for (ChartSeries strand : strands) {
            SpectrumCurve curve = new SpectrumCurve(times(strand), plot);
            svg.path(curve.between(Scale.Nines.of(FIRST_SHOWN), ninesOf(strand)).toString(), strand.stroke());
            double x = plot.x(ninesOf(strand));
            ends.add(new End(strand, x, curve.y(x)));
        }
        ends.sort(Comparator.comparingDouble(End::y));
        double next = plot.box().y();
        double room = plot.box().bottom() - NAME_HEIGHT * ends.size();
        for (End end : ends) {
            double y = Math.max(next, Math.min(end.y(), room));
            svg.line(end.x(), end.y(), plot.box().right() + 6, y, Svg.Stroke.of(ThemeColour.GRID, 1));
            svg.dot(end.x(), end.y(), 3, end.strand().hue());
            svg.name( // above the line's end, since on a narrow page the label overlays the chart and the line
                    // rises from below
                    plot.box().right(),
                    10,
                    y - 5,
                    end.strand().shortName(),
                    Svg.Label.start(end.strand().hue()).strong());
            next = y + NAME_HEIGHT;
            room += NAME_HEIGHT;
        }
    }

    /** The end of a line. */
    private record End(ChartSeries strand, double x, double y) {}

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (double percentile : Percentiles.belowMax(Percentiles.Place.CHART)) {
            List<String> values = new ArrayList<>();
            for (ChartSeries strand : strands) {
                if (ResponseBounds.hasEnoughFor(percentile, times(strand).count())) {
                    values.add(strand.shortName() + " "
                            + PercentileCells.time(Observations.bounds(strand.recording()), percentile));
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
