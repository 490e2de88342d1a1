package dev.downbeat.report.view;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a sheet: a question, its numbers, and what is to be said in words. Immutable.
 *
 * @param code a stable name for programs, in snake_case
 * @param title for readers
 * @param rows the numbers
 * @param remarks what numbers cannot say
 * @param isCrossed whether the rows are a table of their own: a line for each condition, a column for each name
 */
record SheetSection(String code, String title, List<Row> rows, List<String> remarks, boolean isCrossed) {
    SheetSection {
        rows = List.copyOf(rows);
        remarks = List.copyOf(remarks);
    }

    /**
     * One number.
     *
     * @param code a stable name for programs, unique within its condition
     * @param name for readers
     * @param condition under which it holds
     */
    record Row(String code, String name, String condition, SheetValue value) {}

    /** Gathers a section. Not thread-safe. */
    static final class Builder {
        private final List<Row> rows = new ArrayList<>();
        private final List<String> remarks = new ArrayList<>();

        Builder row(String code, String name, String condition, SheetValue value) {
            rows.add(new Row(code, name, condition, value));
            return this;
        }

        /** The same, if there is a number. */
        Builder known(String code, String name, String condition, SheetValue value) {
            return value.isKnown() ? row(code, name, condition, value) : this;
        }

        Builder remark(String text) {
            if (!text.isEmpty()) {
                remarks.add(text);
            }
            return this;
        }

        SheetSection named(String code, String title) {
            return new SheetSection(code, title, rows, remarks, false);
        }

        SheetSection crossed(String code, String title) {
            return new SheetSection(code, title, rows, remarks, true);
        }
    }

    /** The conditions in their order, each once. */
    List<String> conditions() {
        return rows.stream().map(Row::condition).distinct().toList();
    }

    /** The names in their order, each once. */
    List<String> names() {
        return rows.stream().map(Row::name).distinct().toList();
    }

    /** A cell of a crossed table. */
    String cell(String condition, String name) {
        return rows.stream()
                .filter(row -> row.condition().equals(condition) && row.name().equals(name))
                .map(row -> row.value().inOne())
                .findFirst()
                .orElse("-");
    }
}
