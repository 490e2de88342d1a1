package dev.downbeat.report.view.compare;

import dev.downbeat.compare.ComparedRow;
import dev.downbeat.stats.Percentiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The changes with their intervals, on a logarithmic scale around no change. */
final class ChangeChart {
    private static final int HALF = 28;

    /** A finer scale would exaggerate small changes. */
    private static final double LEAST_REACH = Math.log(1.02);

    private ChangeChart() {}

    static List<String> lines(List<ComparedRow> rows) {
        List<ComparedRow> known = rows.stream()
                .filter(row -> row.lowChange().isPresent() && row.highChange().isPresent())
                .toList();
        if (known.isEmpty()) {
            return List.of();
        }
        double reach = LEAST_REACH;
        for (ComparedRow row : known) {
            reach = Math.max(reach, Math.abs(Math.log1p(row.lowChange().getAsDouble())));
            reach = Math.max(reach, Math.abs(Math.log1p(row.highChange().getAsDouble())));
        }
        List<String> lines = new ArrayList<>();
        lines.add(scale(reach));
        for (ComparedRow row : known) {
            char[] line = new char[2 * HALF + 1];
            Arrays.fill(line, ' ');
            line[HALF] = '|';
            Arrays.fill(
                    line,
                    column(row.lowChange().getAsDouble(), reach),
                    column(row.highChange().getAsDouble(), reach) + 1,
                    '-');
            line[column(row.change(), reach)] = 'o';
            lines.add(String.format(Locale.ROOT, "    %-8s%s", Percentiles.name(row.percentile()), new String(line)));
        }
        return lines;
    }

    /** The labels of both ends and the middle. */
    private static String scale(double reach) {
        String low = ChangeText.of(Math.expm1(-reach));
        String high = ChangeText.of(Math.expm1(reach));
        String middle = "faster  0  slower";
        int before = HALF - low.length() - middle.length() / 2;
        int after = HALF - high.length() - middle.length() / 2;
        return " ".repeat(12) + low + " ".repeat(Math.max(1, before)) + middle + " ".repeat(Math.max(1, after)) + high;
    }

    private static int column(double change, double reach) {
        long steps = Math.round(Math.log1p(change) / reach * HALF);
        return (int) Math.max(0, Math.min(2L * HALF, HALF + steps));
    }
}
