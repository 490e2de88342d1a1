package dev.downbeat.report.chart;

import dev.downbeat.exchange.ConnectionCounts;
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
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Open and used connections at the end of each interval, and below, when they opened and closed; or the same for
 * streams.
 */
public final class ConnectionChart implements Chart {
    private static final double ROW = 24;
    private static final double MOST_RADIUS = 5;

    private final TimelineColumns timeline;
    private final Kind kind;
    private final Plot plot;
    private final List<Row> rows;

    /** Events of one kind. */
    private record Row(String name, ThemeColour hue, ToLongFunction<ConnectionCounts> count) {}

    /** The resource counted: its number, and how many are in use. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private enum Kind {
        CONNECTIONS("Connections", "open", "in use", ConnectionCounts::openAtEnd, ConnectionCounts::inUseAtEnd),
        STREAMS(
                "Streams",
                "allowed",
                "with a request",
                counts -> counts.streams().allowedAtEnd(),
                counts -> counts.streams().openAtEnd());

        private final String title;
        private final String mostWords;
        private final String usedWords;
        private final ToLongFunction<ConnectionCounts> most;
        private final ToLongFunction<ConnectionCounts> used;

        Kind(
                String title,
                String mostWords,
                String usedWords,
                ToLongFunction<ConnectionCounts> most,
                ToLongFunction<ConnectionCounts> used) {
            this.title = title;
            this.mostWords = mostWords;
            this.usedWords = usedWords;
            this.most = most;
            this.used = used;
        }
    }

    private ConnectionChart(TimelineColumns timeline, Kind kind, List<Row> events) {
        this.timeline = timeline;
        this.kind = kind;
        rows = events.stream().filter(row -> total(row) > 0).toList();
        plot = new Plot(
                new Box(70, 26, 884, 110), Scale.time(timeline.lengthNanos()), Scale.Linear.counts(most(kind.most)));
    }

    public static ConnectionChart ofConnections(TimelineColumns timeline) {
        return new ConnectionChart(
                timeline,
                Kind.CONNECTIONS,
                List.of(
                        new Row("opened", ThemeColour.SERVICE, ConnectionCounts::opened),
                        new Row("could not be opened", ThemeColour.BAD, ConnectionCounts::failed),
                        new Row(
                                "closed by the server, with notice",
                                ThemeColour.MUTED,
                                ConnectionCounts::closedByServerWithNotice),
                        new Row(
                                "closed by the server, without notice",
                                ThemeColour.RESPONSE,
                                ConnectionCounts::closedByServer),
                        new Row("closed by Downbeat", ThemeColour.INK, ConnectionCounts::closedByUs)));
    }

    /** The HTTP/2 streams of all connections. */
    public static ConnectionChart ofStreams(TimelineColumns timeline) {
        return new ConnectionChart(
                timeline,
                Kind.STREAMS,
                List.of(new Row(
                        "requests sent again: not processed by the server",
                        ThemeColour.RESPONSE,
                        counts -> counts.streams().sentAgain())));
    }

    private long total(Row row) {
        return timeline.columns().stream()
                .mapToLong(column -> row.count().applyAsLong(column.interval().connections()))
                .sum();
    }

    private long most(ToLongFunction<ConnectionCounts> count) {
        return timeline.most(column -> count.applyAsLong(column.interval().connections()));
    }

    /** Shown if the target reports connections over time. */
    @Override
    public boolean isShown() {
        return most(kind.most) > 0 || !rows.isEmpty();
    }

    @Override
    public About about() {
        return new About(
                kind.title.toLowerCase(Locale.ROOT),
                kind.title,
                lead(),
                description(),
                (int) (190 + rows.size() * ROW * 1.5),
                Axis.TIME);
    }

    private String lead() {
        return kind == Kind.STREAMS
                ? "With a request, and allowed by the server on the open connections, at the end of each interval."
                        + " Where both lines meet, no stream is free."
                : "Connections open and in use at the end of each interval. Below: when they were opened and closed;"
                        + " larger dots mean more.";
    }

    private String description() {
        String none = kind == Kind.STREAMS ? "no request was sent again" : "none was opened or closed";
        String events = rows.stream()
                .map(row -> Numbers.count(total(row)) + " " + row.name())
                .collect(Collectors.joining(", "));
        return "At most " + Numbers.count(most(kind.most)) + " " + kind.mostWords + " and "
                + Numbers.count(most(kind.used)) + " " + kind.usedWords + " at the end of an interval; "
                + (events.isEmpty() ? none : events) + ".";
    }

    @Override
    public void draw(Svg svg) {
        plot.axes(svg, "time");
        Path used = steps(kind.used);
        plot.area(svg, used, ThemeColour.SERVICE, 0.22);
        svg.path(used, Svg.Stroke.of(ThemeColour.SERVICE, 1.6));
        svg.path(steps(kind.most), Svg.Stroke.of(ThemeColour.INK, 1.6));
        plot.key(svg, 4, "— " + kind.mostWords, ThemeColour.INK);
        plot.key(svg, kind == Kind.STREAMS ? 100 : 80, "— " + kind.usedWords, ThemeColour.SERVICE);
        double y = plot.box().bottom() + 64;
        for (Row row : rows) {
            svg.text(plot.box().x(), y, Numbers.count(total(row)) + " " + row.name(), Svg.Label.start(row.hue()));
            dots(svg, row, y + 12);
            y += ROW * 1.5;
        }
    }

    private void dots(Svg svg, Row row, double y) {
        long most = most(row.count());
        StringBuilder dots = new StringBuilder();
        svg.line(plot.box().x(), y, plot.box().right(), y, Svg.Stroke.of(ThemeColour.GRID, 1));
        for (TimelineColumns.Column column : timeline.columns()) {
            long count = row.count().applyAsLong(column.interval().connections());
            if (count > 0) {
                double radius = Math.max(1.6, MOST_RADIUS * Math.sqrt((double) count / most));
                dots.append(Path.circle(plot.x(column.middle()), y, radius));
            }
        }
        svg.area(dots.toString(), row.hue(), 0.75);
    }

    private Path steps(ToLongFunction<ConnectionCounts> count) {
        return timeline.steps(
                plot, column -> count.applyAsLong(column.interval().connections()));
    }

    @Override
    public List<Reading> readings() {
        return timeline.readings(plot, column -> words(column.interval().connections()));
    }

    private String words(ConnectionCounts counts) {
        StringBuilder words = new StringBuilder(Numbers.count(kind.used.applyAsLong(counts)) + " of "
                + Numbers.count(kind.most.applyAsLong(counts)) + " " + kind.usedWords);
        if (kind == Kind.STREAMS) {
            add(words, counts.streams().sentAgain(), "sent again");
        } else {
            add(words, counts.opened(), "opened");
            add(words, counts.closedByServerWithNotice() + counts.closedByServer() + counts.closedByUs(), "closed");
        }
        return words.toString();
    }

    private static void add(StringBuilder words, long count, String event) {
        if (count > 0) {
            words.append(", ").append(Numbers.count(count)).append(' ').append(event);
        }
    }
}
