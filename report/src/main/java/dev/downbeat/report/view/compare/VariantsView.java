package dev.downbeat.report.view.compare;

import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.compare.Variants;
import dev.downbeat.compare.Variants.Quantile;
import dev.downbeat.compare.Variants.Variant;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.ChartSeries;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.data.ComparisonReport.VariantsReport;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunChecks;
import dev.downbeat.report.view.RunFacts;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Variants of one run: all curves overlaid, and each compared with the first. */
public final class VariantsView implements View {
    private static final List<Double> SHOWN = Percentiles.belowMax(Percentiles.Place.VARIANT);

    private final VariantsReport report;
    private final Variants variants;

    public VariantsView(VariantsReport report) {
        this.report = report;
        this.variants = report.variants();
    }

    @Override
    public Page page() {
        List<Page.Section> sections = new ArrayList<>();
        sections.add(Page.Section.of("percentiles", "Percentiles", Where.EVERYWHERE, table())
                .lead("Response times of all slices of each variant with their 95 % intervals."));
        Map<String, Recording> all = new LinkedHashMap<>();
        variants.variants().stream()
                .limit(ChartSeries.MOST)
                .forEach(variant -> all.put(variant.name(), variant.total().recording()));
        sections.addAll(Page.Section.shown(new SpectraChart(ChartSeries.of(all))));
        for (int i = 0; i < variants.againstFirst().size(); i++) {
            ComparisonView.changes("shift-" + (i + 2), variants.againstFirst().get(i), OptionalDouble.empty()).stream()
                    .map(section -> section.only(Where.HTML)) // a screen has no room for a table per variant
                    .forEach(sections::add);
        }
        return new Page(
                new Page.Head("variants", report.target(), headline(), partial(), List.of(report.load())),
                answers(),
                notes(),
                sections,
                variants.variants().stream().flatMap(VariantsView::facts).toList(),
                Page.Origin.of(report.command(), report.version(), ComparisonView.LIMITS));
    }

    /** The headline has the results of what is comparable. */
    @Override
    public Page brief() {
        Page page = View.super.brief();
        List<Page.AnsweredQuestion> answers = new ArrayList<>(page.answers());
        List<Comparison> all = variants.againstFirst();
        for (int i = all.size() - 1; i >= 0; i--) {
            if (isComparable(all.get(i))) {
                answers.remove(i);
            }
        }
        return page.with(answers, page.notes());
    }

    @Override
    public boolean passes() {
        return report.exitCode() == ExitCode.MET;
    }

    @Override
    public boolean isUndecided() {
        return report.exitCode() == ExitCode.UNSOUND;
    }

    @Override
    public Record data() {
        String headline = partial().map(partial -> partial + ". " + headline()).orElseGet(this::headline);
        return ComparisonData.VariantsData.of(report, headline);
    }

    private String headline() {
        String sentences =
                variants.againstFirst().stream().map(this::compared).distinct().collect(Collectors.joining(". "));
        return sentences.isEmpty()
                ? "No turn was measured to its end: nothing can be compared."
                : sentences + "." + unmet(JudgedObjective.Status.MISSED, "Missed by")
                        + unmet(JudgedObjective.Status.UNDECIDED, "Undecided for");
    }

    private boolean isComparable(Comparison comparison) {
        return comparison.doubts().isEmpty() || report.acceptUnsound();
    }

    private String compared(Comparison comparison) {
        return isComparable(comparison)
                ? ChangeText.headline(comparison)
                : "Not comparable: " + comparison.doubts().get(0).text();
    }

