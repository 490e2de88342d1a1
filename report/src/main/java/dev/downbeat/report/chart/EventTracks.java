package dev.downbeat.report.chart;

import dev.downbeat.event.Incident;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.Diagnosis.EventTrack;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.why.Event;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * The service's events below a chart, on its time axis: one track per kind, the most explanatory first. Only one of
 * several events on the same spot is drawn, so that the page stays small.
 */
final class EventTracks {
    private static final int MOST = 8;
    private static final int MOST_IN_WORDS = 2;
    private static final int LONGEST_DETAIL = 40;
    private static final double ROW = 27;
    private static final double BAR = 8;

    /** Width of a spot, in chart units. */
    private static final int SPOT = 2;

    private final List<Incident> incidents;
    private final List<Incident> explainedIncidents;
    private final List<EventTrack> tracks;
    private final List<EventTrack> shown;
    private final Plot plot;

    /** Below a plot, on its time axis; of the incidents, those with an explanation are shown. */
    EventTracks(List<Incident> incidents, Diagnosis why, Plot plot) {
        this.incidents =
                incidents.stream().filter(one -> why.of(one).isPresent()).toList();
        this.explainedIncidents = incidents.stream()
                .filter(one ->
                        why.of(one).filter(found -> !found.causes().isEmpty()).isPresent())
                .toList();
        this.tracks = why.tracks();
        this.shown = tracks.subList(0, Math.min(MOST, tracks.size()));
        this.plot = plot;
    }

    int height() {
        int rows = shown.size() + (hasMore() ? 1 : 0) + (incidents.isEmpty() ? 0 : 1);
        return rows == 0 ? 0 : (int) (ROW * rows + BAR);
    }

    private boolean hasMore() {
        return tracks.size() > shown.size();
    }

    void draw(Svg svg, double top) {
        double y = top + Svg.FONT;
        if (!incidents.isEmpty()) {
            incidents(svg, y);
            y += ROW;
        }
        for (EventTrack track : shown) {
            row(svg, y, words(track), track.isCause());
            bars(svg, y, track.unrelatedEvents().stream().map(Span::of), ThemeColour.MUTED);
            bars(svg, y, track.explaining().stream().map(Span::of), ThemeColour.RESPONSE);
            y += ROW;
        }
        if (hasMore()) {
            long events = tracks.stream()
                    .skip(MOST)
                    .mapToLong(track -> track.events().size())
                    .sum();
            int kinds = tracks.size() - MOST;
            svg.text(
                    plot.box().x(),
                    y,
                    "and " + Numbers.count(events, "event") + " of " + Numbers.count(kinds, "more kind"),
                    Svg.Label.start(ThemeColour.MUTED));
        }
    }

    /** In the colour of its cause, if it has one. */
    private void incidents(Svg svg, double y) {
        int count = incidents.size();
        String words = (explainedIncidents.isEmpty()
                        ? "no event explains "
                        : Numbers.count(explainedIncidents.size()) + " of ")
                + Numbers.count(count, "incident")
                + (explainedIncidents.isEmpty() ? "" : " explained");
        row(svg, y, words, !explainedIncidents.isEmpty());
        bars(
                svg,
                y,
                incidents.stream()
                        .filter(one -> !explainedIncidents.contains(one))
                        .map(Span::of),
                ThemeColour.INK);
        bars(svg, y, explainedIncidents.stream().map(Span::of), ThemeColour.RESPONSE);
    }

    private void row(Svg svg, double y, String words, boolean isCause) {
        Svg.Label label = Svg.Label.start(isCause ? ThemeColour.RESPONSE : ThemeColour.MUTED);
        svg.text(plot.box().x(), y, words, isCause ? label.strong() : label);
        double middle = y + 5 + BAR / 2;
        svg.line(plot.box().x(), middle, plot.box().right(), middle, Svg.Stroke.of(ThemeColour.GRID, 1));
    }

    private void bars(Svg svg, double y, Stream<Span> spans, ThemeColour hue) {
        String bars = bars(spans.toList());
        if (!bars.isEmpty()) {
            svg.cells(bars, new Box(plot.box().x(), y + 5, SPOT, BAR), hue);
        }
    }

    private record Span(long fromNanos, long toNanos) {
        static Span of(Event event) {
            return new Span(event.startNanos(), event.endNanos());
        }

        static Span of(Incident incident) {
            return new Span(incident.startNanos(), incident.startNanos() + incident.lengthNanos());
        }
    }

    private static String words(EventTrack track) {
        int count = track.events().size();
        int explaining = track.explaining().size();
        long longest = track.longest().lengthNanos();
        String counted = (track.isCause() && explaining < count ? Numbers.count(explaining) + " of " : "")
                + track.kind().counted(count);
        if (longest == 0) {
            return counted;
        }
        return counted + ", " + (count == 1 ? "" : "up to ") + DurationText.rounded(longest) + " at "
                + Numbers.seconds(Math.max(0, track.longest().startNanos()));
    }

    /** One stroke per spot with an event; events outside the run are omitted. */
    private String bars(List<Span> spans) {
        int spots = (int) (plot.box().width() / SPOT);
        BitSet taken = new BitSet(spots);
        for (Span span : spans) {
            double from = (plot.x(span.fromNanos()) - plot.box().x()) / SPOT;
            double to = (plot.x(span.toNanos()) - plot.box().x()) / SPOT;
            boolean isOutside = span.toNanos() < 0 || plot.across().share((double) span.fromNanos()) >= 1;
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
        boolean isUnexplained = incidents.stream()
                .anyMatch(one -> one.startNanos() <= toNanos
                        && one.startNanos() + one.lengthNanos() >= fromNanos
                        && !explainedIncidents.contains(one));
        if (isUnexplained) {
            words.add("an incident that no event explains");
        }
        for (EventTrack track : tracks) {
            track.events().stream()
                    .filter(event -> event.startNanos() <= toNanos && event.endNanos() >= fromNanos)
                    .filter(event -> width(event) >= SPOT / 100.0)
                    .reduce((a, b) -> a.lengthNanos() >= b.lengthNanos() ? a : b)
                    .ifPresent(event -> words.add(words(event, track)));
            if (words.size() >= MOST_IN_WORDS) {
                break;
            }
        }
        return words.isEmpty() ? "" : "; " + String.join(", ", words);
    }

    private double width(Event event) {
        return plot.x(event.endNanos()) - plot.x(event.startNanos());
    }

    /** The bar separates a chart's readings, so it is removed from their text. */
    private String words(Event event, EventTrack track) {
        boolean isExplaining = track.explaining().contains(event);
        String detail = isExplaining && width(event) >= SPOT ? event.detail().replace('|', '/') : "";
        boolean isLong = detail.length() > LONGEST_DETAIL;
        return (isExplaining ? "explained by " : "")
                + event.kind().single()
                + " " + DurationText.rounded(event.lengthNanos())
                + (detail.isEmpty()
                        ? ""
                        : " (" + (isLong ? detail.substring(0, LONGEST_DETAIL - 1) + "…" : detail) + ")");
    }

    String lead() {
        return tracks.isEmpty() ? "" : " Below: what the service did; in bold and colour, what explains slow requests.";
    }

    String description() {
        if (tracks.isEmpty()) {
            return "";
        }
        return " Below, events of the service: "
                + String.join("; ", shown.stream().map(EventTracks::words).toList()) + ".";
    }
}
