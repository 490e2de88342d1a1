package dev.downbeat.report.view.compare;

import dev.downbeat.record.Ledger;
import dev.downbeat.report.chart.ChartSeries;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.chart.StripsChart;
import dev.downbeat.report.data.SideBySide;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.RecordJson;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunData;
import dev.downbeat.report.view.RunFacts;
import dev.downbeat.report.view.RunHeadline;
import dev.downbeat.report.view.RunView;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.PercentText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Several results side by side: verdicts, percentiles, curves, timelines and ledgers. */
public record SideBySideView(SideBySide report) implements View {
    private static final List<Double> SHOWN = Percentiles.of(Percentiles.Place.SUMMARY);

    /** The statement that nothing is tested here, and what to use instead. */
    private static final String NO_TEST =
            "Differences are not tested here: downbeat compare tells whether one is more than chance.";

    private static final List<String> LIMITS = List.of(
            RunView.corrected(),
            "Percentiles are of all requests of one result, never averages of percentiles. They are shown "
                    + "if enough requests are expected beyond them. Lower bounds are marked ≥.",
            NO_TEST);

    @Override
    public Page page() {
        List<Page.Section> sections = new ArrayList<>();
        sections.add(Page.Section.of("percentiles", "Response times", Where.EVERYWHERE, percentiles())
                .remarks(List.of(NO_TEST)));
        sections.addAll(Page.Section.shown(new SpectraChart(ChartSeries.of(report)), new StripsChart(report)));
        sections.add(Page.Section.of("ledger", "Where every request went", Where.PAGE, ledgers()));
        List<String> command = new ArrayList<>(List.of("downbeat", "report"));
        report.results().forEach(named -> command.add(named.name()));
        return new Page(
                new Page.Head(
                        "results side by side",
                        report.results().size() + " results",
                        headline(),
                        Optional.empty(),
                        about()),
                report.results().stream().map(SideBySideView::answer).toList(),
                report.differences().stream()
                        .map(text -> new Page.Note(false, "difference", text))
                        .toList(),
                sections,
                report.results().stream().flatMap(SideBySideView::facts).toList(),
                Page.Origin.of(command, report.version(), LIMITS));
    }

    /** The load, if it is the same for all. */
    private List<String> about() {
        List<String> asked = report.results().stream()
                .map(named -> named.result().target() + "; " + WorkloadText.unseeded(named.report()))
                .distinct()
                .toList();
        return asked.size() == 1 ? asked : List.of();
    }

    @Override
    public Record data() {
        return SeveralData.of(report, headline());
    }

    /** The median and tail of each, where there are enough requests. */
    private String headline() {
        double percentile = report.results().stream()
                        .allMatch(named -> named.report().analysis().response().carries(99))
                ? 99
                : 100;
        List<String> parts = new ArrayList<>();
        for (SideBySide.Named named : report.results()) {
            String time = time(named, percentile);
            parts.add(named.name() + " " + (time.isEmpty() ? "nothing" : time));
        }
        return Percentiles.name(percentile) + ": " + String.join(", ", parts) + ".";
    }

    private static String time(SideBySide.Named named, double percentile) {
        ResponseBounds bounds = named.report().analysis().response();
        return bounds.carries(percentile)
                ? (bounds.isKnownAt(percentile) ? "" : "≥ ") + DurationText.rounded(bounds.atLeastNanos(percentile))
                : "";
    }

    private static Page.Answer answer(SideBySide.Named named) {
        RunVerdict verdict = named.report().verdict();
        String partial = new RunFacts(named.report()).partial();
        String summary =
                new RunHeadline(named.report(), named.report().why()).text() + (partial.isEmpty() ? "" : " " + partial);
        if (verdict.measurement() == RunVerdict.Measurement.UNSOUND) {
            return Page.Answer.of(named.name(), Mark.BAD, "unsound", summary);
        }
        String word = verdict.service() == RunVerdict.Service.NONE
                ? "sound"
                : verdict.service().word();
        return Page.Answer.of(named.name(), RunView.mark(verdict.service()), word, summary);
    }

    private Table percentiles() {
        List<String> heads = new ArrayList<>(List.of(""));
        SHOWN.forEach(percentile -> heads.add(Percentiles.name(percentile)));
        Table table = Table.of(heads);
        for (SideBySide.Named named : report.results()) {
            List<String> cells = new ArrayList<>(List.of(named.name()));
            SHOWN.forEach(percentile -> cells.add(time(named, percentile)));
            table = table.row(cells);
        }
        return table;
    }

    private Table ledgers() {
        Table table = Table.of(List.of("", "planned", "answered", "failed", "timed out", "in flight", "never sent"));
        for (SideBySide.Named named : report.results()) {
            Ledger ledger = named.result().ledger();
            table = table.row(
                    named.name(),
                    Numbers.count(ledger.planned()),
                    share(ledger.answered(), ledger),
                    share(ledger.failed(), ledger),
                    share(ledger.timedOut(), ledger),
                    share(ledger.inFlight(), ledger),
                    share(ledger.neverSent(), ledger));
        }
        return table;
    }

    private static String share(long count, Ledger ledger) {
        return count == 0 || ledger.planned() == 0
                ? Numbers.count(count)
                : Numbers.count(count) + " (" + PercentText.of((double) count / ledger.planned()) + ")";
    }

    private static Stream<Page.Fact> facts(SideBySide.Named named) {
        return Stream.of(
                Page.Fact.detail(
                        named.name(),
                        named.result().target() + "; " + WorkloadText.line(named.report()) + "; started "
                                + Page.moment(named.result().started())),
                Page.Fact.detail("", ShellWords.line(named.report().command())));
    }

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
                                    RunData.of(named.report(), named.report().why())))
                            .toList());
        }
    }

    /** One of several runs. */
    record NamedRun(String name, RunData run) {}
}
