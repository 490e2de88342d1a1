package dev.downbeat.report.view;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A section's numbers as cells, for formats that have tables. */
record SheetTable(List<String> head, List<List<String>> rows) {
    static SheetTable of(SheetSection section) {
        return section.isCrossed() ? crossed(section) : plain(section);
    }

    private static SheetTable plain(SheetSection section) {
        return new SheetTable(
                List.of("", "condition", "low", "typical", "high"),
                section.rows().stream()
                        .map(row -> List.of(
                                row.name(),
                                row.condition(),
                                row.value().lowText(),
                                row.value().typicalText(),
                                row.value().highText()))
                        .toList());
    }

    private static SheetTable crossed(SheetSection section) {
        List<String> head =
                Stream.concat(Stream.of("load"), section.names().stream()).toList();
        List<List<String>> rows = new ArrayList<>();
        for (String condition : section.conditions()) {
            rows.add(Stream.concat(
                            Stream.of(condition), section.names().stream().map(name -> section.cell(condition, name)))
                    .toList());
        }
        return new SheetTable(head, rows);
    }
}
