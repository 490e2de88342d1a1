package dev.downbeat.report.view.compare;

import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.Comparison;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Box;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Hue;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The relative difference of each percentile between two systems, with intervals where known: the shift function. Above
 * the line of no change, the other system is slower.
 */
final class ShiftChart implements Chart {
    private static final double ROOM = 0.35;
    private static final double CAP = 6;
    private static final int POINTS = 240;

    /** A finer scale would exaggerate small changes. */
    private static final double LEAST_REACH = Math.log(1.05);

    private final String id;
    private final Comparison comparison;
    private final OptionalDouble tolerance;
    private final Plot plot;

    /**
     * @param id a unique name on the page
     * @param tolerance accepted slowdown, if given
     */
    ShiftChart(String id, Comparison comparison, OptionalDouble tolerance) {
        this.id = id;
        this.comparison = comparison;
        this.tolerance = tolerance;
        double nines = 1;
        double reach = Math.max(LEAST_REACH, 1.2 * Math.log1p(tolerance.orElse(0)));
        for (ComparedRow row : comparison.rows()) {
            nines = Math.max(nines, Scale.Nines.of(row.percentile()));
            for (double change : List.of(
                    row.change(),
                    row.lowChange().orElse(row.change()),
                    row.highChange().orElse(row.change()))) {
                reach = Math.max(reach, 1.1 * Math.abs(logOf(change)));
            }
        }
        plot = new Plot(new Box(70, 24, 884, 290), new Scale.Nines(nines + ROOM), new Scale.Change(reach));
    }

    private static double logOf(double change) {
        return Math.log1p(Math.max(change, -0.999_999));
    }

    @Override
    public boolean isShown() {
        return !comparison.rows().isEmpty();
    }

    @Override
    public About about() {
        return new About(
                id,
                comparison.other().name() + " against " + comparison.base().name(),
                lead(),
                ChangeText.sentence(comparison) + ". The table has the same numbers.",
                360,
                Axis.ACROSS);
    }

    private String lead() {
        return "Change of the response time at each percentile; the bars are 95 % intervals. Above the line it is slower,"
                + " below it faster; a bar across the line is no answer.";
    }

    @Override
    public void draw(Svg svg) {
        Box box = plot.box();
        if (tolerance.isPresent()) {
            double top = plot.y(tolerance.getAsDouble());
            svg.box(new Box(box.x(), top, box.width(), plot.y(0.0) - top), Hue.SHADE);
        }
        plot.axes(svg, "percentile of requests");
        tolerance.ifPresent(share -> svg.haloed(
                box.right() - 6,
                plot.y(share) - 5,
                "no regression: up to " + ChangeText.of(share),
                Svg.Label.end(Hue.MUTED)));
        curve(svg);
        svg.line(box.x(), plot.y(0.0), box.right(), plot.y(0.0), Svg.Stroke.of(Hue.INK, 1.4));
        svg.haloed(
                box.x() + 6,
                box.y() + 12,
                "slower ↑",
                Svg.Label.start(Hue.RESPONSE).strong());
        svg.haloed(
                box.x() + 6,
                box.bottom() - 8,
                "faster ↓",
                Svg.Label.start(Hue.SERVICE).strong());
        for (ComparedRow row : comparison.rows()) {
            bar(svg, row);
        }
    }

    /** The measured differences at all percentiles in between, without intervals. */
    private void curve(Svg svg) {
        Distribution base = comparison.base().total().responseAtLeast();
        Distribution other = comparison.other().total().responseAtLeast();
        double last = Scale.Nines.of(
                comparison.rows().get(comparison.rows().size() - 1).percentile());
        Path path = new Path();
        for (int i = 0; i <= POINTS; i++) {
            double nines = last * i / POINTS;
            double share = 1 - Math.pow(10, -nines);
            double before = Math.max(1, at(base, share));
            path.to(plot.x(nines), plot.y(at(other, share) / before - 1));
        }
        svg.path(path.toString(), new Svg.Stroke(Hue.MUTED, 1.2, "2 3"));
    }

    private static double at(Distribution times, double share) {
        return times.valueAtRank(Math.max(1, (long) Math.ceil(share * times.count())));
    }

    private static Hue hue(ChangeAnswer answer) {
        return switch (answer) {
            case FASTER -> Hue.SERVICE;
            case SLOWER -> Hue.RESPONSE;
            case SAME, CANNOT_TELL, NOT_JUDGED -> Hue.MUTED;
        };
    }

    /** A bar for an interval; an unknown end is dotted to the edge of the chart. */
    private void bar(Svg svg, ComparedRow row) {
        double x = plot.x(Scale.Nines.of(row.percentile()));
        double y = plot.y(row.change());
        Hue hue = hue(row.answer());
        if (row.lowChange().isPresent() || row.highChange().isPresent()) {
            half(svg, x, y, row.lowChange(), plot.box().bottom(), hue);
            half(svg, x, y, row.highChange(), plot.box().y(), hue);
        }
        svg.dot(x, y, 5, hue);
        if (hue == Hue.MUTED) {
            svg.dot(x, y, 3, Hue.PAPER);
        }
        double room = comparison.rows().stream()
                .mapToDouble(other -> plot.x(Scale.Nines.of(other.percentile())) - x)
                .filter(far -> far > 0)
                .min()
                .orElse(Double.MAX_VALUE);
        svg.beside(
                x, 11, y - 2, ChangeText.of(row.change()), Svg.Label.start(hue).strong(), room);
        svg.beside(x, 11, y + 13, ChangeText.answer(row), Svg.Label.start(hue), room);
    }

    private void half(Svg svg, double x, double from, OptionalDouble end, double edge, Hue hue) {
        if (end.isEmpty()) {
            svg.line(x, from, x, edge, new Svg.Stroke(hue, 2, "1 4"));
            return;
        }
        double y = plot.y(end.getAsDouble());
        svg.line(x, from, x, y, Svg.Stroke.of(hue, 3));
        svg.line(x - CAP, y, x + CAP, y, Svg.Stroke.of(hue, 2));
    }

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (ComparedRow row : comparison.rows()) {
            String interval = ChangeText.interval(row);
            readings.add(new Reading(
                    plot.x(Scale.Nines.of(row.percentile())),
                    Percentiles.name(row.percentile()) + ": "
                            + ChangeText.time(row.baseNanos(), row.baseIsLowerBound()) + " to "
                            + ChangeText.time(row.otherNanos(), row.otherIsLowerBound()) + ", "
                            + ChangeText.of(row.change())
                            + (interval.isEmpty() ? "" : " (95 %: " + interval + ")") + ", "
                            + row.answer().word().toLowerCase(Locale.ROOT)));
        }
        return readings;
    }
}
