package dev.downbeat.report.view;

import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.SpectrumChart;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Table rows by request name, for any kind of result.
 *
 * @param seconds duration of the load; 0 if unknown
 */
public record NameRows(double seconds) {
    private static final int MOST_ON_SCREEN = 40;
    private static final String SESSIONS = "whole sessions";

    static List<Column> columns() {
        List<Column> columns = new ArrayList<>(List.of(Column.of("request"), Column.of("rate")));
        for (double percentile : Percentiles.of(Percentiles.Place.NAME)) {
            columns.add(Column.of(Percentiles.name(percentile)).look("response"));
        }
        columns.add(Column.of("errors"));
        return columns;
    }

    /** The displayed form of a name; quoted if it could be taken for one of Downbeat's. */
    public static String shown(String name) {
        if (name.equals(Recording.SESSION)) {
            return SESSIONS;
        }
        return name.equals(SESSIONS) || name.equals(SpectrumChart.ALL_REQUESTS) ? "'" + name + "'" : name;
    }

    /** The displayed names in order, limited to a readable number, with whole sessions last. */
    static List<String> names(Map<String, Recording> byName) {
        List<String> names = new ArrayList<>(byName.keySet());
        names.remove(Recording.SESSION);
        List<String> some = new ArrayList<>(names.subList(0, Math.min(MOST_ON_SCREEN, names.size())));
        if (byName.containsKey(Recording.SESSION)) {
            some.add(Recording.SESSION);
        }
        return some;
    }

    /** A remark about the names that are not shown. */
    public static List<String> rest(Map<String, Recording> byName) {
        int more = byName.size() - names(byName).size();
        return more > 0 ? List.of("and " + Numbers.count(more, "more name") + ", in JSON") : List.of();
    }

    public Table table(Map<String, Recording> byName) {
        Table table = new Table(columns(), List.of());
        for (String name : names(byName)) {
            table = table.cells(cells(shown(name), byName.getOrDefault(name, Recording.empty())));
        }
        return table;
    }

    /** The cells of a displayed name. */
    List<Cell> cells(String shown, Recording recording) {
        List<Cell> cells = new ArrayList<>();
        Ledger ledger = recording.ledger();
        cells.add(Cell.of(shown));
        cells.add(Cell.of(seconds > 0 ? Numbers.rate(ledger.planned() / seconds) : ""));
        for (double percentile : Percentiles.of(Percentiles.Place.NAME)) {
            String time = PercentileCells.time(recording, percentile);
            cells.add(Cell.of(time.isEmpty() ? "-" : time));
        }
        long wrong = ledger.failed() + ledger.timedOut();
        cells.add(
                wrong == 0
                        ? Cell.of("0")
                        : Cell.of(
                                Mark.BAD,
                                Numbers.count(wrong) + " ("
                                        + PercentText.of((double) wrong / Math.max(wrong, ledger.planned())) + ")"));
        return cells;
    }
}