    /** The objectives that decide the exit code, and which variants they are of: "Missed by a and b: p99 < 5 ms". */
    private String unmet(JudgedObjective.Status status, String words) {
        Map<String, List<String>> byVariants = new LinkedHashMap<>();
        variants.variants().stream()
                .flatMap(variant -> variant.verdict().objectives().stream())
                .filter(objective -> objective.status() == status && (objective.isDecided() || objective.isOpen()))
                .map(JudgedObjective::slo)
                .distinct()
                .forEach(slo -> byVariants
                        .computeIfAbsent(of(slo, status), none -> new ArrayList<>())
                        .add(slo.subject() + " " + slo.limit()));
        return byVariants.entrySet().stream()
                .map(one -> " " + words + " " + one.getKey() + ": " + Numbers.list(one.getValue()) + ".")
                .collect(Collectors.joining());
    }

    private String of(ServiceLevelObjective slo, JudgedObjective.Status status) {
        return Numbers.list(variants.variants().stream()
                .filter(variant -> variant.verdict().objectives().stream()
                        .anyMatch(objective -> objective.slo().equals(slo) && objective.status() == status))
                .map(Variant::name)
                .toList());
    }

    private Optional<String> partial() {
        return variants.variants().stream()
                .map(Variant::total)
                .filter(total -> !total.isComplete())
                .findFirst()
                .map(total -> RunFacts.word(total.ending()) + " after " + Numbers.count(variants.turns(), "whole turn")
                        + ": partial")
                .or(() -> report.cutShort().map(reason -> "PARTIAL: " + reason.text()));
    }

    private List<Page.AnsweredQuestion> answers() {
        List<Page.AnsweredQuestion> answers = new ArrayList<>();
        for (Comparison comparison : variants.againstFirst()) {
            boolean isGood = ComparisonView.mark(comparison.outcome()) == Mark.GOOD;
            String sentence = ChangeText.sentence(comparison);
            answers.add(
                    isComparable(comparison)
                            ? result(
                                    comparison,
                                    isGood ? Mark.GOOD : Mark.NOTE, // the objectives alone decide the exit code
                                    ChangeText.outcome(comparison),
                                    sentence)
                            : result(comparison, Mark.NOTE, "not comparable", "otherwise: " + sentence));
        }
        List<Page.Check> checks = new ArrayList<>();
        for (Variant variant : variants.variants()) {
            checks.addAll(RunChecks.of(variant.verdict().objectives(), variant.name() + ": "));
        }
        if (!checks.isEmpty()) {
            Mark worst = checks.stream()
                    .map(Page.Check::mark)
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
            String word = worst == Mark.BAD ? "missed" : worst == Mark.GOOD ? "met" : "undecided";
            answers.add(new Page.AnsweredQuestion(
                    "service", worst, word, "", "", Page.AnsweredQuestion.AnswerTopic.RESULT, checks));
        }
        report.cutShort()
                .ifPresent(reason -> answers.add(Page.AnsweredQuestion.ofMeasurement(
                        "measurement",
                        report.acceptUnsound() ? Mark.NOTE : Mark.OPEN,
                        "partial",
                        Numbers.count(variants.turns(), "whole turn"))));
        return answers;
    }

    private Page.AnsweredQuestion result(Comparison comparison, Mark mark, String word, String summary) {
        return variants.againstFirst().size() == 1
                ? Page.AnsweredQuestion.of("result", mark, word, summary)
                : Page.AnsweredQuestion.named(comparison.other().name(), mark, word, summary);
    }

    private Table table() {
        List<Column> columns = new ArrayList<>(List.of(Column.of(""), Column.words("")));
        SHOWN.forEach(percentile -> columns.add(Column.of(Percentiles.name(percentile))));
        columns.add(Column.of("max"));
        Table table = new Table(columns, List.of());
        for (int i = 0; i < variants.variants().size(); i++) {
            Variant variant = variants.variants().get(i);
            String max = PercentileCells.time(variant.total().recording(), 100);
            table = table.row(row(
                    variant.name(),
                    "response",
                    percentile -> quantile(variant, percentile)
                            .map(each -> ChangeText.time(each.nanos(), each.isLowerBound()))
                            .orElse("too few"),
                    max));
            table = table.row(row(
                    "",
                    "95 % CI",
                    percentile -> quantile(variant, percentile)
                            .flatMap(Quantile::interval)
                            .map(range -> DurationText.rounded(range.lowNanos()) + " to "
                                    + DurationText.rounded(range.highNanos()))
                            .orElse(""),
                    ""));
            if (i > 0 && !variants.againstFirst().isEmpty()) {
                Comparison against = variants.againstFirst().get(i - 1);
                table = table.row(row("", "against first", percentile -> change(against.rows(), percentile), ""));
                if (ComparisonView.isWithoutStalls(against)) {
                    table = table.row(
                            row("", "without stalls", percentile -> change(against.deciding(), percentile), ""));
                }
            }
        }
        return table;
    }

