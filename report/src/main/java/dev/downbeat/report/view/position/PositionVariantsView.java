package dev.downbeat.report.view.position;

import dev.downbeat.record.Part;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.paper.Key;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.paper.Where;
import dev.downbeat.report.view.Head;
import dev.downbeat.report.view.RunView;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Clients side by side: the same runs of requests, made otherwise. At least one. */
public record PositionVariantsView(Map<String, PositionReport> reports) implements View {
    private PositionReport first() {
        return reports.values().iterator().next();
    }

    @Override
    public Page page() {
        List<Page.Fact> facts = new ArrayList<>();
        reports.forEach((name, report) -> report.findings().stream()
                .findFirst()
                .ifPresent(finding -> facts.add(new Page.Fact(name, finding.text()))));
        List<Page.Note> notes = new ArrayList<>();
        reports.forEach((name, report) -> report.caveats()
                .forEach(caveat ->
                        notes.add(new Page.Note(caveat.isDoubt(), caveat.code(), name + ": " + caveat.text()))));
        return new Page(
                new Page.Head("positions", first().result().target(), headline(), Optional.empty(), List.of()),
                List.of(),
                notes,
                List.of(Page.Section.of("clients", "Clients side by side", Where.EVERYWHERE, table())),
                facts,
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

    private String headline() {
        String least = "";
        long best = Long.MAX_VALUE;
        for (Map.Entry<String, PositionReport> one : reports.entrySet()) {
            var p99 = Numbers.percentile(one.getValue().service(), 99);
            if (p99.isPresent() && p99.getAsLong() < best) {
                best = p99.getAsLong();
                least = one.getKey();
            }
        }
        return least.isEmpty()
                ? "Too few requests to compare a p99."
                : "Lowest p99: " + DurationText.rounded(best) + " with " + least + ".";
    }

    private Table table() {
        Table table = Table.with(
                Column.of(""),
                Column.of("p50"),
                Column.of("p99"),
                Column.of("first +"),
                Column.of("look-up"),
                Column.of("connect"),
                Column.of("TLS"),
                Column.of("opened"),
                Column.words("connections end"));
        for (Map.Entry<String, PositionReport> one : reports.entrySet()) {
            PositionReport report = one.getValue();
            Optional<FirstRequestCost> cost = report.cost();
            table = table.row(
                    one.getKey(),
                    Numbers.time(report.service(), 50),
                    Numbers.time(report.service(), 99),
                    cost.map(known -> time(known.costNanos())).orElse("-"),
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
                .map(PositionVariantsView::time)
                .orElse("-");
    }

    private static String time(long nanos) {
        return (nanos < 0 ? "-" : "") + DurationText.rounded(Math.abs(nanos));
    }

    @Override
    public Record data() {
        List<VariantData> variants = new ArrayList<>();
        reports.forEach((name, report) -> variants.add(new VariantData(
                name,
                PositionData.of(report, new PositionView(report).page().head().headline()))));
        return new VariantsData(
                Head.of("position_variants", first().version(), first().command()), headline(), variants);
    }

    /** The clients of {@code position --vary}, in the order measured. */
    public record VariantsData(@Key("") Head head, String headline, List<VariantData> variants) {}

    /** One client, with the values that vary as its name. */
    record VariantData(String variant, PositionData positions) {}
}
