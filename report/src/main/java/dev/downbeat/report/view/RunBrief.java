package dev.downbeat.report.view;

import dev.downbeat.analysis.Finding;
import dev.downbeat.record.Ledger;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.Rates;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.Why;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.Page;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.Flaw;
import dev.downbeat.verdict.caveat.LoadCaveat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The default screen of a run: each number once, and besides the times only what is missing, wrong or unexpected. */
record RunBrief(RunReport report, Why why) {
    /** The page, whose details are already removed, without what its headline and table show. */
    Page of(Page page) {
        return new Page(
                new Page.Head(
                        page.head().kind(),
                        page.head().title(),
                        page.head().headline(),
                        page.head().partial(),
                        List.of(load())),
                answers(page.answers()),
                notes(),
                page.sections().stream().map(this::withoutLegend).toList(),
                facts(),
                page.origin());
    }

    private RunVerdict verdict() {
        return report.verdict();
    }

    /** "Poisson 500/s for 20 s: 9,930 requests, 497/s answered, all 200, 1.2 MB". */
    private String load() {
        RunResult result = report.result();
        List<String> parts = new ArrayList<>();
        parts.add(Numbers.count(result.ledger().planned()) + " requests");
        parts.add(Numbers.rate(Rates.of(result).answeredPerSecond()) + " answered");
        onlyStatus().ifPresent(status -> parts.add("all " + status));
        long bytes = result.counts().count("bytes received");
        if (bytes > 0) {
            parts.add(Numbers.bytes(bytes));
        }
        String load = WorkloadText.brief(result.plan());
        return result.isNothing() ? load : load + ": " + String.join(", ", parts);
    }

    private Optional<String> onlyStatus() {
        Map<String, Long> statuses = report.result().recording().statuses();
        return statuses.size() == 1 && isAllAnswered()
                ? Optional.of(statuses.keySet().iterator().next())
                : Optional.empty();
    }

    private boolean isAllAnswered() {
        Ledger ledger = report.result().ledger();
        return ledger.addsUp() && ledger.answered() == ledger.planned();
    }

    private List<Page.Answer> answers(List<Page.Answer> all) {
        List<Page.Check> checks = RunChecks.of(
                verdict().objectives().stream()
                        .filter(Predicate.not(this::isShownElsewhere))
                        .toList(),
                "");
        Stream<Page.Answer> measurement = all.stream()
                .filter(answer -> answer.isTrust() && verdict().measurement() == RunVerdict.Measurement.UNSOUND);
        Stream<Page.Answer> service = checks.isEmpty()
                ? Stream.empty()
                : all.stream()
                        .filter(answer -> !answer.isTrust())
                        .map(answer -> new Page.Answer(
                                answer.label(), answer.mark(), answer.word(), "", answer.question(), false, checks));
        return Stream.concat(measurement, service).toList();
    }

    /** Whether a table row or the headline shows the result, or the objective is a default. */
    private boolean isShownElsewhere(JudgedObjective objective) {
        AskedObjective slo = objective.slo();
        if (!objective.isDecided()) {
            return report.analysis().first() instanceof Finding.Judged judged
                    && judged.kind() == Finding.Kind.UNDECIDED
                    && judged.objectives().get(0).equals(objective);
        }
        return slo.isOfTimes()
                || slo instanceof AskedObjective.Named
                || (!slo.isAsked() && objective.status() == JudgedObjective.Status.MET);
    }

    /** Without the number of requests, which the line above states. */
    private Page.Section withoutLegend(Page.Section section) {
        if (!section.id().equals(RunView.PERCENTILES)) {
            return section;
        }
        return new Page.Section(
                section.id(),
                section.title(),
                section.where(),
                isAllAnswered() ? List.of() : section.leads(),
                section.blocks(),
                List.of());
    }

    private List<Page.Note> notes() {
        return RunChecks.notes(
                        verdict().caveats().stream().filter(this::isUnreported).toList(),
                        verdict().doubts())
                .stream()
                .map(note -> note.isDoubt() ? note : new Page.Note(false, note.code(), note.brief()))
                .toList();
    }

    /** Whether neither headline, tables nor ledger show it; caveats about rows that are not shown are omitted. */
    private boolean isUnreported(Caveat caveat) {
        if (verdict().doubts().contains(caveat)) {
            return true;
        }
        Finding first = report.analysis().first();
        boolean isFirst = first instanceof Finding.Changed changed
                        && changed.change().equals(caveat)
                || first instanceof Finding.SlowForAWhile slow && slow.spell().equals(caveat)
                || first instanceof Finding.Overloaded && caveat instanceof LoadCaveat.Overloaded;
        boolean isExplained = caveat instanceof LoadCaveat.BacklogGrew
                && (verdict().overload().isPresent()
                        || !report.analysis().events().isEmpty());
        return !isFirst
                && !isExplained
                && !(caveat instanceof OwnDelay)
                && !(caveat instanceof DataLimit.TooFewSamples)
                && !(caveat instanceof DataLimit.TailCensored)
                && !(caveat instanceof Flaw.Interrupted)
                && !(caveat instanceof Flaw.NothingAnswered);
    }

    private List<Page.Fact> facts() {
        List<Page.Fact> facts = new ArrayList<>(new RunFacts(report, why).brief());
        ownDelay().ifPresent(delay -> facts.add(new Page.Fact("this client", delay)));
        facts.add(new Page.Fact("details", "-v shows them"));
        return facts;
    }

    /**
     * A note that this machine was busy although no conclusion depends on it; rows state how much of a time may be
     * Downbeat's.
     */
    private Optional<String> ownDelay() {
        boolean isDecided = verdict().service() != RunVerdict.Service.UNDECIDED
                && verdict().measurement() != RunVerdict.Measurement.UNSOUND;
        return Stream.of(OwnDelay.OftenLate.class, OwnDelay.HiccupDuringRun.class, OwnDelay.ClientBusy.class)
                .flatMap(kind -> verdict().caveats().stream().filter(kind::isInstance))
                .filter(caveat -> !verdict().doubts().contains(caveat))
                .findFirst()
                .map(caveat -> caveat.brief() + (isDecided ? "; no verdict depends on it" : ""));
    }
}
