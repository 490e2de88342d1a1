package dev.downbeat.report.view;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.AuditResult.Row;
import dev.downbeat.audit.RecoveredPlan;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What other tools' results hide. */
public record AuditView(AuditReport report) implements View {
    private static final String AT_LEAST =
            "At least: in a full or partial stall, requests that the tool did not send count as waiting until the first"
                    + " response. This assumes that they would have been no faster than those sent,"
                    + " and that the tool itself was not paused.";
    private static final String AT_MOST =
            "At most: these requests also queue, and the queue drains no faster than the highest rate in the file.";

    /** The sentence that a user would forward. */
    String headline() {
        if (report.results().size() == 1) {
            return new AuditText(report.results().get(0)).headline();
        }
        List<String> parts = new ArrayList<>();
        for (AuditVerdict verdict : List.of(AuditVerdict.HIDES, AuditVerdict.CANNOT_TELL, AuditVerdict.SOUND)) {
            long count = report.results().stream()
                    .filter(result -> result.verdict() == verdict)
                    .count();
            if (count > 0) {
                parts.add(Numbers.count(count) + " " + word(verdict));
            }
        }
        return "Of " + report.results().size() + " results: " + String.join(", ", parts) + ".";
    }

    private static String word(AuditVerdict verdict) {
        return switch (verdict) {
            case HIDES -> "misleading";
            case CANNOT_TELL -> "undecided";
            case SOUND -> "sound";
        };
    }

    private static String reason(AuditResult result) {
        return switch (result.verdict()) {
            case HIDES -> "callers waited over " + PercentText.of(result.tolerance()) + " longer than reported";
            case CANNOT_TELL -> "the file does not show how long callers waited";
            case SOUND ->
                "callers waited at most " + PercentText.of(result.tolerance()) + orRounding(result)
                        + " longer than reported";
        };
    }

    /** By how much the file's rounding may exceed the tolerance; empty if it does not. */
    private static String orRounding(AuditResult result) {
        return result.rows().stream()
                .filter(row -> row.isRough(result.tolerance()))
                .findFirst()
                .map(row -> " or " + DurationText.rounded(row.resolutionNanos()))
                .orElse("");
    }

    @Override
    public Page page() {
        List<Page.AnsweredQuestion> answers = new ArrayList<>();
        List<Page.Note> notes = new ArrayList<>();
        List<Page.Section> sections = new ArrayList<>();
        List<Page.Fact> facts = new ArrayList<>();
        boolean isOne = report.results().size() == 1;
        int number = 0;
        for (AuditResult result : report.results()) {
            AuditText text = new AuditText(result);
            Mark mark = mark(result.verdict());
            String word = word(result.verdict());
            answers.add(
                    isOne
                            ? Page.AnsweredQuestion.of("result", mark, word, reason(result))
                            : Page.AnsweredQuestion.named(result.name(), mark, word, text.headline()));
            for (AuditFinding finding : result.findings()) {
                String place = finding.place().isEmpty() ? "" : finding.place() + ": ";
                notes.add(new Page.Note(
                        finding.isWeighty(),
                        finding.code(),
                        (isOne ? "" : result.name() + ": ") + place + finding.text()));
            }
            sections.add(new Page.Section(
                    "percentiles" + (number == 0 ? "" : "-" + number),
                    isOne ? "What callers waited" : result.name(),
                    isOne ? Where.EVERYWHERE : Where.CHAPTER,
                    List.of(),
                    List.of(table(result)),
                    List.of()));
            String file = result.tool() + ", " + text.requests();
            if (isOne) {
                facts.add(new Page.Fact("file", file));
                facts.add(new Page.Fact("plan", text.plan()));
                facts.add(new Page.Fact("to measure", text.measure()));
            } else {
                facts.add(new Page.Fact(result.name(), file + "; plan: " + text.plan()));
                facts.add(new Page.Fact("", text.measure()));
            }
            number++;
        }
        return new Page(
                new Page.Head(
                        "audit",
                        isOne
                                ? report.results().get(0).name()
                                : report.results().size() + " results of other tools",
                        headline(),
                        Optional.empty(),
                        List.of()),
                answers,
                notes,
                sections,
                facts,
                Page.Origin.of(report.command(), report.version(), List.of(AT_LEAST, AT_MOST)));
    }

