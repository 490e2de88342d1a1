package dev.downbeat.report.view;

import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.ChartSeries;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.chart.SpectrumChart;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.data.ClockLabels;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.stats.Numbers;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The requests by name, since a percentile over different requests describes none of them. */
record RunRequests(RunReport report) {
    /**
     * The requests of one name.
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

    List<Data> data() {
        return names().entrySet().stream()
                .map(one -> data(
                        one.getKey(),
                        one.getValue(),
                        report.analysis().observations().named(one.getKey())))
                .toList();
    }

    private static Data data(String name, Recording recording, Observations seen) {
        ResponseBounds bounds = seen.response();
        return new Data(
                name,
                SharedData.LedgerData.of(recording.ledger()),
                TimesData.of(bounds),
                TimesData.Ours.of(bounds),
                TimesData.ofService(seen.service()),
                TimesData.of(recording.failed()),
                recording.statuses(),
                recording.failures());
    }

    private Map<String, Recording> names() {
        return report.result().recording().byName();
    }

    /** A row for each name, and one for all requests. */
    Optional<Page.Section> section() {
        if (names().isEmpty()) {
            return Optional.empty();
        }
        List<Column> columns = new ArrayList<>(NameRows.columns());
        columns.add(Column.words("status"));
        columns.add(Column.words("objective"));
        Table table = new Table(columns, List.of());
        for (String name : NameRows.names(names())) {
            table = table.cells(
                    cells(NameRows.shown(name), report.result().recording().named(name), objectives(name)));
        }
        if (names().size() > 1) {
            table = table.cells(
                    cells(SpectrumChart.ALL_REQUESTS, report.result().recording(), List.of()));
        }
        return Optional.of(new Page.Section(
                "requests",
                "Requests",
                Where.EVERYWHERE,
                List.of("response times by request, from when each "
                        + ClockLabels.of(report.result()).started()),
                List.of(table),
                NameRows.rest(names())));
    }

    /** Charts of the slowest names, overlaid. */
    List<Page.Section> spectra() {
        Map<String, Recording> slowest = new LinkedHashMap<>();
        slowest().forEach(name -> slowest.put(NameRows.shown(name), names().getOrDefault(name, Recording.empty())));
        return Page.Section.shown(new SpectraChart(ChartSeries.of(slowest)));
    }

    /** The slowest names, as many as a chart can distinguish. */
    private List<String> slowest() {
        return names().entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Recording> one) ->
                                one.getValue().responseAtLeast().valueAtPercentile(99))
                        .reversed())
                .limit(ChartSeries.MOST)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Response and service times by percentile, of all requests or of a name the reader chooses. */
    Optional<Page.Section> spectrum() {
        SpectrumChart all = new SpectrumChart(report);
        if (!all.isShown()) {
            return Optional.empty();
        }
        List<String> slowest = slowest();
        Map<String, String> shown = new LinkedHashMap<>();
        names().keySet().stream().filter(slowest::contains).forEach(name -> shown.put(name, NameRows.shown(name)));
        Map<String, Chart> charts = SpectrumChart.of(report, shown);
        if (charts.size() == 1) {
            return Optional.of(Page.Section.of(all));
        }
        int more = names().size() - slowest.size();
        return Optional.of(new Page.Section(
                all.about().id(),
                all.about().title(),
                Where.HTML,
                List.of(all.about().lead()),
                List.of(new Page.Choice("Requests", charts)),
                more > 0
                        ? List.of("The " + slowest.size()
                                + " requests with the slowest p99 can be chosen; the table above has more.")
                        : List.of()));
    }

    private List<JudgedObjective> objectives(String name) {
        return report.verdict().objectives().stream()
                .filter(objective -> objective.slo() instanceof ServiceLevelObjective.Named named
                        && named.name().equals(name))
                .toList();
    }

    private List<Cell> cells(String shown, Recording recording, List<JudgedObjective> objectives) {
        double seconds = report.result().windowNanos() / 1e9;
        List<Cell> cells = new ArrayList<>(new NameRows(seconds).cells(shown, recording));
        cells.add(Cell.of(statuses(recording)));
        cells.add(RunChecks.cell(objectives, ""));
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
