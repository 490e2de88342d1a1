package dev.downbeat.report.chart;

import dev.downbeat.record.Part;
import dev.downbeat.report.chart.draw.Box;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Hue;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The parts of times as bars of equal length; a part is labelled where there is room. */
record PartsChart(Words words, List<Bar> bars, boolean hasConnections) implements Chart {
    private static final double LEFT = 190;
    private static final double RIGHT = 848;
    private static final double ROW = 34;
    private static final int KEY = 18;
    private static final double BAR = 24;
    private static final double SHARE_SHOWN = 0.004;

    /** The texts of the chart. */
    record Words(String id, String title, String lead, String right) {}

    /**
     * One bar.
     *
     * @param name label on its left
     * @param right label on its right
     */
    record Bar(String name, String right, Map<Part, Long> partsNanos) {
        private double share(Part part) {
            double sum = partsNanos.values().stream()
                    .mapToLong(nanos -> Math.max(0, nanos))
                    .sum();
            return sum == 0 ? 0 : Math.max(0, partsNanos.getOrDefault(part, 0L)) / sum;
        }
    }

    private static final double TOP = 22;

    private static Hue hue(Part part) {
        return switch (part) {
            case LATENESS -> Hue.LATENESS;
            case BACKLOG_WAIT, STREAM_WAIT -> Hue.RESPONSE; // a request waits for only one of them
            case LOOKUP -> Hue.LOOKUP;
            case CONNECT -> Hue.CONNECT;
            case HANDSHAKE -> Hue.HANDSHAKE;
            case WINDOW_WAIT -> Hue.DOUBT;
            case FIRST_BYTE -> Hue.SERVICE;
            case READING -> Hue.READING;
        };
    }

    @Override
    public About about() {
        return new About(
                words.id(),
                words.title(),
                words.lead(),
                bars.stream().map(bar -> shares(bar) + ".").collect(Collectors.joining(" ")),
                (int) (40 + bars.size() * ROW + KEY * Part.values().length),
                Axis.DOWN);
    }

    private String shares(Bar bar) {
        return bar.name() + ": "
                + Arrays.stream(Part.values())
                        .filter(part -> Math.round(100 * bar.share(part)) > 0)
                        .map(part -> Math.round(100 * bar.share(part)) + " % " + part.words(hasConnections))
                        .collect(Collectors.joining(", "));
    }

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < bars.size(); i++) {
            readings.add(new Reading(TOP + i * ROW + BAR / 2, shares(bars.get(i))));
        }
        return readings;
    }

    @Override
    public void draw(Svg svg) {
        svg.text(RIGHT + 12, 14, words.right(), Svg.Label.start(Hue.MUTED));
        double y = TOP;
        for (Bar bar : bars) {
            svg.text(LEFT - 12, y + BAR / 2 + 5, bar.name(), Svg.Label.end(Hue.INK));
            segments(svg, bar, y);
            svg.text(RIGHT + 12, y + BAR / 2 + 5, bar.right(), Svg.Label.start(Hue.INK));
            y += ROW;
        }
        legend(svg, y + 20);
    }

    private void segments(Svg svg, Bar bar, double y) {
        double x = LEFT;
        for (Part part : Part.values()) {
            double width = bar.share(part) * (RIGHT - LEFT);
            if (bar.share(part) >= SHARE_SHOWN) {
                svg.box(new Box(x, y, Math.max(1, width - 1.5), BAR), hue(part));
                String percent = Math.round(100 * bar.share(part)) + " %";
                String name = part.words(hasConnections) + " " + percent;
                String fits = Svg.widthOf(name) + 16 < width ? name : Svg.widthOf(percent) + 10 < width ? percent : "";
                if (!fits.isEmpty()) {
                    svg.inside(x + 8, y + BAR / 2 + 5, fits, Svg.Label.start(Hue.ON_FILL), width - 8);
                }
            }
            x += width;
        }
    }

    private void legend(Svg svg, double top) {
        double y = top;
        for (Part part : Part.values()) {
            if (bars.stream().anyMatch(bar -> bar.share(part) >= SHARE_SHOWN)) {
                svg.box(new Box(LEFT, y - 10, 11, 11), hue(part));
                svg.text(LEFT + 16, y, part.words(hasConnections), Svg.Label.start(Hue.INK));
                y += KEY;
            }
        }
    }

    /** A mean with its unit. */
    static String mean(Map<Part, Long> partsNanos) {
        return DurationText.rounded(partsNanos.values().stream()
                .mapToLong(nanos -> Math.max(0, nanos))
                .sum());
    }
}
