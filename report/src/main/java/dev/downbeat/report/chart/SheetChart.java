package dev.downbeat.report.chart;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.report.data.Numbers;
import java.util.List;

/** Response times against load, with the sustainable rate as a line: the curve that a data sheet has on its first page. */
public final class SheetChart implements Chart {
    private static final double TICK = 4;

    private final Capacity capacity;
    private final List<RateStep> steps;
    private final Plot plot;

    public SheetChart(Capacity capacity) {
        this.capacity = capacity;
        this.steps = RateCurve.carrying(
                capacity.steps().stream().filter(step -> step.outcome() != RateStep.Outcome.UNSOUND), 50);
        double most = steps.stream().mapToDouble(RateStep::perSecond).max().orElse(1);
        long least = steps.stream()
                .mapToLong(step -> RateCurve.nanos(step, 50))
                .min()
                .orElse(1);
        long greatest = steps.stream()
                .mapToLong(step -> RateCurve.nanos(step, 99))
                .max()
                .orElse(1);
        plot = new Plot(new Box(70, 26, 884, 290), Scale.Linear.counts(most), Scale.Log.durations(least, greatest));
    }

    /** One rate is no curve. */
    @Override
    public boolean isShown() {
        return steps.size() > 1;
    }

    @Override
    public About about() {
        return new About(
                "curve",
                "Characteristic curve",
                "Response time by requests per second, with 95 % intervals. Dashed: the highest rate that was"
                        + " sustained.",
                "From " + point(steps.get(0)) + " to " + point(steps.get(steps.size() - 1))
                        + ". The table below has the same numbers.",
                370,
                Axis.ACROSS);
    }

    private static String point(RateStep step) {
        return RateCurve.words(step, 50) + " at the median of " + Numbers.rate(step.perSecond());
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "requests per second");
        if (capacity.sustainablePerSecond().isPresent()) {
            double x = plot.x(capacity.sustainablePerSecond().getAsDouble());
            svg.line(x, plot.box().y(), x, plot.box().bottom(), Svg.Stroke.dashed(Hue.SLO));
            svg.haloed(
                    x - 6,
                    plot.box().y() + 14,
                    "sustainable",
                    Svg.Label.end(Hue.SLO).strong());
        }
        draw(svg, new RateCurve(plot, 99, Hue.RESPONSE));
        draw(svg, new RateCurve(plot, 50, Hue.SERVICE));
        svg.haloed(plot.box().x() + 4, 14, "p99", Svg.Label.start(Hue.RESPONSE).strong());
        svg.haloed(plot.box().x() + 50, 14, "p50", Svg.Label.start(Hue.SERVICE).strong());
    }

    private void draw(Svg svg, RateCurve curve) {
        Path path = new Path();
        for (RateStep step : RateCurve.carrying(steps.stream(), curve.percentile())) {
            path.to(curve.x(step), curve.y(step));
            svg.dot(curve.x(step), curve.y(step), TICK, curve.hue());
            curve.interval(svg, step);
        }
        svg.path(path.toString(), Svg.Stroke.of(curve.hue(), 2));
    }

    @Override
    public List<Reading> readings() {
        return steps.stream()
                .map(step -> new Reading(
                        plot.x(step.perSecond()),
                        point(step) + ", " + step.outcome().word()))
                .toList();
    }
}
