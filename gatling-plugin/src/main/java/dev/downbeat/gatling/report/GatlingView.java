package dev.downbeat.gatling.report;

import dev.downbeat.gatling.ledger.Requests;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.paper.Mark;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.paper.Where;
import dev.downbeat.report.view.RunView;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A run of Gatling's: what {@link RunView} shows of any run, each of its requests and groups, and what Gatling's own page is. */
public final class GatlingView implements View {
    private static final List<Mark> WORST_FIRST = List.of(Mark.BAD, Mark.OPEN, Mark.NOTE, Mark.GOOD);

    private final RunReport report;
    private final Judgement judgement;
    private final GatlingWords words;
    private final List<Page.Fact> more;

    /**
     * A view.
     *
     * @param more what is to be known of a run of Gatling's only
     */
    public GatlingView(RunReport report, Judgement judgement, GatlingWords words, List<Page.Fact> more) {
        this.report = report;
        this.judgement = judgement;
        this.words = words;
        this.more = more;
    }

    @Override
    public Record data() {
        return new RunView(report).data();
    }

    @Override
    public Page page() {
        Page plain = new RunView(report).page();
        List<Page.Section> sections = new ArrayList<>();
        for (Page.Section section : plain.sections()) {
            sections.add(new Page.Section(
                    section.id(),
                    section.title(),
                    section.where(),
                    section.leads().stream().map(words::of).toList(),
                    section.blocks(),
                    section.remarks().stream().map(words::of).toList()));
        }
        if (judgement.parts().size() > 1 || hasWishes()) {
            sections.add(Math.min(1, sections.size()), requests());
        }
        List<Page.Fact> facts = new ArrayList<>();
        plain.facts().forEach(fact -> facts.add(new Page.Fact(fact.label(), words.of(fact.text()))));
        facts.addAll(more);
        return new Page(
                head(plain.head()),
                plain.answers().stream().map(this::answer).toList(),
                notes(plain.notes()),
                sections,
                facts,
                plain.origin());
    }

    private boolean hasWishes() {
        return !judgement.unknown().isEmpty()
                || judgement.parts().values().stream()
                        .anyMatch(part -> !part.objectives().isEmpty());
    }

    /** A request that missed its objective is what a user would forward, where the whole has missed none. */
    private Page.Head head(Page.Head head) {
        boolean told = report.verdict().objectives().stream()
                .anyMatch(objective -> objective.status() == Objective.Status.MISSED);
        List<String> missed = judgement.missed();
        String headline = told || missed.isEmpty() || head.headline().startsWith("Do not trust")
                ? head.headline()
                : "Missed " + String.join(" and ", missed) + ".";
        return new Page.Head(head.kind(), head.title(), words.of(headline), head.partial(), head.about());
    }

    private Page.Answer answer(Page.Answer answer) {
        List<Page.Check> checks = new ArrayList<>();
        if (!answer.isTrust()) {
            checks.addAll(checksOfRequests());
        }
        answer.checks()
                .forEach(check ->
                        checks.add(new Page.Check(check.mark(), check.word(), check.name(), words.of(check.text()))));
        checks.sort(Comparator.comparingInt(check -> WORST_FIRST.indexOf(check.mark())));
        return new Page.Answer(
                answer.label(),
                answer.mark(),
                answer.word(),
                words.of(answer.summary()),
                answer.question(),
                answer.isTrust(),
                checks);
    }

    private List<Page.Check> checksOfRequests() {
        List<Page.Check> checks = new ArrayList<>();
        judgement
                .parts()
                .forEach((requests, part) -> part.objectives()
                        .forEach(objective -> checks.add(new Page.Check(
                                mark(objective.status()),
                                objective.status().word(),
                                requests.name() + ": " + objective.slo().text(),
                                requests.name() + ": " + objective.slo().subject() + " "
                                        + objective.slo().limit() + ": " + objective.reason()))));
        judgement
                .unknown()
                .forEach(wish -> checks.add(new Page.Check(
                        Mark.OPEN,
                        "undecided",
                        wish.text(),
                        wish.name() + ": " + wish.slo().text() + ": no request or group has this name")));
        return checks;
    }

    private static Mark mark(Objective.Status status) {
        return switch (status) {
            case MET -> Mark.GOOD;
            case MISSED -> Mark.BAD;
            case UNDECIDED -> Mark.OPEN;
        };
    }

    private List<Page.Note> notes(List<Page.Note> notes) {
        return notes.stream()
                .map(note -> new Page.Note(note.isDoubt(), note.code(), words.of(note.text())))
                .toList();
    }

    private Page.Section requests() {
        Table table = new Table(
                List.of(
                        Table.Column.words("request"),
                        Table.Column.of("planned"),
                        Table.Column.of("not ok"),
                        Table.Column.of("p50"),
                        Table.Column.of("p95"),
                        Table.Column.of("p99"),
                        Table.Column.of("max"),
                        Table.Column.of("failed: p50").only(Where.PAGE).ifAny(),
                        Table.Column.of("failed: p99").only(Where.PAGE).ifAny(),
                        Table.Column.of("failed: max").only(Where.PAGE).ifAny(),
                        Table.Column.words("objective")),
                List.of());
        for (var each : judgement.parts().entrySet()) {
            table = table.cells(row(each.getKey(), each.getValue()));
        }
        return new Page.Section(
                "requests",
                "Requests and groups",
                Where.PAGE,
                List.of(
                        "Response times from the intended times, of each request by itself; a group is all of its requests."),
                List.of(table),
                List.of("Failed requests have times of their own: they tell nothing of how long an answer takes. Each"
                        + " request's course and histograms are in downbeat-requests."));
    }

    private static List<Table.Cell> row(Requests requests, Verdict verdict) {
        RequestTimes times = RequestTimes.of(requests);
        List<Table.Cell> row = new ArrayList<>();
        row.add(Table.Cell.of(requests.isGroup() ? "group " + requests.name() : requests.name()));
        row.add(Table.Cell.of(Numbers.count(times.ledger().planned())));
        row.add(Table.Cell.of(
                Numbers.count(times.ledger().planned() - times.ledger().answered())));
        times.seen().forEach(nanos -> row.add(Table.Cell.of(RequestTimes.words(nanos))));
        times.failed().forEach(nanos -> row.add(Table.Cell.of(RequestTimes.words(nanos))));
        Optional<String> objectives = Judgement.words(verdict);
        row.add(
                objectives.isEmpty()
                        ? Table.Cell.of("")
                        : Table.Cell.of(
                                verdict.service() == Verdict.Service.MISSED
                                        ? Mark.BAD
                                        : verdict.service() == Verdict.Service.MET ? Mark.GOOD : Mark.OPEN,
                                objectives.get()));
        return row;
    }
}
