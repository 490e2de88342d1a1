package dev.downbeat.report.chart;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.stats.Numbers;
import java.util.List;
import java.util.Locale;

/** Readings of a target over time, such as the number of messages in a queue. */
public final class ReadingsChart implements Chart {
    private final String id;
    private final String title;
    private final List<TargetCounts.Reading> readings;
    private final Plot plot;

    /**
     * Draws one series of readings.
     *
     * @param id of the chart, since the target's name may be anything
     * @param name name of the readings
     * @param all at least one reading; those outside the run are omitted
     */
    public ReadingsChart(String id, String name, List<TargetCounts.Reading> all, TimelineColumns timeline) {
        this.id = id;
        this.title = name.isEmpty() ? "Readings" : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        this.readings = all.stream()
                .filter(one -> one.atNanos() >= 0 && one.atNanos() <= timeline.lengthNanos())
                .toList();
        plot = new Plot(
                new Box(70, 22, 884, 130),
                Scale.time(timeline.lengthNanos()),
                Scale.Linear.counts(Math.max(1, most())));
    }

    private long most() {
        return readings.stream().mapToLong(TargetCounts.Reading::value).max().orElse(0);
    }

    @Override
    public About about() {
        return new About(
                id,
                title,
                "As the target reported it, once a second.",
                "At most " + Numbers.count(most()) + ".",
                205,
                Axis.TIME);
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "time");
        Path path = new Path();
        readings.forEach(one -> path.to(plot.x(one.atNanos()), plot.y(one.value())));
        svg.path(path, Svg.Stroke.of(ThemeColour.SERVICE, 1.8));
    }

    @Override
    public List<Reading> readings() {
        return readings.stream()
                .map(one -> new Reading(
                        plot.x(one.atNanos()),
                        "at " + Numbers.seconds(one.atNanos()) + ": " + Numbers.count(one.value())))
                .toList();
    }
}
