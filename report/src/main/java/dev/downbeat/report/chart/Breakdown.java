package dev.downbeat.report.chart;

import dev.downbeat.record.Exemplar;
import dev.downbeat.record.Part;
import dev.downbeat.record.PartNames;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.TailBands;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parts of response times, by percentile and for a few single requests. */
public record Breakdown(Recording recording, PartNames names) {
    private static final int MOST_EXAMPLES = 7;

    /** Empty if there are too few answers or the target does not report parts. */
    public Optional<Chart> tail() {
        List<PartsChart.Bar> bars = new ArrayList<>();
        String before = "";
        for (TailBands.Band band : TailBands.of(recording)) {
            String right = PartsChart.mean(band.meansNanos()) + " of " + Numbers.count(band.count());
            if (band.count() > 0 && !right.equals(before)) { // equal response times fall into all bands
                bars.add(new PartsChart.Bar(band.name(), right, band.meansNanos()));
            }
            before = right;
        }
        boolean hasParts = bars.size() > 1
                && recording
                                .anatomy()
                                .attribution()
                                .count(0, recording.response().maxNanos())
                        > 0;
        return hasParts
                ? Optional.of(new PartsChart(
                        new PartsChart.ChartTexts(
                                "tail",
                                "What response times are made of",
                                "Components of the mean response time, by percentile range, from the fastest "
                                        + "requests to the "
                                        + "slowest.",
                                "mean, requests"),
                        bars,
                        names))
                : Optional.empty();
    }

    /** The slowest request of each doubling of the response time; requests close in time would all look alike. */
    public Optional<Chart> examples() {
        List<PartsChart.Bar> bars = new ArrayList<>();
        long below = Long.MAX_VALUE;
        for (Exemplar one : recording.anatomy().exemplars()) {
            if (one.responseNanos() <= below && bars.size() < MOST_EXAMPLES) {
                String position = one.position() > 0 ? ", " + Numbers.ordinal(one.position()) : "";
                bars.add(new PartsChart.Bar(
                        "at " + Numbers.seconds(one.intendedNanos()) + position,
                        DurationText.rounded(one.responseNanos()),
                        one.partsNanos()));
                below = one.responseNanos() / 2;
            }
        }
        return bars.isEmpty()
                ? Optional.empty()
                : Optional.of(new PartsChart(
                        new PartsChart.ChartTexts(
                                "examples",
                                "Single requests",
                                "Sample requests, slowest first; each took at most half as long as the "
                                        + "one above it.",
                                "response time"),
                        bars,
                        names));
    }

    /** The parts of times as bars of equal length, labelled above them; a part is labelled where there is room. */
    private record PartsChart(ChartTexts words, List<Bar> bars, PartNames names) implements Chart {
        private static final double ROW = 50;
        private static final int KEY = 18;
        private static final double LABEL = 20;
        private static final double BAR = 22;
        private static final double SHARE_SHOWN = 0.004;

        /** The texts of the chart. */
        record ChartTexts(String id, String title, String lead, String right) {}

        /** One bar, with a label above each of its ends. */
        record Bar(String name, String right, Map<Part, Long> partsNanos) {
            private double share(Part part) {
                double sum = partsNanos.values().stream()
                        .mapToLong(nanos -> Math.max(0, nanos))
                        .sum();
                return sum == 0 ? 0 : Math.max(0, partsNanos.getOrDefault(part, 0L)) / sum;
            }
        }

        private static final double TOP = 20;

        private static ThemeColour hue(Part part) {
            return switch (part) {
                case LATENESS -> ThemeColour.LATENESS;
                case BACKLOG_WAIT, STREAM_WAIT -> ThemeColour.RESPONSE; // a request waits for only one of them
                case LOOKUP -> ThemeColour.LOOKUP;
                case CONNECT -> ThemeColour.CONNECT;
                case HANDSHAKE -> ThemeColour.HANDSHAKE;
                case WINDOW_WAIT -> ThemeColour.DOUBT;
                case FIRST_BYTE -> ThemeColour.SERVICE;
                case READING -> ThemeColour.READING;
            };
        }

        @Override
        public About about() {
            return new About(
                    words.id(),
                    words.title(),
                    words.lead(),
                    bars.stream().map(bar -> shares(bar) + ".").collect(Collectors.joining(" ")),
                    (int) (TOP + bars.size() * ROW + KEY * visibleParts().size() + 8),
                    Axis.DOWN);
        }

        private String shares(Bar bar) {
            return bar.name() + ": "
                    + Arrays.stream(Part.values())
                            .filter(part -> Math.round(100 * bar.share(part)) > 0)
                            .map(part -> Math.round(100 * bar.share(part)) + " % " + names.of(part))
                            .collect(Collectors.joining(", "));
        }

        @Override
        public List<Reading> readings() {
            List<Reading> readings = new ArrayList<>();
            for (int i = 0; i < bars.size(); i++) {
                readings.add(new Reading(TOP + i * ROW + LABEL + BAR / 2, shares(bars.get(i))));
            }
            return readings;
        }

        @Override
        public void draw(Svg svg) {
            svg.text(WIDTH, 14, words.right(), Svg.Label.end(ThemeColour.MUTED));
            double y = TOP;
            for (Bar bar : bars) {
                svg.text(0, y + LABEL - 5, bar.name(), Svg.Label.start(ThemeColour.INK));
                svg.text(WIDTH, y + LABEL - 5, bar.right(), Svg.Label.end(ThemeColour.INK));
                segments(svg, bar, y + LABEL);
                y += ROW;
            }
            legend(svg, y + 14);
        }

        private List<Part> visibleParts() {
            return Arrays.stream(Part.values())
                    .filter(part -> bars.stream().anyMatch(bar -> bar.share(part) >= SHARE_SHOWN))
                    .toList();
        }

        private void segments(Svg svg, Bar bar, double y) {
            double x = 0;
            for (Part part : Part.values()) {
                double width = bar.share(part) * WIDTH;
                if (bar.share(part) >= SHARE_SHOWN) {
                    svg.box(new Box(x, y, Math.max(1, width - 1.5), BAR), hue(part));
                    String percent = Math.round(100 * bar.share(part)) + " %";
                    String name = names.of(part) + " " + percent;
                    String label =
                            Svg.widthOf(name) + 16 < width ? name : Svg.widthOf(percent) + 10 < width ? percent : "";
                    if (!label.isEmpty()) {
                        svg.inside(x + 8, y + BAR / 2 + 5, label, Svg.Label.start(ThemeColour.ON_FILL), width - 8);
                    }
                }
                x += width;
            }
        }

        private void legend(Svg svg, double top) {
            double y = top;
            for (Part part : visibleParts()) {
                svg.box(new Box(0, y - 10, 11, 11), hue(part));
                svg.text(16, y, names.of(part), Svg.Label.start(ThemeColour.INK));
                y += KEY;
            }
        }

        static String mean(Map<Part, Long> partsNanos) {
            return DurationText.rounded(partsNanos.values().stream()
                    .mapToLong(nanos -> Math.max(0, nanos))
                    .sum());
        }
    }
}
