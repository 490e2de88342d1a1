package dev.downbeat.report.view;

import dev.downbeat.report.chart.SessionChart;
import dev.downbeat.report.data.SessionReport;
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
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The sessions of users who make several requests. */
public record SessionView(SessionReport report) implements View {
    private static final String LIMIT = "limit";
    private static final String NO_REPLAY = "a session takes longer than the run did: there is nothing to replay";

    private static final List<String> LIMITS = List.of(
            RunView.corrected(),
            "\"If independent\" means that no slow request makes the next one slower.",
            "Sessions are replayed over the response times of each second. The moment within the second is not recorded:"
                    + " it is drawn at random, always in the same way.");

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
                        Page.Section.of("slower", "Sessions that meet a slow request", Where.CHAPTER, slower()),
                        Page.Section.of("below", "What sessions stay below", Where.CHAPTER, below())
                                .remarks(report.slowest().isEmpty() ? List.of(NO_REPLAY) : List.of())),
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
        boolean asked = report.limitNanos() > 0;
        if (!asked && !ResponseBounds.hasEnoughFor(50, report.times().count())) {
            return "There are too few requests for a percentile: give a limit.";
        }
        double percentile = ResponseBounds.hasEnoughFor(99, report.times().count()) ? 99 : 50;
        long nanos = asked ? report.limitNanos() : report.times().valueAtPercentile(percentile);
        String name = asked ? "" : " (" + Percentiles.name(percentile) + ")";
        Optional<Double> replayed = report.replayedSlowerThan(nanos);
        double share = replayed.orElse(report.independentlySlowerThan(nanos));
        return PercentText.of(share) + " of sessions of " + Numbers.count(report.requests(), "request")
                + " meet one slower than " + DurationText.rounded(nanos) + name
                + (replayed.isEmpty() ? ", if slow requests are independent." : ".");
    }

    private Table slower() {
        Table table = Table.with(
                Column.of("slower than"),
                Column.of(""),
                Column.of("if independent"),
                Column.of("in this run").ifAny());
        for (Slower one : SessionData.of(report, "").slowerThan()) {
            table = table.row(
                    one.of().equals(LIMIT) ? "--" + LIMIT : one.of(),
                    DurationText.rounded(one.valueNanos()),
                    PercentText.of(one.independentShare()),
                    one.replayedShare().value().map(PercentText::of).orElse(""));
        }
        return table;
    }

    private Table below() {
        Table table = Table.with(
                Column.of("sessions"),
                Column.of("of requests"),
                Column.of("if independent"),
                Column.of("in this run").ifAny());
        for (Below one : SessionData.of(report, "").stayBelow()) {
            table = table.row(
                    String.format(Locale.ROOT, "%.0f %%", 100 * one.share()),
                    Percentiles.name(one.percentile()),
                    one.independentNanos().value().map(DurationText::rounded).orElse("too few requests"),
                    one.replayedNanos().value().map(DurationText::rounded).orElse(""));
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
                if (ResponseBounds.hasEnoughFor(percentile, report.times().count())) {
                    slower.add(Slower.of(
                            report, Percentiles.name(percentile), report.times().valueAtPercentile(percentile)));
                }
            }
            if (report.limitNanos() > 0) {
                slower.add(Slower.of(report, LIMIT, report.limitNanos()));
            }
            List<Below> below = new ArrayList<>();
            for (double share : SHARES) {
                below.add(new Below(
                        share,
                        report.percentileBelow(share),
                        Known.of(report.independentlyBelow(share), "too few requests for this percentile"),
                        report.slowest().isEmpty()
                                ? Known.not(NO_REPLAY)
                                : Known.of(report.slowest().valueAtPercentile(100 * share))));
            }
            return new SessionData(
                    Head.of("session", report.version(), report.command()),
                    headline,
                    report.requests(),
                    report.thinkNanos(),
                    report.times().count(),
                    report.slowest().count(),
                    report.doubts().stream()
                            .map(doubt -> new TextData(doubt.code(), doubt.text()))
                            .toList(),
                    slower,
                    below);
        }
    }

    /** The share of sessions with a request slower than a time. */
    record Slower(String of, long valueNanos, double independentShare, Known<Double> replayedShare) implements OneLine {
        static Slower of(SessionReport report, String name, long nanos) {
            return new Slower(
                    name,
                    nanos,
                    report.independentlySlowerThan(nanos),
                    Known.of(report.replayedSlowerThan(nanos), NO_REPLAY));
        }
    }

    /** The time below which a share of the sessions stays. */
    record Below(double share, double percentile, Known<Long> independentNanos, Known<Long> replayedNanos)
            implements OneLine {}
}
