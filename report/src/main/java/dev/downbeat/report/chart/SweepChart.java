package dev.downbeat.report.chart;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.RateStep.StepOutcome;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Response times by offered rate, with the objectives and the certainly sustained rates. */
public final class SweepChart implements Chart {
    private static final List<Double> HIGH = List.of(99.0, 90.0);
    private static final double LEAST_SHOWN_SHARE = 0.8;

    private final Capacity capacity;
    private final List<RateStep> steps;
    private final List<ServiceLevelObjective.Percentile> slos;
    private final double high;
    private final Plot plot;

    public SweepChart(Capacity capacity) {
        this.capacity = capacity;
        this.steps = RateCurve.withEnoughRequests(capacity.steps().stream(), 50);
        this.slos = ServiceLevelObjective.Percentile.among(capacity.plan().slos().stream());
        this.high = high();
        double most = steps.stream().mapToDouble(RateStep::perSecond).max().orElse(1);
        plot = new Plot(new Box(70, 26, 884, 310), Scale.Linear.longCounts(most), durations());
    }

    /** The percentile above the median: the highest with an objective, otherwise the highest with enough requests. */
    private double high() {
        Stream<Double> ofObjectives = slos.stream()
                .map(ServiceLevelObjective.Percentile::percentile)
                .filter(percentile -> percentile > 50)
                .sorted(Comparator.reverseOrder());
        return Stream.concat(ofObjectives, HIGH.stream())
                .filter(percentile ->
                        RateCurve.withEnoughRequests(steps.stream(), percentile).size()
                                >= LEAST_SHOWN_SHARE * steps.size())
                .findFirst()
                .orElse(75.0);
    }

    private Scale.Log durations() {
        long least = Long.MAX_VALUE;
        long most = 1;
        for (RateStep step : steps) {
            least = Math.min(least, RateCurve.nanos(step, 50));
            most = Math.max(most, RateCurve.nanos(step, high));
        }
        for (ServiceLevelObjective.Percentile slo : slos) {
            least = Math.min(least, slo.limitNanos());
            most = Math.max(most, slo.limitNanos());
        }
        return Scale.Log.durations(Math.min(least, most), most);
    }

    /** Shown for two rates or more. */
    @Override
    public boolean isShown() {
        return steps.size() > 1;
    }

    @Override
    public About about() {
        return new About(
                "curve",
                "Response time by rate",
                lead(),
                "From " + point(steps.get(0)) + " to " + point(steps.get(steps.size() - 1))
                        + ". The table of rates has the same numbers.",
                390,
                Axis.ACROSS);
    }

    private String lead() {
        return "Each point is one rate, with its 95 % CI where known. Filled: all objectives met; crossed: "
                + "missed; hollow: undecided. Dotted: overloaded, the queue kept growing, so these times depend "
                + "on how long you measure.";
    }

    private String point(RateStep step) {
        return "a median of " + RateCurve.words(step, 50) + " at " + Numbers.rate(step.perSecond());
    }

    @Override
    public void draw(Svg svg) {
        unsure(svg);
        plot.axes(svg, "requests per second, as intended");
        objectives(svg);
        sustainable(svg);
        saturation(svg);
        RateCurve median = new RateCurve(plot, 50, ThemeColour.SERVICE);
        RateCurve tail = new RateCurve(plot, high, ThemeColour.RESPONSE);
        draw(svg, median);
        draw(svg, tail);
        double below = name(svg, median, plot.box().bottom() + 2 * Svg.FONT);
        name(svg, tail, below);
    }

    /** The area between the certainly sustained and the certainly excessive rate. */
    private void unsure(Svg svg) {
        if (capacity.sustainablePerSecond().isPresent()
                && capacity.tooHighPerSecond().isPresent()) {
            double from = plot.x(capacity.sustainablePerSecond().getAsDouble());
            double to = plot.x(capacity.tooHighPerSecond().getAsDouble());
            plot.band(svg, from, Math.max(from + 1, to), ThemeColour.SHADE);
        }
    }

    private void objectives(Svg svg) {
        for (ServiceLevelObjective.Percentile slo : slos) {
            double y = plot.y(slo.limitNanos());
            svg.line(plot.box().x(), y, plot.box().right(), y, Svg.Stroke.dashed(ThemeColour.SLO));
            svg.haloed(plot.box().x() + 6, y - 6, slo.subject() + " " + slo.limit(), Svg.Label.start(ThemeColour.SLO));
        }
    }

