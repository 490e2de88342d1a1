package dev.downbeat.report.view;

import dev.downbeat.analysis.PercentileRow.Time;
import dev.downbeat.report.chart.SessionChart;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.SessionReport;
import dev.downbeat.report.data.SessionReport.ShareRange;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.report.view.SharedData.TextData;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sessions of users who make several requests. */
public record SessionView(SessionReport report) implements View {
    private static final String LIMIT = "limit";
    private static final String ONE_EVENT = "one event";
    private static final String ONE_EVENT_ALONE = ONE_EVENT + ": its frequency is unknown";
    private static final String NO_REPLAY = "a session lasts longer than the run, so there is nothing to replay";

    private static final List<String> LIMITS = List.of(
            RunView.corrected(),
            "\"If independent\" means that no slow request makes the next one slower.",
            "Sessions are replayed over the response times of each second. The moment within it is not recorded, so it"
                    + " is drawn at random, with a fixed seed.");

    @Override
    public Page page() {
        return new Page(
                new Page.Head(
                        "sessions",
                        String.format(
                                Locale.ROOT,
                                "sessions of %s, %s apart, in a run of %s",
                                Numbers.count(report.requests(), "request"),
                                DurationText.rounded(report.thinkNanos()),
                                Numbers.count(report.times().count(), "request")),
                        headline(),
                        Optional.empty(),
                        List.of()),
                List.of(),
                report.doubts().stream()
                        .map(doubt -> new Page.Note(true, doubt.code(), doubt.text()))
                        .toList(),
                List.of(
                        Page.Section.of(new SessionChart(report)),
                        Page.Section.of("slower", "Sessions that hit a slow request", Where.CHAPTER, slower())
                                .remarks(unseen()),
                        Page.Section.of("below", "Slowest request per session", Where.CHAPTER, below())
                                .remarks(report.isNothingReplayed() ? List.of(NO_REPLAY) : List.of())),
                List.of(),
                Page.Origin.of(report.command(), report.version(), LIMITS));
    }

    @Override
    public boolean passes() {
        return true; // shown, whatever was found
    }

    @Override
    public Record data() {
        return SessionData.of(report, headline());
    }

    private String headline() {
        boolean hasLimit = report.limitNanos() > 0;
        if (!hasLimit && report.time(50).isEmpty()) {
            return "Too few requests for a percentile: use --limit.";
        }
        double percentile = report.time(99).isPresent() ? 99 : 50;
        Time time = hasLimit
                ? new Time(report.limitNanos(), false)
                : report.time(percentile).orElseThrow();
        long nanos = time.nanos();
        String name = hasLimit ? "" : (time.isLowerBound() ? "at most " : "") + Percentiles.name(percentile);
        String event = report.isOneEvent(hasLimit ? report.percentileOf(nanos) : percentile) ? ONE_EVENT_ALONE : "";
        String remarks = Stream.of(name, event).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
        Optional<ShareRange> replayed = report.replayedSlowerThan(nanos);
        ShareRange share = replayed.orElse(report.independentlySlowerThan(nanos));
        return watched() + share.text() + " of sessions of " + Numbers.count(report.requests(), "request")
                + " hit one slower than " + DurationText.rounded(nanos)
                + (remarks.isEmpty() ? "" : " (" + remarks + ")")
                + (replayed.isEmpty() ? ", if slow requests are independent." : ".");
    }

    /** Times of an overload only say how long the run was. */
    private String watched() {
        return report.overload()
                .map(load -> load.brief() + "; in these "
                        + DurationText.rounded(
                                report.ofRun().orElseThrow().result().windowNanos())
                        + " ")
                .orElse("");
    }

    private List<String> unseen() {
        return report.unseen() == 0
                ? List.of()
                : List.of("The end of " + Numbers.count(report.unseen(), "request")
                        + " was not observed. The upper share of a range assumes that they never end; the chart shows"
                        + " the lower share.");
    }

