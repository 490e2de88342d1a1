package dev.downbeat.report.view.position;

import dev.downbeat.stats.position.PositionTable;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** p75 by the place in the run, on a logarithmic scale; a column that holds several places shows the worst of them. */
final class PositionChart {
    private static final int COLUMNS = 66;
    private static final int LINES = 5;
    private static final int EIGHTHS = 8;
    private static final String BLOCKS = " ▁▂▃▄▅▆▇█";

    private final List<PositionTable.Row> rows;
    private final List<Integer> marks;
    private final int perColumn;
    private final long[] columns;

    /**
     * @param marks places to name below the chart, ascending
     */
    PositionChart(PositionTable places, List<Integer> marks) {
        this.rows = places.rows();
        this.marks = marks;
        int last = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).place();
        this.perColumn = Math.max(1, (last + COLUMNS - 1) / COLUMNS);
        this.columns = new long[(last + perColumn - 1) / perColumn];
        for (PositionTable.Row row : rows) {
            int column = (row.place() - 1) / perColumn;
            columns[column] = Math.max(columns[column], row.p75().valueNanos());
        }
    }

    List<String> lines() {
        long highest = 1;
        long lowest = Long.MAX_VALUE;
        for (PositionTable.Row row : rows) {
            long nanos = Math.max(1, row.p75().valueNanos());
            highest = Math.max(highest, nanos);
            lowest = Math.min(lowest, nanos);
        }
        if (columns.length < 2 || lowest >= highest) {
            return List.of();
        }
        String each = perColumn == 1 ? "" : ", the worst of each " + perColumn;
        List<String> lines = new ArrayList<>();
        lines.add("  p75 by request of a run" + each + "; logarithmic");
        for (int line = LINES - 1; line >= 0; line--) {
            String label =
                    line == LINES - 1 ? DurationText.rounded(highest) : line == 0 ? DurationText.rounded(lowest) : "";
            StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "  %9s ", label));
            for (long nanos : columns) {
                text.append(block(height(nanos, lowest, highest) - line * EIGHTHS));
            }
            lines.add(text.toString());
        }
        lines.add(String.format(Locale.ROOT, "  %9s %s", "request", axis()));
        return lines;
    }

    /** From 1 eighth to all of the lines. */
    private static int height(long nanos, long lowest, long highest) {
        if (nanos <= 0) {
            return 0;
        }
        double share = Math.log((double) nanos / lowest) / Math.log((double) highest / lowest);
        return 1 + (int) Math.round(share * (LINES * EIGHTHS - 1));
    }

    private static char block(int eighths) {
        return BLOCKS.charAt(Math.max(0, Math.min(EIGHTHS, eighths)));
    }

    private String axis() {
        StringBuilder axis = new StringBuilder();
        for (int mark : marks) {
            int column = (mark - 1) / perColumn;
            if (column >= axis.length() + (axis.length() == 0 ? 0 : 1)) {
                axis.append(" ".repeat(column - axis.length())).append(mark);
            }
        }
        return axis.toString();
    }
}