    private void sustainable(Svg svg) {
        if (capacity.sustainablePerSecond().isEmpty()) {
            return;
        }
        double perSecond = capacity.sustainablePerSecond().getAsDouble();
        double x = plot.x(perSecond);
        svg.line(x, plot.box().y(), x, plot.box().bottom(), Svg.Stroke.dashed(ThemeColour.SLO));
        String words = "sustained " + Numbers.rate(perSecond);
        boolean left = x - Svg.widthOfBold(words) > plot.box().x() + 10;
        svg.haloed(
                left ? x - 7 : x + 7,
                plot.box().y() + 14,
                words,
                (left ? Svg.Label.end(ThemeColour.SLO) : Svg.Label.start(ThemeColour.SLO)).strong());
    }

    private void saturation(Svg svg) {
        capacity.saturation().ifPresent(found -> {
            double x = plot.x(found.perSecond());
            double low = plot.x(found.lowPerSecond());
            plot.band(svg, low, Math.max(low + 1, plot.x(found.highPerSecond())), ThemeColour.GRID);
            svg.line(x, plot.box().y(), x, plot.box().bottom(), new Svg.Stroke(ThemeColour.MUTED, 1.4, "2 3"));
            String words = "saturates at " + Numbers.rate(found.perSecond());
            boolean right = x + Svg.widthOf(words) < plot.box().right();
            svg.haloed(
                    right ? x + 7 : x - 7,
                    plot.box().bottom() - 10,
                    words,
                    right ? Svg.Label.start(ThemeColour.MUTED) : Svg.Label.end(ThemeColour.MUTED));
        });
    }

    private void draw(Svg svg, RateCurve curve) {
        List<RateStep> points = RateCurve.withEnoughRequests(steps.stream(), curve.percentile());
        Path settled = new Path();
        Path growing = new Path();
        for (int i = 1; i < points.size(); i++) {
            RateStep from = points.get(i - 1);
            RateStep to = points.get(i);
            (to.outcome() == StepOutcome.GROWING ? growing : settled)
                    .gap()
                    .to(curve.x(from), curve.y(from))
                    .to(curve.x(to), curve.y(to));
        }
        svg.path(settled, Svg.Stroke.of(curve.hue(), 2));
        svg.path(growing, new Svg.Stroke(curve.hue(), 2, "2 4"));
        points.forEach(step -> mark(svg, curve, step));
    }

    private static void mark(Svg svg, RateCurve curve, RateStep step) {
        double x = curve.x(step);
        double y = curve.y(step);
        curve.interval(svg, step);
        if (step.outcome().isFailure()) {
            svg.cross(x, y, 4, Svg.Stroke.of(curve.hue(), 2.2));
            return;
        }
        svg.dot(x, y, 4, curve.hue());
        if (step.outcome() != StepOutcome.PASS) {
            svg.dot(x, y, 2.2, ThemeColour.PAPER);
        }
    }

    /** Labels a curve right of its last point, above the label of the line below it. */
    private double name(Svg svg, RateCurve curve, double below) {
        RateStep last = steps.get(steps.size() - 1);
        double y = Math.min(curve.y(last) + 4, below - Svg.FONT - 2);
        svg.name(
                curve.x(last),
                9,
                y,
                Percentiles.name(curve.percentile()),
                Svg.Label.start(curve.hue()).strong());
        return y;
    }

    @Override
    public List<Reading> readings() {
        return steps.stream()
                .map(step -> new Reading(
                        plot.x(step.perSecond()),
                        Numbers.rate(step.perSecond()) + ": p50 " + RateCurve.words(step, 50) + ", "
                                + Percentiles.name(high) + " " + RateCurve.words(step, high) + ", "
                                + step.outcome().word()))
                .toList();
    }

    /** A percentile of the response time by rate, with its interval at each rate. */
    private record RateCurve(Plot plot, double percentile, ThemeColour hue) {
        /** The rates with enough requests for the percentile. */
        static List<RateStep> withEnoughRequests(Stream<RateStep> steps, double percentile) {
            return steps.filter(step ->
                            ResponseBounds.hasEnoughFor(percentile, times(step).count()))
                    .toList();
        }

        static long nanos(RateStep step, double percentile) {
            return times(step).valueAtPercentile(percentile);
        }

        static String words(RateStep step, double percentile) {
            return PercentileCells.time(Observations.bounds(step.recording()), percentile);
        }

        private static Distribution times(RateStep step) {
            return step.recording().responseAtLeast();
        }

        double x(RateStep step) {
            return plot.x(step.perSecond());
        }

        double y(RateStep step) {
            return plot.y(nanos(step, percentile));
        }

        void interval(Svg svg, RateStep step) {
            step.responseTime(percentile)
                    .filter(QuantileInterval::isBounded)
                    .ifPresent(interval -> svg.line(
                            x(step),
                            plot.y(interval.lowNanos().orElseThrow()),
                            x(step),
                            plot.y(interval.highNanos().orElseThrow()),
                            Svg.Stroke.of(hue, 2)));
        }
    }
}
