package dev.downbeat.report.chart;

import dev.downbeat.report.chart.draw.Box;
import dev.downbeat.report.chart.draw.Hue;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.data.EventLane;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.why.Event;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The service's events below a chart, on its time axis: one lane per kind, the most explanatory first. Only one of
 * several events on the same spot is drawn, so that the page stays small.
 */
final class Lanes {
    private static final int MOST = 8;
    private static final int MOST_IN_WORDS = 2;
    private static final int LONGEST_DETAIL = 40;
    private static final double ROW = 27;
    private static final double BAR = 8;

    /** Width of a spot, in chart units. */
    private static final int SPOT = 2;

    private final List<EventLane> all;
    private final List<EventLane> shown;
    private final Plot plot;

    /**
     * Creates lanes below a plot.
     *
     * @param all the lanes, most important first
     * @param plot plot whose time axis they share
     */
    Lanes(List<EventLane> all, Plot plot) {
        this.all = all;
        this.shown = all.subList(0, Math.min(MOST, all.size()));
        this.plot = plot;
    }

    int height() {
        return all.isEmpty() ? 0 : (int) (ROW * shown.size() + (hasMore() ? ROW : 0) + BAR);
    }

    private boolean hasMore() {
        return all.size() > shown.size();
    }

    void draw(Svg svg, double top) {
        double y = top + Svg.FONT;
        for (EventLane lane : shown) {
            Hue hue = lane.isCause() ? Hue.RESPONSE : Hue.MUTED;
            Svg.Label label = Svg.Label.start(hue);
            svg.text(plot.box().x(), y, words(lane), lane.isCause() ? label.strong() : label);
            svg.line(plot.box().x(), y + 5 + BAR / 2, plot.box().right(), y + 5 + BAR / 2, Svg.Stroke.of(Hue.GRID, 1));
            String bars = bars(lane);
            if (!bars.isEmpty()) {
                svg.cells(bars, new Box(plot.box().x(), y + 5, SPOT, BAR), hue);
            }
            y += ROW;
        }
        if (hasMore()) {
            long events = all.stream()
                    .skip(MOST)
                    .mapToLong(lane -> lane.events().size())
                    .sum();
            int kinds = all.size() - MOST;
            svg.text(
                    plot.box().x(),
                    y,
                    "and " + Numbers.count(events) + (events == 1 ? " event of " : " events of ") + kinds
                            + (kinds == 1 ? " more kind" : " more kinds"),
                    Svg.Label.start(Hue.MUTED));
        }
    }

    private static String words(EventLane lane) {
        int count = lane.events().size();
        long longest = lane.longest().lengthNanos();
        String counted = lane.kind().counted(count);
        if (longest == 0) {
            return counted;
        }
        return counted + ", " + (count == 1 ? "" : "up to ") + DurationText.rounded(longest) + " at "
                + Numbers.seconds(Math.max(0, lane.longest().startNanos()));
    }

    /** One stroke per spot with an event; events outside the run are omitted. */
    private String bars(EventLane lane) {
        int spots = (int) (plot.box().width() / SPOT);
        BitSet taken = new BitSet(spots);
        for (Event event : lane.events()) {
            double from = (plot.x(event.startNanos()) - plot.box().x()) / SPOT;
            double to = (plot.x(event.endNanos()) - plot.box().x()) / SPOT;
            boolean isOutside = event.endNanos() < 0 || plot.across().share((double) event.startNanos()) >= 1;
            if (!isOutside) {
                int first = Math.min(spots - 1, (int) from);
                taken.set(first, Math.min(spots, Math.max(first + 1, (int) Math.ceil(to))));
            }
        }
        StringBuilder data = new StringBuilder();
        for (int at = taken.nextSetBit(0); at >= 0; at = taken.nextSetBit(taken.nextClearBit(at))) {
            data.append('M').append(at).append(" 0h").append(taken.nextClearBit(at) - at);
        }
        return data.toString();
    }

    /**
     * The events within a span, as text: "; full collection 812 ms". Empty if none is at least a hundredth of a spot
     * long. Events narrower than a spot are listed without details.
     */
    String within(double fromNanos, double toNanos) {
        List<String> words = new ArrayList<>();
        for (EventLane lane : all) {
            lane.events().stream()
                    .filter(event -> event.startNanos() <= toNanos && event.endNanos() >= fromNanos)
                    .filter(event -> width(event) >= SPOT / 100.0)
                    .reduce((a, b) -> a.lengthNanos() >= b.lengthNanos() ? a : b)
                    .ifPresent(event -> words.add(words(event, lane.isCause() && width(event) >= SPOT)));
            if (words.size() == MOST_IN_WORDS) {
                break;
            }
        }
        return words.isEmpty() ? "" : "; " + String.join(", ", words);
    }

    private double width(Event event) {
        return plot.x(event.endNanos()) - plot.x(event.startNanos());
    }

    /** The bar separates a chart's readings, so it is removed from their text. */
    private static String words(Event event, boolean isDetailed) {
        String detail = isDetailed ? event.detail().replace('|', '/') : "";
        boolean isLong = detail.length() > LONGEST_DETAIL;
        return event.kind().single()
                + " " + DurationText.rounded(event.lengthNanos())
                + (detail.isEmpty()
                        ? ""
                        : " (" + (isLong ? detail.substring(0, LONGEST_DETAIL - 1) + "…" : detail) + ")");
    }

    /** How to read the lanes. */
    String lead() {
        return all.isEmpty() ? "" : " Below: what the service did; in bold and colour, what explains slow requests.";
    }

    /** What the lanes show, in one sentence. */
    String description() {
        if (all.isEmpty()) {
            return "";
        }
        return " Below, events of the service: "
                + String.join("; ", shown.stream().map(Lanes::words).toList()) + ".";
    }
}
