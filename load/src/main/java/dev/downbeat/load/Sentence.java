package dev.downbeat.load;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Caveat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Formats a verdict as one sentence: each objective, the worst first, and whether the result can be trusted. */
final class Sentence {
    private final RunReport report;
    private final ResponseIntervals intervals;

    Sentence(RunReport report) {
        this.report = report;
        this.intervals = report.analysis().intervals();
    }

    String text() {
        List<String> parts = new ArrayList<>();
        report.verdict().objectives().stream()
                .sorted(Comparator.comparingInt(objective -> rank(objective.status())))
                .map(this::objective)
                .forEach(parts::add);
        report.why().line().ifPresent(line -> parts.add("why: " + line));
        parts.add(String.format(
                Locale.ROOT, "over %,d requests", report.result().ledger().planned()));
        parts.add(measurement());
        return report.result().target() + ": " + String.join("; ", parts);
    }

    private static int rank(JudgedObjective.Status status) {
        return switch (status) {
            case MISSED -> 0;
            case UNDECIDED -> 1;
            case MET -> 2;
        };
    }

    private String objective(JudgedObjective objective) {
        AskedObjective slo = objective.slo();
        String interval = objective.isUnsure() ? "" : interval(slo);
        String word = objective.status() == JudgedObjective.Status.MISSED
                ? "MISSED"
                : objective.status().word();
        return slo.subject() + " " + slo.limit() + " " + word + ": " + objective.reason() + interval;
    }

    private String interval(AskedObjective slo) {
        if (!(slo instanceof AskedObjective.Percentile of) || of.percentile() >= 100) {
            return "";
        }
        Optional<QuantileInterval> interval =
                intervals.at(of.percentile()).filter(known -> known.lowNanos().isPresent());
        return interval.map(Sentence::between)
                .orElseGet(() -> " (no interval: " + intervals.whyNot(of.percentile()) + ")");
    }

    private static String between(QuantileInterval interval) {
        String low = DurationText.rounded(interval.lowNanos().getAsLong());
        return interval.isBounded()
                ? " (95 % CI " + low + " to "
                        + DurationText.rounded(interval.highNanos().getAsLong()) + ")"
                : " (95 % CI above " + low + ")";
    }

    private String measurement() {
        RunVerdict verdict = report.verdict();
        boolean isSoundElsewhere = verdict.measurement() != RunVerdict.Measurement.UNSOUND;
        String why =
                verdict.doubtsOfTimes().stream().findFirst().map(Caveat::text).orElse("");
        return "the measurement is " + verdict.measurementInWords()
                + (isSoundElsewhere && !verdict.hasSoundTimes() ? ", not for times" : "")
                + (why.isEmpty() ? "" : ": " + why);
    }
}
