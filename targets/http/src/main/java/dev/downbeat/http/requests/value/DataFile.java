package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows of named values (CSV, RFC 4180), one for each session or request of a mix: {@code {{skus.sku}}}. Immutable. */
public final class DataFile {
    /** How rows are assigned. */
    public enum Use {
        /** One after another, cyclically. */
        SEQUENTIAL,
        /** At random, determined by the seed. */
        RANDOM,
        /** One after another; a request without a row is not sent. */
        ONCE
    }

    private static final int LARGEST = 1024;

    private final String name;
    private final Use use;
    private final List<String> columns;
    private final byte[][][] rows;
    private final Outcome noneLeft;

    private DataFile(String name, Use use, List<String> columns, byte[][][] rows, String file) {
        this.name = name;
        this.use = use;
        this.columns = columns;
        this.rows = rows;
        this.noneLeft = Outcome.ownLimit(file + " has no unused row left (" + rows(rows.length) + ", each used once)");
    }

    /**
     * Reads a file with a header row.
     *
     * @param name its name in requests
     * @throws IllegalArgumentException if it has no rows, or one of a different length; the message names the line
     */
    public static DataFile read(String name, Use use, Path file) throws IOException {
        return parse(name, use, TextFile.read(file, LARGEST), file.toString());
    }

    public static DataFile parse(String name, Use use, String text, String file) {
        List<List<String>> lines = new Csv(text, file).rows();
        if (lines.size() < 2) {
            throw new IllegalArgumentException(
                    file + ": expected a header row and at least one data row, but found " + rows(lines.size()));
        }
        List<String> columns = lines.get(0).stream().map(String::strip).toList();
        byte[][][] rows = new byte[lines.size() - 1][columns.size()][];
        for (int row = 0; row < rows.length; row++) {
            List<String> cells = lines.get(row + 1);
            for (int column = 0; column < columns.size(); column++) {
                rows[row][column] = cells.get(column).getBytes(StandardCharsets.UTF_8);
            }
        }
        return new DataFile(name, use, columns, rows, file);
    }

    public Use use() {
        return use;
    }

    public String name() {
        return name;
    }

    public int size() {
        return rows.length;
    }

    /** The value of a file with a single column. */
    Value onlyColumn(SourcePosition spot) {
        if (columns.size() > 1) {
            throw spot.refusal("{{" + name + "}}: say which column, such as {{" + name + "." + columns.get(0)
                    + "}} (there are: " + String.join(", ", columns) + ")");
        }
        return column(columns.get(0), spot);
    }

    Value column(String wanted, SourcePosition spot) {
        int column = columns.indexOf(wanted);
        if (column < 0) {
            throw spot.refusal("{{" + name + "." + wanted + "}}: there is no column '" + wanted + "' (there are: "
                    + String.join(", ", columns) + ")");
        }
        long kind = name.hashCode();
        return switch (use) {
            case SEQUENTIAL ->
                (draw, into) -> {
                    into.append(rows[(int) (draw.session() % rows.length)][column]);
                    return null;
                };
            case RANDOM ->
                (draw, into) -> {
                    into.append(rows[(int) (draw.ofSession(kind) % rows.length)][column]);
                    return null;
                };
            case ONCE ->
                (draw, into) -> {
                    if (draw.session() >= rows.length) {
                        return noneLeft;
                    }
                    into.append(rows[(int) draw.session()][column]);
                    return null;
                };
        };
    }

    private static String rows(int count) {
        return count + (count == 1 ? " row" : " rows");
    }

    @Override
    public String toString() {
        return name + ": " + rows(rows.length) + ", " + use.name().toLowerCase(Locale.ROOT);
    }

    /** Reads cells; quotes enclose commas, quotes and line breaks. */
    private static final class Csv {
        private final String text;
        private final String file;
        private int at;
        private int line = 1;

        Csv(String text, String file) {
            this.text = text;
            this.file = file;
        }

        List<List<String>> rows() {
            List<List<String>> rows = new ArrayList<>();
            while (at < text.length()) {
                int begin = line;
                List<String> cells = row();
                boolean blank = cells.size() == 1 && cells.get(0).isBlank();
                if (!blank && !rows.isEmpty() && cells.size() != rows.get(0).size()) {
                    throw new SourcePosition(file, begin)
                            .refusal("expected " + rows.get(0).size() + " columns, but found " + cells.size());
                }
                if (!blank) {
                    rows.add(cells);
                }
            }
            return rows;
        }

        private List<String> row() {
            List<String> cells = new ArrayList<>();
            do {
                cells.add(cell());
            } while (takes(','));
            boolean isEnd = takes('\r'); // alone in old files of the Mac
            isEnd |= takes('\n');
            if (at < text.length() && !isEnd) {
                throw new SourcePosition(file, line).refusal("expected ',' or a new line behind a closing quote");
            }
            line++;
            return cells;
        }

        private String cell() {
            if (!takes('"')) {
                int from = at;
                while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
                    at++;
                }
                return text.substring(from, at);
            }
            int begin = line;
            StringBuilder cell = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"' && !takes('"')) {
                    return cell.toString();
                }
                line += c == '\n' ? 1 : 0;
                cell.append(c);
            }
            throw new SourcePosition(file, begin).refusal("a quote is not closed");
        }

        private boolean takes(char wanted) {
            if (at < text.length() && text.charAt(at) == wanted) {
                at++;
                return true;
            }
            return false;
        }
    }
}
