package dev.downbeat.report.view;

import dev.downbeat.report.data.ProofReport;
import dev.downbeat.report.data.SessionReport;
import dev.downbeat.report.data.SideBySide;
import dev.downbeat.report.paper.Key;
import dev.downbeat.report.paper.Known;
import dev.downbeat.report.paper.OneLine;
import dev.downbeat.report.paper.RecordJson;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;

/** The data of sessions, proofs and several runs. */
public final class SmallData {
    private static final String NO_REPLAY = "a session takes longer than the run did: there is nothing to replay";

    private SmallData() {}

    /** The times that sessions of several requests meet. */
    public record SessionData(
            @Key("") Head head,
            String headline,
            long requests,
            long thinkNanos,
            long count,
            long sessions,
            List<Slower> slowerThan,
            List<Below> stayBelow) {
        static final double[] SHARES = {0.5, 0.9, 0.99};

        static SessionData of(SessionReport report, String headline) {
            List<Slower> slower = new ArrayList<>();
            for (double percentile : Percentiles.belowMax(Percentiles.Place.JSON)) {
                if (ResponseBounds.carries(percentile, report.times().count())) {
                    slower.add(Slower.of(
                            report, Percentiles.name(percentile), report.times().valueAtPercentile(percentile)));
                }
            }
            if (report.limitNanos() > 0) {
                slower.add(Slower.of(report, "limit", report.limitNanos()));
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

    /** A self-test of the instrument. */
    public record ProofData(
            @Key("") Head head,
            String headline,
            boolean proved,
            List<String> setup,
            List<Quantity> quantities,
            List<String> failures) {
        static ProofData of(ProofReport report, String headline) {
            return new ProofData(
                    Head.of("proof", report.version(), report.command()),
                    headline,
                    report.isProved(),
                    report.setup(),
                    report.rows().stream()
                            .map(row -> new Quantity(
                                    row.name(),
                                    row.isTime() ? "ns" : "requests",
                                    row.shown(),
                                    row.must(),
                                    row.closedLoop(),
                                    row.held()))
                            .toList(),
                    report.failures().stream().map(ProofReport.Failure::text).toList());
        }
    }

    /** A measured quantity, its exact theoretical value, and the result of a closed-loop tool. */
    record Quantity(String name, String unit, long shown, long must, long closedLoop, boolean held)
            implements OneLine {}

    /** Several runs in full. */
    public record SeveralData(
            int schema,
            String kind,
            String downbeat,
            String headline,
            List<String> differences,
            List<NamedRun> results) {
        public static SeveralData of(SideBySide report, String headline) {
            return new SeveralData(
                    RecordJson.SCHEMA,
                    "several",
                    report.version(),
                    headline,
                    report.differences(),
                    report.results().stream()
                            .map(named -> new NamedRun(
                                    named.name(),
                                    new RunJson(named.report(), named.report().why()).data()))
                            .toList());
        }
    }

    /** One of several runs. */
    record NamedRun(String name, RunData run) {}
}
