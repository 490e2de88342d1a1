package dev.downbeat.report.chart;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.stats.Numbers;
import java.util.List;

/** Answered requests per second by offered rate. The limit is where the line leaves the diagonal. */
public final class SweepRatesChart implements Chart {
    private final Capacity capacity;
    private final Plot plot;

    public SweepRatesChart(Capacity capacity) {
        this.capacity = capacity;
        double most =
                capacity.steps().stream().mapToDouble(RateStep::perSecond).max().orElse(1);
        plot = new Plot(new Box(70, 22, 884, 170), Scale.Linear.longCounts(most), Scale.Linear.counts(most));
    }

    @Override
    public About about() {
        return new About(
                "answered",
                "Intended and answered rate",
                "On the dashed line every intended request is answered.",
                description(),
                250,
                Axis.ACROSS);
    }

    private String description() {
        RateStep last = capacity.steps().get(capacity.steps().size() - 1);
        return "At " + Numbers.rate(last.perSecond()) + " intended, " + Numbers.rate(last.answeredPerSecond())
                + " were answered.";
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "requests per second, as intended");
        double most = ((Scale.Linear) plot.across()).high();
        svg.line(plot.x(0.0), plot.y(0.0), plot.x(most), plot.y(most), new Svg.Stroke(ThemeColour.MUTED, 1.4, "5 4"));
        capacity.saturation().ifPresent(found -> {
            double y = plot.y(found.perSecond());
            svg.line(plot.box().x(), y, plot.box().right(), y, new Svg.Stroke(ThemeColour.MUTED, 1.4, "2 3"));
            svg.haloed(
                    plot.box().x() + 6,
                    y - 6,
                    "saturates at " + Numbers.rate(found.perSecond()) + " (" + Numbers.rate(found.lowPerSecond())
                            + " to " + Numbers.rate(found.highPerSecond()) + ", 95 %)",
                    Svg.Label.start(ThemeColour.MUTED));
        });
        Path path = new Path();
        for (RateStep step : capacity.steps()) {
            path.to(plot.x(step.perSecond()), plot.y(step.answeredPerSecond()));
        }
        svg.path(path, Svg.Stroke.of(ThemeColour.SERVICE, 2));
        for (RateStep step : capacity.steps()) {
            svg.dot(plot.x(step.perSecond()), plot.y(step.answeredPerSecond()), 4, ThemeColour.SERVICE);
        }
    }

    @Override
    public List<Reading> readings() {
        return capacity.steps().stream()
                .map(step -> new Reading(
                        plot.x(step.perSecond()),
                        Numbers.rate(step.perSecond()) + " intended: " + Numbers.rate(step.answeredPerSecond())
                                + " answered"))
                .toList();
    }
}
