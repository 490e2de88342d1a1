package dev.downbeat.report.view.audit;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.Audited;
import dev.downbeat.audit.Audited.Row;
import dev.downbeat.audit.Audited.Verdict;
import dev.downbeat.report.data.AuditReport;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.paper.Mark;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Cell;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.paper.Where;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.caveat.PercentText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What other tools' results hide. */
public record AuditView(AuditReport report) implements View {
    private static final String AT_LEAST =
            "At least: requests that were not sent while nobody, or a part of the users, was answered count from then to"
                    + " the first answer. A caller is taken to be treated no better than those who waited, and the tool"
                    + " itself not to have been paused.";
    private static final String AT_MOST =
            "At most: they also queue, and the queue is worked off no faster than at the highest rate in the file.";

    /** The sentence that a user would forward. */
    String headline() {
        if (report.results().size() == 1) {
            return new AuditText(report.results().get(0)).headline();
        }
        List<String> parts = new ArrayList<>();
        for (Verdict verdict : List.of(Verdict.HIDES, Verdict.UNKNOWN, Verdict.SOUND)) {
            long count = report.results().stream()
                    .filter(result -> result.verdict() == verdict)
                    .count();
            if (count > 0) {
                parts.add(Numbers.count(count) + " " + word(verdict));
            }
        }
        return "Of " + report.results().size() + " results: " + String.join(", ", parts) + ".";
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case HIDES -> "with hidden waits";
            case UNKNOWN -> "undecided";
            case SOUND -> "sound";
        };
    }

    private static String reason(Audited result) {
        return switch (result.verdict()) {
            case HIDES -> "callers waited longer than printed, by more than " + PercentText.of(result.tolerance());
            case UNKNOWN -> "the file does not show how long callers waited";
            case SOUND -> "callers waited no longer than printed, give or take " + PercentText.of(result.tolerance());
        };
    }

    @Override
    public Page page() {
        List<Page.Answer> answers = new ArrayList<>();
        List<Page.Note> notes = new ArrayList<>();
        List<Page.Section> sections = new ArrayList<>();
        List<Page.Fact> facts = new ArrayList<>();
        boolean isOne = report.results().size() == 1;
        int number = 0;
        for (Audited result : report.results()) {
            AuditText text = new AuditText(result);
            answers.add(Page.Answer.of(
                    isOne ? "result" : result.name(),
                    mark(result.verdict()),
                    word(result.verdict()),
                    isOne ? reason(result) : text.headline()));
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
                facts.add(new Page.Fact("measure it", text.measure()));
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

    private static Mark mark(Verdict verdict) {
        return switch (verdict) {
            case HIDES -> Mark.BAD;
            case UNKNOWN -> Mark.OPEN;
            case SOUND -> Mark.GOOD;
        };
    }

    private static Table table(Audited result) {
        Table table = Table.with(
                Column.of(""),
                Column.of("printed"),
                Column.of("callers: at least"),
                Column.of("at most"),
                Column.words(""));
        for (Row row : result.rows()) {
            table = table.cells(
                    Cell.of(AuditText.name(row)),
                    Cell.of(DurationText.rounded(row.printedNanos())),
                    Cell.of(row.isJudged() ? DurationText.rounded(row.atLeastNanos()) : ""),
                    Cell.of(row.isJudged() ? most(row) : ""),
                    judged(row, result.tolerance()));
        }
        return table;
    }

    private static String most(Row row) {
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
        return row.mayHide(tolerance) ? Cell.of(Mark.OPEN, "cannot tell") : Cell.of(Mark.GOOD, "sound");
    }

    @Override
    public Record data() {
        return AuditData.of(report, headline());
    }
}
