package dev.downbeat.report.view;

import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.chart.Strand;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.Rates;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.paper.Mark;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Where;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.PercentText;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.Slo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The requests of each name: a percentile over different requests is nobody's. */
record RunRequests(RunReport report) {
    private static final double[] SHOWN = {50, 95, 99, 100};
    private static final int MOST_ON_SCREEN = 40;

    /**
     * The requests of one name, for programs.
     *
     * @param statuses how many responses had which status
     */
    record Data(
            String name,
            SharedData.LedgerData ledger,
            TimesData response,
            TimesData.Ours responseOursAtMost,
            TimesData service,
            TimesData failedResponse,
            Map<String, Long> statuses,
            Map<String, Long> errors) {}

    /** What programs are told. */
    List<Data> data() {
        return names().entrySet().stream()
                .map(one -> data(one.getKey(), one.getValue()))
                .toList();
    }

    private static Data data(String name, Recording recording) {
        ResponseBounds bounds = ResponseBounds.of(recording);
        return new Data(
                name,
                SharedData.LedgerData.of(recording.ledger()),
                TimesData.of(bounds),
                TimesData.Ours.of(bounds),
                TimesData.ofService(ResponseBounds.ofService(recording)),
                TimesData.of(recording.failed()),
                recording.statuses(),
                recording.failures());
    }

    private Map<String, Recording> names() {
        return report.result().recording().byName();
    }

    /** A row for each name, and one for all of them. */
    Optional<Page.Section> section() {
        if (names().isEmpty()) {
            return Optional.empty();
        }
        Table table = new Table(
                List.of(
                        Table.Column.of("request"),
                        Table.Column.of("rate"),
                        Table.Column.of("p50").look("response"),
                        Table.Column.of("p95").look("response"),
                        Table.Column.of("p99").look("response"),
                        Table.Column.of("max").look("response"),
                        Table.Column.of("errors"),
                        Table.Column.words("status"),
                        Table.Column.words("objective")),
                List.of());
        List<Map.Entry<String, Recording>> rows = new ArrayList<>(names().entrySet());
        rows.removeIf(row -> row.getKey().equals(Recording.SESSION));
        for (Map.Entry<String, Recording> row : rows.subList(0, Math.min(MOST_ON_SCREEN, rows.size()))) {
            table = table.cells(cells(row.getKey(), row.getValue(), objectives(row.getKey())));
        }
        if (names().containsKey(Recording.SESSION)) {
            table = table.cells(cells(
                    "whole sessions",
                    report.result().recording().named(Recording.SESSION),
                    objectives(Recording.SESSION)));
        }
        if (rows.size() > 1) {
            table = table.cells(cells("all requests", report.result().recording(), List.of()));
        }
        int more = rows.size() - MOST_ON_SCREEN;
        return Optional.of(new Page.Section(
                "requests",
                "Requests",
                Where.EVERYWHERE,
                List.of("response times by request, from when each was meant to start"),
                List.of(table),
                more > 0 ? List.of("and " + more + " more names: they are in JSON") : List.of()));
    }

    /** The slowest names over each other. */
    Optional<Page.Section> spectra() {
        Map<String, Recording> slowest = new LinkedHashMap<>();
        names().entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Recording> one) ->
                                one.getValue().responseAtLeast().valueAtPercentile(99))
                        .reversed())
                .limit(Strand.MOST)
                .forEach(one -> slowest.put(one.getKey(), one.getValue()));
        SpectraChart chart = new SpectraChart(Strand.of(slowest));
        return chart.isShown() ? Optional.of(Page.Section.of(chart)) : Optional.empty();
    }

    private List<Objective> objectives(String name) {
        return report.verdict().objectives().stream()
                .filter(objective -> objective.slo() instanceof Slo.Named named
                        && named.name().equals(name))
                .toList();
    }

    private List<Table.Cell> cells(String name, Recording recording, List<Objective> objectives) {
        List<Table.Cell> cells = new ArrayList<>();
        Ledger ledger = recording.ledger();
        cells.add(Table.Cell.of(name));
        double seconds = Rates.of(report.result()).windowNanos() / 1e9;
        cells.add(Table.Cell.of(seconds > 0 ? Numbers.rate(ledger.planned() / seconds) : ""));
        ResponseBounds bounds = ResponseBounds.of(recording);
        for (double percentile : SHOWN) {
            boolean carried = bounds.count() > 0 && bounds.carries(percentile);
            cells.add(Table.Cell.of(
                    carried
                            ? (bounds.isKnownAt(percentile) ? "" : "\u2265 ")
                                    + DurationText.rounded(bounds.atLeastNanos(percentile))
                            : "-"));
        }
        long wrong = ledger.failed() + ledger.timedOut();
        cells.add(
                wrong == 0
                        ? Table.Cell.of("0")
                        : Table.Cell.of(
                                Mark.BAD,
                                Numbers.count(wrong) + " (" + PercentText.of((double) wrong / ledger.planned()) + ")"));
        cells.add(Table.Cell.of(statuses(recording)));
        cells.add(RunChecks.cell(objectives));
        return cells;
    }

    private static String statuses(Recording recording) {
        boolean usual = recording.statuses().keySet().stream().allMatch("200"::equals);
        return usual
                ? ""
                : recording.statuses().entrySet().stream()
                        .map(one -> one.getKey() + " x" + Numbers.count(one.getValue()))
                        .collect(Collectors.joining(", "));
    }
}