    private Table slower() {
        Table table = Table.with(
                Column.of("slower than"),
                Column.of(""),
                Column.of("if independent"),
                Column.of("in this run").ifAny(),
                Column.words("").ifAny());
        for (Slower one : SessionData.of(report, "").slowerThan()) {
            table = table.row(
                    one.of().equals(LIMIT) ? "--" + LIMIT : one.of(),
                    PercentileCells.time(Optional.of(new Time(one.valueNanos(), one.valueLowerBound()))),
                    report.independentlySlowerThan(one.valueNanos()).text(),
                    report.replayedSlowerThan(one.valueNanos())
                            .map(ShareRange::text)
                            .orElse(""),
                    one.oneEvent() ? ONE_EVENT : "");
        }
        return table;
    }

    private Table below() {
        Table table = Table.with(
                Column.of("sessions"),
                Column.of("of requests"),
                Column.of("if independent"),
                Column.of("in this run").ifAny(),
                Column.words("").ifAny());
        for (Below one : SessionData.of(report, "").stayBelow()) {
            table = table.row(
                    String.format(Locale.ROOT, "%.0f %%", 100 * one.share()),
                    Percentiles.name(one.percentile()),
                    report.independentlyBelow(one.share())
                            .map(time -> PercentileCells.time(Optional.of(time)))
                            .orElse("too few requests"),
                    report.replayedBelow(one.share())
                            .map(time -> PercentileCells.time(Optional.of(time)))
                            .orElse(""),
                    one.oneEvent() ? ONE_EVENT : "");
        }
        return table;
    }

    /** The times that sessions of several requests meet. */
    public record SessionData(
            @Key("") Head head,
            String headline,
            long requests,
            long thinkNanos,
            long count,
            long sessions,
            List<TextData> doubts,
            List<Slower> slowerThan,
            List<Below> stayBelow) {
        static final double[] SHARES = {0.5, 0.9, 0.99};

        static SessionData of(SessionReport report, String headline) {
            List<Slower> slower = new ArrayList<>();
            for (double percentile : Percentiles.belowMax(Percentiles.Place.JSON)) {
                report.time(percentile)
                        .ifPresent(
                                time -> slower.add(Slower.of(report, Percentiles.name(percentile), time, percentile)));
            }
            if (report.limitNanos() > 0) {
                long limit = report.limitNanos();
                slower.add(Slower.of(report, LIMIT, new Time(limit, false), report.percentileOf(limit)));
            }
            List<Below> below = new ArrayList<>();
            for (double share : SHARES) {
                Optional<Time> independent = report.independentlyBelow(share);
                Optional<Time> replayed = report.replayedBelow(share);
                below.add(new Below(
                        share,
                        report.percentileBelow(share),
                        Known.of(independent.map(Time::nanos), "too few requests for this percentile"),
                        independent.map(Time::isLowerBound).orElse(false),
                        Known.of(replayed.map(Time::nanos), NO_REPLAY),
                        replayed.map(Time::isLowerBound).orElse(false),
                        report.isOneEvent(report.percentileBelow(share))));
            }
            return new SessionData(
                    Head.of("session", report.version(), report.command()),
                    headline,
                    report.requests(),
                    report.thinkNanos(),
                    report.times().count(),
                    report.atLeast().slowest().count(),
                    report.doubts().stream()
                            .map(doubt -> new TextData(doubt.code(), doubt.text()))
                            .toList(),
                    slower,
                    below);
        }
    }

    /** The share of sessions with a request slower than a time. */
    record Slower(
            String of,
            long valueNanos,
            boolean valueLowerBound,
            double independentShare,
            double independentShareAtMost,
            Known<Double> replayedShare,
            Known<Double> replayedShareAtMost,
            boolean oneEvent)
            implements OneLine {
        static Slower of(SessionReport report, String name, Time time, double percentile) {
            ShareRange independent = report.independentlySlowerThan(time.nanos());
            Optional<ShareRange> replayed = report.replayedSlowerThan(time.nanos());
            return new Slower(
                    name,
                    time.nanos(),
                    time.isLowerBound(),
                    independent.atLeast(),
                    independent.atMost(),
                    Known.of(replayed.map(ShareRange::atLeast), NO_REPLAY),
                    Known.of(replayed.map(ShareRange::atMost), NO_REPLAY),
                    report.isOneEvent(percentile));
        }
    }

    /** The time below which a share of the sessions stays. */
    record Below(
            double share,
            double percentile,
            Known<Long> independentNanos,
            boolean independentLowerBound,
            Known<Long> replayedNanos,
            boolean replayedLowerBound,
            boolean oneEvent)
            implements OneLine {}
}