    private static List<String> row(String name, String kind, Function<Double, String> cell, String max) {
        List<String> cells = new ArrayList<>(List.of(name, kind));
        SHOWN.forEach(percentile -> cells.add(cell.apply(percentile)));
        cells.add(max);
        return cells;
    }

    private static Optional<Quantile> quantile(Variant variant, double percentile) {
        return variant.quantiles().stream()
                .filter(each -> each.percentile() == percentile)
                .findFirst();
    }

    private static String change(List<ComparedRow> rows, double percentile) {
        return rows.stream()
                .filter(row -> row.percentile() == percentile)
                .findFirst()
                .map(row -> ChangeText.of(row) + " " + ChangeText.answer(row.answer()))
                .orElse("");
    }

    /** The ledger is a detail while every request was answered, as for a single run. */
    private static Stream<Page.Fact> facts(Variant variant) {
        Ledger ledger = variant.total().ledger();
        return Stream.of(
                new Page.Fact(variant.name(), rates(variant)),
                new Page.Fact(
                        "its requests",
                        RunFacts.ledger(variant.total()),
                        ledger.addsUp() && ledger.answered() == ledger.planned()));
    }

    private static String rates(Variant variant) {
        RunResult total = variant.total();
        OptionalDouble wait = variant.poolWaitShare();
        return Numbers.rate(variant.throughput().perSecond()) + " answered, "
                + (wait.isPresent()
                        ? "wait for a connection " + PercentText.of(wait.getAsDouble()) + " of response times, "
                        : "")
                + Numbers.count(total.connections().opened(), "new connection") + sessions(total.counts());
    }

    /** The number of sessions a proxy used, if it shares them. */
    private static String sessions(TargetCounts counts) {
        return Stream.of(TargetCounts.SERVER_SESSIONS, TargetCounts.PINNED)
                .filter(counts.courses()::containsKey)
                .map(name -> "; " + name + " "
                        + Numbers.count(counts.courses().getOrDefault(name, List.of()).stream()
                                .mapToLong(TargetCounts.Reading::value)
                                .max()
                                .orElse(0)))
                .collect(Collectors.joining());
    }

    /** Doubts about single variants, or about comparing them. */
    private List<Page.Note> notes() {
        Map<String, Page.Note> notes = new LinkedHashMap<>();
        report.cutShort().ifPresent(doubt -> notes.put(doubt.text(), new Page.Note(true, doubt.code(), doubt.text())));
        for (Variant variant : variants.variants()) {
            variant.verdict().doubts().stream()
                    .map(caveat -> new Page.Note(true, caveat.code(), variant.name() + ": " + caveat.text()))
                    .forEach(note -> notes.put(note.text(), note));
        }
        for (Comparison comparison : variants.againstFirst()) {
            for (Incomparable doubt : comparison.doubts()) {
                boolean isOfVariant =
                        doubt.kind() == Incomparable.Kind.UNSOUND || doubt.kind() == Incomparable.Kind.NOTHING_ANSWERED;
                if (!isOfVariant) {
                    notes.put(doubt.text(), new Page.Note(true, doubt.code(), doubt.text()));
                }
            }
        }
        return List.copyOf(notes.values());
    }
}
