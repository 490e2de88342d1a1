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
        sections.addAll(Page.Section.shown(PlaceCurves.of(reports).toArray(Chart[]::new)));
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

    /** "A new connection costs 97.7 ms with netty, 158 ms with downbeat", if these differ. */
    private String costs() {
        List<Map.Entry<String, FirstRequestCost>> costs = reports.entrySet().stream()
                .flatMap(one -> one.getValue().cost().map(cost -> Map.entry(one.getKey(), cost)).stream())
                .sorted(Comparator.comparingLong(one -> one.getValue().costNanos()))
                .toList();
        if (costs.size() < 2) {
            return " comparison needs a first-request cost of two clients, which was not found.";
        }
        Map.Entry<String, FirstRequestCost> least = costs.get(0);
        Map.Entry<String, FirstRequestCost> most = costs.get(costs.size() - 1);
        String range =
                " new connection costs " + PositionWords.time(least.getValue().costNanos());
        return least.getValue().highNanos() < most.getValue().lowNanos()
                ? range + " with " + least.getKey() + ", "
                        + PositionWords.time(most.getValue().costNanos()) + " with " + most.getKey() + "."
                : range + " to " + PositionWords.time(most.getValue().costNanos()) + ": no clear difference.";
    }

    private Table table() {
        Table table = Table.with(
                Column.of(""),
                Column.of("p50"),
                Column.of("p99"),
                Column.of("first +"),
                Column.of("lookup"),
                Column.of("connect"),
                Column.of("TLS"),
                Column.of("opened"),
                Column.words("connections end"));
        for (Map.Entry<String, PositionReport> one : reports.entrySet()) {
            PositionReport report = one.getValue();
            Optional<FirstRequestCost> cost = report.cost();
            table = table.row(
                    one.getKey(),
                    PercentileCells.time(report.service(), 50),
                    PercentileCells.time(report.service(), 99),
                    cost.map(known -> PositionWords.time(known.costNanos())).orElse("-"),
                    part(cost, Part.LOOKUP),
                    part(cost, Part.CONNECT),
                    part(cost, Part.HANDSHAKE),
                    Numbers.count(report.result().connections().opened()),
                    report.lives().isRule() ? "after " + report.lives().usual() : "");
        }
        return table;
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
