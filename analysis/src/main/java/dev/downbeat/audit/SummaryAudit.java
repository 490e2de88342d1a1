package dev.downbeat.audit;

import dev.downbeat.audit.Audited.Row;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Audits a distribution without individual requests. It does not show whether slow requests were spread out or
 * simultaneous. It therefore never proves a stall; at most it rules out a long one.
 */
final class SummaryAudit {
    private static final int STALL = 3;
    private static final int RISE = 10;
    private static final int LEAST_BEYOND = 10;

    private final String name;
    private final Collected collected;
    private final Summary summary;
    private final double tolerance;
    private final List<AuditFinding> findings = new ArrayList<>();
    private boolean isPossible = true;

    SummaryAudit(String name, Collected collected, Summary summary, double tolerance) {
        this.name = name;
        this.collected = collected;
        this.summary = summary;
        this.tolerance = tolerance;
    }

    Audited audited() {
        impossible();
        rise();
        samples();
        findings.addAll(collected.findings());
        List<Row> rows = new ArrayList<>();
        summary.percentiles().forEach((percentile, nanos) -> {
            if (percentile >= 50 && percentile < 100 && isShown(percentile)) {
                rows.add(new Row(percentile, nanos, nanos, most(percentile, nanos), isJudged(percentile)));
            }
        });
        return new Audited(
                name,
                collected.tool(),
                collected.target(),
                summary.count(),
                summary.lengthNanos(),
                Optional.empty(),
                rows,
                List.of(),
                findings,
                isPossible ? Audited.Verdict.of(rows, tolerance) : Audited.Verdict.UNKNOWN,
                tolerance,
                Optional.empty(),
                Optional.empty());
    }

    /** Shows the percentiles that are commonly quoted, or all if there are few. */
    private boolean isShown(double percentile) {
        return summary.percentiles().size() <= 15
                || Percentiles.belowMax(Percentiles.Place.JSON).contains(percentile);
    }

    private boolean isJudged(double percentile) {
        return percentile <= 99.9 && summary.count() * (100 - percentile) / 100 >= LEAST_BEYOND;
    }

    /** The share of the time in which a caller may have hit a stall. */
    private double stalledShare(long median, long max) {
        if (summary.users() == 0 || summary.lengthNanos() == 0 || summary.count() == 0) {
            return 1;
        }
        double below = 0;
        double shortest = 0;
        double last = 0;
        for (Map.Entry<Double, Long> each : summary.percentiles().entrySet()) {
            if (each.getValue() < STALL * median) {
                below = each.getKey();
                shortest += (each.getKey() - last) / 100 * floor(last);
                last = each.getKey();
            }
        }
        double inFlight = (double) summary.users() * summary.lengthNanos();
        double ofCounts = summary.count() * (100 - below) / 100 * max;
        double ofMean =
                summary.mean().isPresent() ? summary.count() * (summary.mean().getAsLong() - shortest) : inFlight;
        return Math.max(0, Math.min(1, Math.min(ofCounts, ofMean) / inFlight));
    }

    private long floor(double percentile) {
        Map.Entry<Double, Long> below = summary.percentiles().floorEntry(percentile);
        return below == null || percentile == 0 ? 0 : below.getValue();
    }

    private OptionalLong most(double percentile, long printed) {
        NavigableMap<Double, Long> all = summary.percentiles();
        Map.Entry<Double, Long> middle = all.ceilingEntry(50.0);
        if (summary.isCorrected()) {
            return OptionalLong.of(printed);
        }
        if (summary.max().isEmpty() || middle == null) {
            return OptionalLong.empty();
        }
        long max = Math.max(printed, summary.max().getAsLong());
        boolean isSmall =
                max < STALL * middle.getValue() || 2 * stalledShare(middle.getValue(), max) <= (100 - percentile) / 100;
        return OptionalLong.of(isSmall ? printed : max);
    }

    private void impossible() {
        long before = 0;
        double at = 0;
        for (Map.Entry<Double, Long> each : summary.percentiles().entrySet()) {
            if (each.getValue() < before) {
                impossible(percentile(each.getKey()) + " is " + DurationText.rounded(each.getValue()) + " and "
                        + percentile(at) + " is " + DurationText.rounded(before));
            }
            before = each.getValue();
            at = each.getKey();
        }
        if (summary.max().isPresent() && before > summary.max().getAsLong() * 1.002 + 1_000) {
            impossible(percentile(at) + " is " + DurationText.rounded(before) + ", more than the maximum of "
                    + DurationText.rounded(summary.max().getAsLong()));
        }
        if (summary.mean().isPresent()
                && summary.max().isPresent()
                && summary.mean().getAsLong() > summary.max().getAsLong() * 1.002 + 1_000) {
            impossible("the mean is " + DurationText.rounded(summary.mean().getAsLong()) + ", more than the maximum of "
                    + DurationText.rounded(summary.max().getAsLong()));
        }
    }

    private void impossible(String what) {
        isPossible = false;
        findings.add(AuditFinding.weighty(
                "impossible_percentiles", "", what + ": they were rounded, averaged or estimated, not counted"));
    }

    private void rise() {
        Map.Entry<Double, Long> last = summary.percentiles().floorEntry(99.9);
        if (summary.isCorrected() || summary.max().isEmpty() || last == null || last.getKey() < 90) {
            return;
        }
        long max = summary.max().getAsLong();
        if (max > RISE * Math.max(1, last.getValue())) {
            findings.add(AuditFinding.weighty(
                    "vertical_rise",
                    "",
                    String.format(
                            Locale.ROOT,
                            "the maximum, %s, is %,d times %s: so a stall looks when the tool waits with the service. Without"
                                    + " the times of the requests it cannot be told from a few slow ones",
                            DurationText.rounded(max),
                            Math.round((double) max / Math.max(1, last.getValue())),
                            percentile(last.getKey()))));
        }
    }

    private void samples() {
        for (Map.Entry<Double, Long> each : summary.percentiles().entrySet()) {
            double beyond = summary.count() * (100 - each.getKey()) / 100;
            if (summary.count() > 0
                    && each.getKey() < 100
                    && each.getKey() <= 99.99
                    && beyond < LEAST_BEYOND
                    && isShown(each.getKey())) {
                findings.add(AuditFinding.note(
                        "few_samples",
                        "",
                        String.format(
                                Locale.ROOT,
                                "%s rests on %,d of %,d requests",
                                percentile(each.getKey()),
                                Math.round(beyond),
                                summary.count())));
                break;
            }
        }
        if (summary.count() == 0) {
            findings.add(AuditFinding.weighty(
                    "no_count",
                    "",
                    "the file does not say how many requests there were, so none of its percentiles is judged"));
        }
        if (summary.isCorrected()) {
            findings.add(AuditFinding.note(
                    "already_corrected",
                    "",
                    "the times count from the intended times already: they are not corrected again"));
        }
        if (summary.failed() > 0) {
            findings.add(AuditFinding.note(
                    "failures",
                    "",
                    String.format(
                            Locale.ROOT,
                            "%,d requests failed; whether their times are among the percentiles depends on the tool",
                            summary.failed())));
        }
    }

    private static String percentile(double percentile) {
        String text = Double.toString(percentile);
        return "p" + (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text);
    }
}
