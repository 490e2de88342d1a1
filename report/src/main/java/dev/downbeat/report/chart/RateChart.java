package dev.downbeat.report.chart;

import dev.downbeat.report.data.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Requests per second: meant to start, answered, and ended badly. */
public final class RateChart implements Chart {
    private final Timeline timeline;
    private final Plot plot;
    private final boolean isAnyBad;

    public RateChart(Timeline timeline) {
        this.timeline = timeline;
        isAnyBad = timeline.columns().stream().anyMatch(column -> bad(column) > 0);
        double most = 0;
        for (Timeline.Column column : timeline.columns()) {
            most = Math.max(most, Math.max(planned(column), Math.max(answered(column), bad(column))));
        }
        plot = new Plot(new Box(70, 26, 884, 150), Scale.time(timeline.lengthNanos()), Scale.Linear.counts(most));
    }

    private static double planned(Timeline.Column column) {
        return column.perSecond(column.recording().ledger().planned());
    }

    private static double answered(Timeline.Column column) {
        return column.perSecond(column.recording().ledger().answered());
    }

    private static double bad(Timeline.Column column) {
        return column.perSecond(column.recording().ledger().failed()
                + column.recording().ledger().timedOut());
    }

    @Override
    public String id() {
        return "rates";
    }

    @Override
    public String title() {
        return "Intended and completed rate";
    }

    @Override
    public String lead() {
        return "Requests per second. Dashed: meant to start. Solid: answered."
                + (isAnyBad ? " Dotted: failed or timed out." : "");
    }

    @Override
    public String description() {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (Timeline.Column column : timeline.columns()) {
            least = Math.min(least, answered(column));
            most = Math.max(most, answered(column));
        }
        return "Answers came at " + Numbers.rate(least) + " at least and " + Numbers.rate(most) + " at most.";
    }

    @Override
    public boolean isOverTime() {
        return true;
    }

    @Override
    public int height() {
        return 230;
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "time");
        svg.path(steps(RateChart::answered), Svg.Stroke.of(Hue.SERVICE, 2));
        svg.path(steps(RateChart::planned), new Svg.Stroke(Hue.INK, 1.4, "6 4"));
        if (isAnyBad) {
            svg.path(steps(RateChart::bad), new Svg.Stroke(Hue.BAD, 2, "2 3"));
        }
        Svg.Label label = Svg.Label.start(Hue.INK).strong();
        double x = plot.box().x() + 4;
        svg.haloed(x, 14, "- - intended", label);
        svg.haloed(x + 100, 14, "— answered", Svg.Label.start(Hue.SERVICE).strong());
        if (isAnyBad) {
            svg.haloed(
                    x + 200,
                    14,
                    "··· failed or timed out",
                    Svg.Label.start(Hue.BAD).strong());
        }
    }

    private String steps(ToDoubleFunction<Timeline.Column> rate) {
        Path path = new Path();
        for (Timeline.Column column : timeline.columns()) {
            double y = plot.y(rate.applyAsDouble(column));
            path.to(plot.x(column.interval().startNanos()), y)
                    .to(plot.x(column.interval().endNanos()), y);
        }
        return path.toString();
    }

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (Timeline.Column column : timeline.columns()) {
            readings.add(new Reading(
                    plot.x(TimesChart.middle(column)),
                    TimesChart.span(column) + ": intended " + Numbers.rate(planned(column)) + ", answered "
                            + Numbers.rate(answered(column))
                            + (isAnyBad ? ", failed or timed out " + Numbers.rate(bad(column)) : "")));
        }
        return readings;
    }
}
