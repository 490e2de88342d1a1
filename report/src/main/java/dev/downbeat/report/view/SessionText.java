package dev.downbeat.report.view;

import dev.downbeat.report.data.SessionReport;
import dev.downbeat.report.paper.JsonWriter;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.stats.Sessions;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.ResponseBounds;
import java.io.IOException;
import java.util.Locale;

/** What sessions meet, on a screen of 80 columns or as JSON, schema 1. */
public final class SessionText {
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99};
    private static final double[] SHARES = {0.5, 0.9, 0.99};

    private SessionText() {}

    /** For a reader. */
    public static void write(SessionReport report, Appendable out) throws IOException {
        Lines lines = new Lines(out);
        lines.line(String.format(
                Locale.ROOT,
                "sessions of %,d requests, %s apart, in a run of %,d requests",
                report.requests(),
                DurationText.rounded(report.thinkNanos()),
                report.times().count()));
        lines.blank();
        lines.unwrapped("  sessions that meet                             if slow requests       in this");
        lines.unwrapped("  a request slower than                           came one by one           run");
        for (double percentile : PERCENTILES) {
            if (ResponseBounds.carries(percentile, report.times().count())) {
                slower(
                        lines,
                        report,
                        PercentileName.of(percentile),
                        report.times().valueAtPercentile(percentile));
            }
        }
        if (report.limitNanos() > 0) {
            slower(lines, report, "--limit", report.limitNanos());
        }
        lines.blank();
        for (double share : SHARES) {
            lines.unwrapped(String.format(
                    Locale.ROOT,
                    "  %-4s of sessions stay below (p%.6g of requests)%14s %13s",
                    String.format(Locale.ROOT, "%.0f %%", 100 * share),
                    Sessions.percentileThatAllStayBelow(share, report.requests()),
                    DurationText.rounded(report.independentlyBelow(share)),
                    report.slowest().isEmpty()
                            ? "-"
                            : DurationText.rounded(report.slowest().valueAtPercentile(100 * share))));
        }
        if (report.slowest().isEmpty()) {
            lines.paragraph("  ", "a session takes longer than the run did: there is nothing to replay");
        }
    }

    private static void slower(Lines lines, SessionReport report, String name, long nanos) throws IOException {
        lines.unwrapped(String.format(
                Locale.ROOT,
                "  %-8s %12s %41s %13s",
                name,
                DurationText.rounded(nanos),
                percent(report.independentlySlowerThan(nanos)),
                report.replayedSlowerThan(nanos).map(SessionText::percent).orElse("-")));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** For a program. */
    public static void json(SessionReport report, Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out);
        json.beginObject("")
                .put("schema", JsonReport.SCHEMA)
                .put("kind", "session")
                .put("requests", report.requests())
                .put("think_ns", report.thinkNanos())
                .put("count", report.times().count())
                .put("sessions", report.slowest().count());
        json.beginArray("slower_than");
        for (double percentile : PERCENTILES) {
            if (ResponseBounds.carries(percentile, report.times().count())) {
                slower(
                        json,
                        report,
                        PercentileName.of(percentile),
                        report.times().valueAtPercentile(percentile));
            }
        }
        if (report.limitNanos() > 0) {
            slower(json, report, "limit", report.limitNanos());
        }
        json.end();
        json.beginArray("stay_below");
        for (double share : SHARES) {
            json.beginRow("")
                    .put("share", share)
                    .put("percentile", Sessions.percentileThatAllStayBelow(share, report.requests()))
                    .put("independent_ns", report.independentlyBelow(share));
            if (report.slowest().isEmpty()) {
                json.putNull("replayed_ns");
            } else {
                json.put("replayed_ns", report.slowest().valueAtPercentile(100 * share));
            }
            json.end();
        }
        json.end().end();
        out.append('\n');
    }

    private static void slower(JsonWriter json, SessionReport report, String name, long nanos) throws IOException {
        json.beginRow("").put("of", name).put("value_ns", nanos);
        json.put("independent_share", report.independentlySlowerThan(nanos));
        if (report.replayedSlowerThan(nanos).isPresent()) {
            json.put("replayed_share", report.replayedSlowerThan(nanos).get());
        } else {
            json.putNull("replayed_share");
        }
        json.end();
    }
}
