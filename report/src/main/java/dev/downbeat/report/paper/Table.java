package dev.downbeat.report.paper;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Rows of cells under heads. The first column names the rows. Immutable.
 *
 * @param columns as many as each row has cells
 * @param details places of rows that are for who asks for all of it
 */
public record Table(List<Column> columns, List<List<Cell>> rows, Set<Integer> details) implements Page.Block {
    /** All rows are for everybody. */
    public Table(List<Column> columns, List<List<Cell>> rows) {
        this(columns, rows, Set.of());
    }

    /** Copies the lists and counts the cells. */
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
     * @param isWords whether it holds words rather than numbers
     * @param look a class of the style sheet; may be empty
     * @param isOptional whether it is left out where all its cells are empty
     */
    public record Column(String head, boolean isWords, Where where, String look, boolean isOptional) {
        /** Of numbers. */
        public static Column of(String head) {
            return new Column(head, false, Where.EVERYWHERE, "", false);
        }

        public static Column words(String head) {
            return new Column(head, true, Where.EVERYWHERE, "", true);
        }

        /** The same for some readers only. */
        public Column only(Where there) {
            return new Column(head, isWords, there, look, isOptional);
        }

        /** The same, left out where nothing is in it. */
        public Column ifAny() {
            return new Column(head, isWords, where, look, true);
        }

        /** The same in a look of its own. */
        public Column look(String name) {
            return new Column(head, isWords, where, name, isOptional);
        }
    }

    /** A cell, and how what it says came out, if that is the matter. */
    public record Cell(String text, Optional<Mark> mark) {
        /** A mere text. */
        public static Cell of(String text) {
            return new Cell(text, Optional.empty());
        }

        /** A text that is good or bad. */
        public static Cell of(Mark mark, String text) {
            return new Cell(text, Optional.of(mark));
        }
    }

    /** With columns of numbers, and no row. */
    public static Table of(List<String> heads) {
        return new Table(heads.stream().map(Column::of).toList(), List.of());
    }

    /** Without a row. */
    public static Table with(Column... columns) {
        return new Table(List.of(columns), List.of());
    }

    /** With one more row. */
    public Table row(List<String> texts) {
        return cells(texts.stream().map(Cell::of).toList());
    }

    /** With one more row. */
    public Table row(String... texts) {
        return row(List.of(texts));
    }

    /** With one more row. */
    public Table cells(Cell... cells) {
        return cells(List.of(cells));
    }

    /** With one more row. */
    public Table cells(List<Cell> cells) {
        List<List<Cell>> more = new ArrayList<>(rows);
        more.add(cells);
        return new Table(columns, more, details);
    }

    /** With one more row for who asks for all of it. */
    public Table detail(List<Cell> cells) {
        Set<Integer> more = new HashSet<>(details);
        more.add(rows.size());
        return new Table(columns, cells(cells).rows(), more);
    }

    /** Without rows that are for who asks for all of it. */
    Table brief() {
        List<List<Cell>> kept = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (!details.contains(i)) {
                kept.add(rows.get(i));
            }
        }
        return new Table(columns, kept);
    }

    /** Places of the columns that somebody sees. */
    List<Integer> shown(Predicate<Where> there) {
        List<Integer> shown = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int place = i;
            boolean empty = columns.get(i).isOptional()
                    && rows.stream().allMatch(row -> row.get(place).text().isEmpty());
            if (there.test(columns.get(i).where()) && !empty) {
                shown.add(i);
            }
        }
        return shown;
    }
}