    private static Mark mark(AuditVerdict verdict) {
        return switch (verdict) {
            case HIDES -> Mark.BAD;
            case CANNOT_TELL -> Mark.OPEN;
            case SOUND -> Mark.GOOD;
        };
    }

    private static Table table(AuditResult result) {
        Table table = Table.with(
                Column.of(""),
                Column.of("reported"),
                Column.of("waited at least"),
                Column.of("at most"),
                Column.words(""));
        for (Row row : result.rows()) {
            table = table.cells(
                    Cell.of(AuditText.name(row)),
                    Cell.of(DurationText.rounded(row.printedNanos())),
                    Cell.of(row.isJudged() ? DurationText.rounded(row.atLeastNanos()) : ""),
                    Cell.of(row.isJudged() ? atMost(row) : ""),
                    judged(row, result.tolerance()));
        }
        return table;
    }

    private static String atMost(Row row) {
        return row.atMostNanos().isPresent()
                ? DurationText.rounded(row.atMostNanos().getAsLong())
                : "unknown";
    }

    private static Cell judged(Row row, double tolerance) {
        if (!row.isJudged()) {
            return Cell.of("not judged");
        }
        if (row.hides(tolerance)) {
            double factor = (double) row.atLeastNanos() / Math.max(1, row.printedNanos());
            return Cell.of(Mark.BAD, "hidden, at least " + Numbers.times(factor));
        }
        if (row.mayHide(tolerance)) {
            return Cell.of(Mark.OPEN, "undecided");
        }
        return Cell.of(
                Mark.GOOD,
                row.isRough(tolerance) ? "sound to " + DurationText.rounded(row.resolutionNanos()) : "sound");
    }

    @Override
    public Record data() {
        return AuditData.of(report, headline());
    }

    /** One audited result in sentences. */
    record AuditText(AuditResult result) {
        String headline() {
            return switch (result.verdict()) {
                case HIDES -> hidden();
                case CANNOT_TELL -> unknown();
                case SOUND -> "The reported percentiles hide no stall.";
            };
        }

        private String hidden() {
            Row row = result.worst().orElseThrow();
            String least = DurationText.rounded(row.atLeastNanos());
            return printed(row) + "; callers waited "
                    + (row.atMostNanos().isPresent()
                            ? least + " to "
                                    + DurationText.rounded(row.atMostNanos().getAsLong())
                            : "at least " + least)
                    + ".";
        }

        private String unknown() {
            Optional<Row> open = result.rows().stream()
                    .filter(row -> row.mayHide(result.tolerance()))
                    .reduce((lower, higher) -> higher);
            if (open.isEmpty()) {
                return "No verdict: " + why() + ".";
            }
            Row row = open.get();
            return printed(row)
                    + (row.atMostNanos().isPresent()
                            ? "; callers may have waited up to "
                                    + DurationText.rounded(row.atMostNanos().getAsLong())
                                    + ", but the file does not show whether they did."
                            : "; the file does not show how long callers waited.");
        }

        private String why() {
            return result.findings().stream()
                    .filter(finding -> finding.isWeighty() || finding.kind() == AuditFinding.Kind.FEW_SAMPLES)
                    .findFirst()
                    .map(AuditFinding::text)
                    .orElse("too few requests for any percentile");
        }

        private static String printed(Row row) {
            return "Reported " + name(row) + ": " + DurationText.rounded(row.printedNanos());
        }

        static String name(Row row) {
            return Percentiles.name(row.percentile());
        }

        String plan() {
            return result.plan()
                    .map(plan -> plan.kind().words() + ": " + plan.text() + " ("
                            + plan.certainty().words() + ")")
                    .orElse("unknown: the file contains only a distribution");
        }

        String requests() {
            return (result.count() == 0 ? "an unknown number of requests" : Numbers.count(result.count(), "request"))
                    + (result.lengthNanos() == 0 ? "" : " in " + Numbers.seconds(result.lengthNanos()));
        }

        /** The command that measures the same from intended times. */
        String measure() {
            String url = result.target().isEmpty() ? "http://localhost:8080/" : result.target();
            double perSecond = result.plan()
                    .map(RecoveredPlan::perSecond)
                    .orElse(result.lengthNanos() == 0 ? 0 : result.count() * 1e9 / result.lengthNanos());
            long perMinute = Math.max(1, Math.round(perSecond * 60));
            String rate = perSecond >= 100 || perMinute % 60 == 0
                    ? Long.toString(Math.round(perSecond))
                    : perSecond > 0 ? perMinute + "/m" : "100";
            long forEnough = perSecond > 0 ? (long) Math.ceil(100 / perSecond) : 0;
            long nanos = result.plan().map(RecoveredPlan::lengthNanos).orElse(result.lengthNanos());
            long seconds = Math.max(Math.max(10, forEnough), Math.round(nanos / 1e9));
            return String.format(Locale.ROOT, "downbeat run %s -R %s -d %ds", ShellWords.quoted(url), rate, seconds);
        }
    }

