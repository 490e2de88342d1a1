package dev.downbeat.report.view.position;

import dev.downbeat.record.Part;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.PositionFinding.PositionWords;
import dev.downbeat.verdict.ExitCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Several clients side by side, each with the same runs of requests. At least one.
 *
 * @param failed reasons of those that could not be measured
 * @param acceptUnsound whether unsound measurements are accepted
 */
public record PositionVariantsView(
        Map<String, PositionReport> reports, Map<String, String> failed, boolean acceptUnsound) implements View {
    @Override
    public boolean passes() {
        return failed.isEmpty()
                && reports.values().stream().allMatch(report -> report.exitCode(acceptUnsound) == ExitCode.MET);
    }

    private PositionReport first() {
        return reports.values().iterator().next();
    }

    @Override
    public Page page() {
        List<Page.Section> sections = new ArrayList<>();
        sections.add(Page.Section.of("clients", "Clients side by side", Where.EVERYWHERE, table()));
        sections.addAll(Page.Section.shown(PositionCurves.of(reports).toArray(Chart[]::new)));
        List<Page.Note> notes = new ArrayList<>();
        reports.forEach((name, report) -> report.caveats()
                .forEach(caveat ->
                        notes.add(new Page.Note(caveat.isDoubt(), caveat.code(), name + ": " + caveat.text()))));
        return new Page(
                new Page.Head("positions", targets(), headline(), partial(), List.of()),
                answers(),
                notes,
                sections,
                List.of(),
                new Page.Origin(
                        first().command(),
                        first().version(),
                        RunView.client(first().machine()),
                        Optional.of(first().result().started()),
                        reports.values().stream()
                                .mapToLong(report -> report.result().durationNanos())
                                .sum(),
                        PositionView.LIMITS));
    }

    private Optional<String> partial() {
        List<String> parts = new ArrayList<>();
        reports.forEach((name, report) -> {
            if (!report.result().complete()) {
                parts.add(name + ": " + PositionView.counted(report));
            }
        });
        failed.forEach((name, reason) -> parts.add(name + ": " + reason));
        return parts.isEmpty() ? Optional.empty() : Optional.of("INCOMPLETE: " + String.join("; ", parts));
    }

    /** The distinct targets; a target's description includes its client. */
    private String targets() {
        return reports.values().stream()
                .map(report -> report.result().target())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private List<Page.AnsweredQuestion> answers() {
        boolean isSound = reports.values().stream().allMatch(PositionReport::isSound);
        long sent = reports.values().stream().mapToLong(PositionReport::sent).sum();
        long answered =
                reports.values().stream().mapToLong(PositionReport::answered).sum();
        List<String> found = new ArrayList<>();
        reports.forEach((name, report) ->
                report.findings().stream().findFirst().ifPresent(finding -> found.add(name + ": " + finding.text())));
        List<Page.AnsweredQuestion> answers =
                new ArrayList<>(List.of(PositionView.measurement(isSound, answered, sent)));
        if (!found.isEmpty()) {
            answers.add(Page.AnsweredQuestion.listed("found", found));
        }
        reports.forEach((name, report) -> {
            if (report.answered() > 0 && !report.isDecided()) {
                answers.add(Page.AnsweredQuestion.named(name, Mark.OPEN, "undecided", PositionView.TOO_FEW));
            }
        });
        failed.forEach(
                (name, reason) -> answers.add(Page.AnsweredQuestion.named(name, Mark.OPEN, "not measured", reason)));
        return answers;
    }

    private String headline() {
        Optional<PositionReport> unsound =
                reports.values().stream().filter(report -> !report.isSound()).findFirst();
        return unsound.map(PositionView::trustWarning).orElseGet(() -> ends() + costs());
    }

    /** "Connections end after 80 requests; ", if all of them do. */
    private String ends() {
        boolean isRule =
                reports.values().stream().allMatch(report -> report.lives().isRule());
        long rules = reports.values().stream()
                .mapToInt(report -> report.lives().usual())
                .distinct()
                .count();
        return isRule && rules == 1
                ? "Connections end after " + Numbers.count(first().lives().usual(), "request") + "; a"
                : "A";
    }

    /** Whether a client's first connections cost other than its later ones, so that each kind is compared alone. */
    private boolean areKindsApart() {
        return reports.values().stream().anyMatch(PositionReport::isCostOfFirstConnections);
    }

    private Optional<FirstRequestCost> firstCost(PositionReport report) {
        return areKindsApart() ? report.openingCost() : report.cost();
    }

    /** "A new connection costs 97.7 ms with netty, 158 ms with downbeat", if these differ. */
    private String costs() {
        Optional<String> first = compared(this::firstCost);
        if (first.isEmpty()) {
            return " comparison needs a first-request cost of two clients, which was not found.";
        }
        return areKindsApart()
                ? " client's first connection costs " + first.get()
                        + compared(PositionReport::laterCost)
                                .map(later -> "; a later one " + later)
                                .orElse("")
                        + "."
                : " new connection costs " + first.get() + ".";
    }

    private Optional<String> compared(Function<PositionReport, Optional<FirstRequestCost>> costOf) {
        List<Map.Entry<String, FirstRequestCost>> costs = reports.entrySet().stream()
                .flatMap(one -> costOf.apply(one.getValue()).map(cost -> Map.entry(one.getKey(), cost)).stream())
                .sorted(Comparator.comparingLong(one -> one.getValue().costNanos()))
                .toList();
        if (costs.size() < 2) {
            return Optional.empty();
        }
        Map.Entry<String, FirstRequestCost> least = costs.get(0);
        Map.Entry<String, FirstRequestCost> most = costs.get(costs.size() - 1);
        String low = PositionWords.time(least.getValue().costNanos());
        String high = PositionWords.time(most.getValue().costNanos());
        return Optional.of(
                least.getValue().highNanos() < most.getValue().lowNanos()
                        ? low + " with " + least.getKey() + ", " + high + " with " + most.getKey()
                        : low + " to " + high + ": no clear difference");
    }

    private Table table() {
        List<Column> columns =
                new ArrayList<>(List.of(Column.of(""), Column.of("p50"), Column.of("p99"), Column.of("first +")));
        if (areKindsApart()) {
            columns.add(Column.of("later +"));
        }
        for (String head : List.of("lookup", "connect", "TLS", "opened")) {
            columns.add(Column.of(head));
        }
        columns.add(Column.words("connections end"));
        Table table = new Table(columns, List.of());
        for (Map.Entry<String, PositionReport> one : reports.entrySet()) {
            PositionReport report = one.getValue();
            Optional<FirstRequestCost> cost = firstCost(report);
            List<String> cells = new ArrayList<>(List.of(
                    one.getKey(),
                    PercentileCells.time(report.service(), 50),
                    PercentileCells.time(report.service(), 99),
                    time(cost)));
            if (areKindsApart()) {
                cells.add(time(report.laterCost()));
            }
            cells.addAll(List.of(
                    part(cost, Part.LOOKUP),
                    part(cost, Part.CONNECT),
                    part(cost, Part.HANDSHAKE),
                    Numbers.count(report.result().connections().opened()),
                    report.lives().isRule() ? "after " + report.lives().usual() : ""));
            table = table.row(cells);
        }
        return table;
    }

    private static String time(Optional<FirstRequestCost> cost) {
        return cost.map(known -> PositionWords.time(known.costNanos())).orElse("-");
    }

    private static String part(Optional<FirstRequestCost> cost, Part part) {
        return cost.map(known -> known.partsNanos().getOrDefault(part, 0L))
                .filter(nanos -> nanos != 0)
                .map(PositionWords::time)
                .orElse("-");
    }

    @Override
    public Record data() {
        List<VariantData> variants = new ArrayList<>();
        reports.forEach((name, report) ->
                variants.add(new VariantData(name, PositionData.of(report, new PositionView(report).headline()))));
        return new VariantsData(
                Head.of("position_variants", first().version(), first().command()),
                headline(),
                variants,
                failed.entrySet().stream()
                        .map(one -> new FailedVariant(one.getKey(), one.getValue()))
                        .toList());
    }

    /** The clients of {@code position --vary}, in the order measured. */
    public record VariantsData(
            @Key("") Head head, String headline, List<VariantData> variants, List<FailedVariant> failed) {}

    /** One that could not be measured. */
    record FailedVariant(String variant, String reason) {}

    /** One client, with the values that vary as its name. */
    record VariantData(String variant, PositionData positions) {}
}
