package dev.downbeat.report.chart;

import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.ThemeColour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One of several results in a shared chart: its name, times and line style. Dashes distinguish the lines for readers
 * who cannot tell the colours apart.
 */
public record ChartSeries(String name, Recording recording, Svg.Stroke stroke) {
    /** The most distinguishable lines. */
    public static final int MOST = 8;

    /** Line styles; the first two need no dashes to be distinguished. */
    public static final List<Svg.Stroke> STROKES = List.of(
            Svg.Stroke.of(ThemeColour.SERVICE, 2.2),
            Svg.Stroke.of(ThemeColour.RESPONSE, 2.2),
            new Svg.Stroke(ThemeColour.LOOKUP, 2.2, "9 4"),
            new Svg.Stroke(ThemeColour.READING, 2.2, "2 3"),
            new Svg.Stroke(ThemeColour.HANDSHAKE, 2.2, "10 3 2 3"),
            new Svg.Stroke(ThemeColour.INK, 1.8, "5 2"),
            new Svg.Stroke(ThemeColour.DOUBT, 2.2, "5 5"),
            new Svg.Stroke(ThemeColour.MUTED, 2.2, "1 4"));

    /** The results in the order of their names, at most {@value #MOST}. */
    public static List<ChartSeries> of(Map<String, Recording> results) {
        List<ChartSeries> series = new ArrayList<>();
        results.forEach(
                (name, recording) -> series.add(new ChartSeries(name, recording, STROKES.get(series.size() % MOST))));
        return series;
    }

    ThemeColour hue() {
        return stroke.hue();
    }

    String shortName() {
        return Scale.Names.shown(name);
    }
}
