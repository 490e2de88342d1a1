package dev.downbeat.truths;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts the correct and wrong answers of each family. Not thread-safe. */
final class TruthTable {
    private static final class Row {
        int draws;
        int right;
        int findings;
        int exits;
        int contradictions;
    }

    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();

    void add(Family family, long seed, Scenario scenario, Judged judged) {
        Row row = rows.computeIfAbsent(family.name(), name -> new Row());
        row.draws++;
        row.right += judged.isRight() ? 1 : 0;
        row.findings += judged.finding().isEmpty() ? 0 : 1;
        row.exits += judged.exit().isEmpty() ? 0 : 1;
        row.contradictions += judged.contradictions().isEmpty() ? 0 : 1;
        if (!judged.isRight()) {
            wrong.add(family.name() + " 0x" + Long.toHexString(seed) + " (" + scenario.parameters() + "): "
                    + judged.text());
        }
    }

    /** The wrong answers, one line each. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Prints the table to the build's log. */
    void print() {
        PrintStream out = System.out;
        out.print(text());
    }

    String text() {
        StringBuilder text = new StringBuilder(line("family", "draws", "right", "finding", "exit", "contradicts"));
        Row sum = new Row();
        rows.forEach((name, row) -> {
            text.append(line(name, row));
            sum.draws += row.draws;
            sum.right += row.right;
            sum.findings += row.findings;
            sum.exits += row.exits;
            sum.contradictions += row.contradictions;
        });
        return text.append(line(rows.size() + " families", sum)).toString();
    }

    private static String line(String name, Row row) {
        return line(
                name,
                Integer.toString(row.draws),
                Integer.toString(row.right),
                Integer.toString(row.findings),
                Integer.toString(row.exits),
                Integer.toString(row.contradictions));
    }

    private static String line(
            String name, String draws, String right, String finding, String exit, String contradicts) {
        return String.format(Locale.ROOT, "%-34s %6s %6s %8s %6s %12s", name, draws, right, finding, exit, contradicts)
                + "\n";
    }
}
