package dev.downbeat.report.view.audit;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.Audited;
import dev.downbeat.audit.Audited.Row;
import dev.downbeat.audit.RecoveredPlan;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.paper.ShellWords;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.util.Locale;
import java.util.Optional;

/** One audited result in sentences. */
record AuditText(Audited result) {
    String headline() {
        return switch (result.verdict()) {
            case HIDES -> hidden();
            case UNKNOWN -> unknown();
            case SOUND -> "The printed percentiles hide no stall.";
        };
    }

    private String hidden() {
        Row row = result.worst().orElseThrow();
        String most = row.atMostNanos().isPresent()
                ? ", at most " + DurationText.rounded(row.atMostNanos().getAsLong())
                : "";
        return printed(row) + "; callers waited at least " + DurationText.rounded(row.atLeastNanos()) + most + ".";
    }

    private String unknown() {
        Optional<Row> open = result.rows().stream()
                .filter(row -> row.mayHide(result.tolerance()))
                .reduce((lower, higher) -> higher);
        if (open.isEmpty()) {
            return "Nothing can be said: " + why() + ".";
        }
        Row row = open.get();
        return printed(row)
                + (row.atMostNanos().isPresent()
                        ? "; callers may have waited up to "
                                + DurationText.rounded(row.atMostNanos().getAsLong()) + ": the file does not show it."
                        : "; the file does not show how long callers waited.");
    }

    private String why() {
        return result.findings().stream()
                .filter(finding -> finding.isWeighty() || finding.code().equals("few_samples"))
                .findFirst()
                .map(AuditFinding::text)
                .orElse("there are no percentiles that enough requests stand behind");
    }

    private static String printed(Row row) {
        return name(row) + " printed " + DurationText.rounded(row.printedNanos());
    }

    static String name(Row row) {
        return Percentiles.name(row.percentile());
    }

    String plan() {
        return result.plan()
                .map(plan -> plan.kind().words() + ": " + plan.text() + " ("
                        + plan.certainty().words() + ")")
                .orElse("not in the file: it has a distribution only");
    }

    String requests() {
        String count = result.count() == 0 ? "an unknown number of" : Numbers.count(result.count());
        return count + " requests" + (result.lengthNanos() == 0 ? "" : " in " + Numbers.seconds(result.lengthNanos()));
    }

    /** The command that measures the same from intended times. */
    String measure() {
        String url = result.target().isEmpty() ? "http://localhost:8080/" : result.target();
        double perSecond = result.plan()
                .map(RecoveredPlan::perSecond)
                .orElse(result.lengthNanos() == 0 ? 0 : result.count() * 1e9 / result.lengthNanos());
        String rate = perSecond >= 1
                ? Long.toString(Math.round(perSecond))
                : perSecond > 0 ? Math.max(1, Math.round(perSecond * 60)) + "/m" : "100";
        long seconds = Math.max(10, Math.round(result.lengthNanos() / 1e9));
        return String.format(Locale.ROOT, "downbeat run %s -R %s -d %ds", ShellWords.quoted(url), rate, seconds);
    }
}
