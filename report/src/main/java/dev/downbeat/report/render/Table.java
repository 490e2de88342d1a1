package dev.downbeat.report.render;

import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A table whose first column names the rows. Immutable.
 *
 * @param columns as many as each row has cells
 * @param details indices of rows for detailed output only
 */
public record Table(List<Column> columns, List<List<Cell>> rows, Set<Integer> details) implements Page.Block {
    /** A table whose rows are always shown. */
    public Table(List<Column> columns, List<List<Cell>> rows) {
        this(columns, rows, Set.of());
    }

    public Table {
        details = Set.copyOf(details);
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Cell> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("a row must have " + columns.size() + " cells, but was " + row);
            }
        }
    }

    /**
     * A column.
     *
     * @param isWords whether it contains words rather than numbers
     * @param look class of the style sheet; may be empty
     * @param isOptional whether it is omitted if all its cells are empty
     */
    public record Column(String head, boolean isWords, Where where, String look, boolean isOptional) {
        /** A column of numbers. */
        public static Column of(String head) {
            return new Column(head, false, Where.EVERYWHERE, "", false);
        }

        public static Column words(String head) {
            return new Column(head, true, Where.EVERYWHERE, "", true);
        }

        /** The same column for some formats only. */
        public Column only(Where format) {
            return new Column(head, isWords, format, look, isOptional);
        }

        /** The same column, omitted if it is empty. */
        public Column ifAny() {
            return new Column(head, isWords, where, look, true);
        }

        /** The same column with a class. */
        public Column look(String name) {
            return new Column(head, isWords, where, name, isOptional);
        }
    }

    /** A cell, with the result of a check if it has one. */
    public record Cell(String text, Optional<Mark> mark) {
        public static Cell of(String text) {
            return new Cell(text, Optional.empty());
        }

        public static Cell of(Mark mark, String text) {
            return new Cell(text, Optional.of(mark));
        }
    }

    /** An empty table of number columns. */
    public static Table of(List<String> heads) {
        return new Table(heads.stream().map(Column::of).toList(), List.of());
    }

    public static Table with(Column... columns) {
        return new Table(List.of(columns), List.of());
    }

    /** The same table with one more row. */
    public Table row(List<String> texts) {
        return cells(texts.stream().map(Cell::of).toList());
    }

    public Table row(String... texts) {
        return row(List.of(texts));
    }

    public Table cells(Cell... cells) {
        return cells(List.of(cells));
    }

    public Table cells(List<Cell> cells) {
        List<List<Cell>> more = new ArrayList<>(rows);
        more.add(cells);
        return new Table(columns, more, details);
    }

    /** The same table with one more row for detailed output. */
    public Table detail(List<Cell> cells) {
        Set<Integer> more = new HashSet<>(details);
        more.add(rows.size());
        return new Table(columns, cells(cells).rows(), more);
    }

    /** The table without rows for detailed output. */
    @Override
    public Table brief() {
        List<List<Cell>> kept = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (!details.contains(i)) {
                kept.add(rows.get(i));
            }
        }
        return new Table(columns, kept);
    }

    /** Indices of the columns that a format shows. */
    List<Integer> shown(Predicate<Where> isShown) {
        List<Integer> shown = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int place = i;
            boolean empty = columns.get(i).isOptional()
                    && rows.stream().allMatch(row -> row.get(place).text().isEmpty());
            if (isShown.test(columns.get(i).where()) && !empty) {
                shown.add(i);
            }
        }
        return shown;
    }
}