    /** An audit of another tool's results. */
    public record AuditData(@Key("") Head head, String headline, String verdict, List<ResultData> results) {
        private static final String NO_PLAN = "the file contains only a distribution";

        static AuditData of(AuditReport report, String headline) {
            return new AuditData(
                    Head.of("audit", report.version(), report.command()),
                    headline,
                    SharedData.lower(report.verdict()),
                    report.results().stream().map(ResultData::of).toList());
        }

        /** One audited result. */
        record ResultData(
                String name,
                String tool,
                String target,
                String verdict,
                double tolerance,
                long requests,
                long durationNanos,
                Known<PlanData> plan,
                List<RowData> percentiles,
                List<StallData> stalls,
                List<FindingData> findings,
                String measure) {
            static ResultData of(AuditResult result) {
                return new ResultData(
                        result.name(),
                        result.tool(),
                        result.target(),
                        SharedData.lower(result.verdict()),
                        result.tolerance(),
                        result.count(),
                        result.lengthNanos(),
                        Known.of(result.plan().map(PlanData::of), NO_PLAN),
                        result.rows().stream()
                                .map(row -> RowData.of(row, result.tolerance()))
                                .toList(),
                        result.stalls().stream()
                                .map(stall -> new StallData(
                                        stall.fromNanos(),
                                        stall.untilNanos(),
                                        stall.stuck(),
                                        stall.starts(),
                                        stall.isCoordinated() ? stall.omitted() : 0,
                                        stall.isCertain()))
                                .toList(),
                        result.findings().stream().map(FindingData::of).toList(),
                        new AuditView.AuditText(result).measure());
            }
        }

        /** The load as reconstructed from the result. */
        record PlanData(String kind, String certainty, String text, double perSecond, Known<Long> users)
                implements OneLine {
            static PlanData of(RecoveredPlan plan) {
                return new PlanData(
                        plan.kind().words(),
                        plan.certainty().words(),
                        plan.text(),
                        plan.perSecond(),
                        Known.of(plan.users(), "the file does not name the users"));
            }
        }

        /** A percentile as printed by the tool, with bounds of the true value. */
        record RowData(
                double percentile,
                long printedNanos,
                long atLeastNanos,
                Known<Long> atMostNanos,
                boolean judged,
                boolean hides)
                implements OneLine {
            static RowData of(AuditResult.Row row, double tolerance) {
                return new RowData(
                        row.percentile(),
                        row.printedNanos(),
                        row.atLeastNanos(),
                        Known.of(row.atMostNanos(), "the file does not show the longest request"),
                        row.isJudged(),
                        row.hides(tolerance));
            }
        }

        /** A time without responses. */
        record StallData(long fromNanos, long untilNanos, long inFlight, long started, long omitted, boolean certain)
                implements OneLine {}

        /** A remark on the audited result. */
        record FindingData(String code, String place, String text, boolean weighty) implements OneLine {
            static FindingData of(AuditFinding finding) {
                return new FindingData(finding.code(), finding.place(), finding.text(), finding.isWeighty());
            }
        }
    }

    /**
     * The audit of other tools' results. Immutable.
     *
     * @param results one for each distribution of each file; at least one
     * @param command command line, one word each
     * @param version Downbeat's version
     */
    public record AuditReport(List<AuditResult> results, List<String> command, String version) {
        public AuditReport {
            results = List.copyOf(results);
            command = List.copyOf(command);
            if (results.isEmpty()) {
                throw new IllegalArgumentException("there must be a result");
            }
        }

        /** The overall verdict. A single result that hides something, or cannot be judged, decides. */
        public AuditVerdict verdict() {
            for (AuditVerdict verdict : List.of(AuditVerdict.HIDES, AuditVerdict.CANNOT_TELL)) {
                if (results.stream().anyMatch(result -> result.verdict() == verdict)) {
                    return verdict;
                }
            }
            return AuditVerdict.SOUND;
        }
    }
}
