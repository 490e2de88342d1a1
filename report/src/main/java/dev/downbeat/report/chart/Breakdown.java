package dev.downbeat.report.chart;

import dev.downbeat.record.Exemplar;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.TailBands;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parts of response times, by percentile and for a few single requests. */
public record Breakdown(Recording recording, boolean hasConnections) {
    private static final int MOST_EXAMPLES = 7;

    /** Empty if there are too few answers or the target does not report parts. */
    public Optional<Chart> tail() {
        List<PartsChart.Bar> bars = new ArrayList<>();
        String before = "";
        for (TailBands.Band band : TailBands.of(recording)) {
            String right = PartsChart.mean(band.meansNanos()) + " of " + Numbers.count(band.count());
            boolean same = right.equals(before); // equal response times fall into all bands
            if (band.count() > 0 && !same) {
                bars.add(new PartsChart.Bar(band.name(), right, band.meansNanos()));
            }
            before = right;
        }
        boolean tells = bars.size() > 1
                && recording
                                .anatomy()
                                .attribution()
                                .count(0, recording.response().maxNanos())
                        > 0;
        return tells
                ? Optional.of(new PartsChart(
                        new PartsChart.Words(
                                "tail",
                                "What response times are made of",
                                "How the mean response time splits up, by range of percentiles: the fastest "
                                        + "requests first, the "
                                        + "slowest last.",
                                "mean, requests"),
                        bars,
                        hasConnections))
                : Optional.empty();
    }

    /** The slowest request of each doubling of the response time; requests close in time would all look alike. */
    public Optional<Chart> examples() {
        List<PartsChart.Bar> bars = new ArrayList<>();
        long below = Long.MAX_VALUE;
        for (Exemplar one : recording.anatomy().exemplars()) {
            if (one.responseNanos() <= below && bars.size() < MOST_EXAMPLES) {
                String position = one.position() > 0 ? ", " + ordinal(one.position()) : "";
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
                        new PartsChart.Words(
                                "examples",
                                "Single requests",
                                "Sample requests, from the slowest down: each took at most half as long as the "
                                        + "one above it.",
                                "response time"),
                        bars,
                        hasConnections));
    }

    private static String ordinal(int position) {
        int tens = position % 100;
        String end = tens >= 11 && tens <= 13
                ? "th"
                : switch (position % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
        return position + end;
    }
}
