package dev.downbeat.report.paper;

import java.io.IOException;
import java.util.regex.Pattern;

/** Lines of a screen, wrapped between words so that they fit. Not thread-safe. */
public final class Lines {
    /** Of a file, and of a text on a screen that is wider: longer lines are harder to read. */
    public static final int WIDTH = 80;

    /** Fewer columns than that are no place for a text. */
    static final int NARROWEST_TEXT = 24;

    private static final String HANGING = "    ";

    /** A space at which no line may end. */
    public static final String GLUE = "\u00a0";

    private static final Pattern BEFORE_UNIT = Pattern.compile(" (?=(?:ns|us|ms|s|\\d\\ds|\\d\\dm)\\b|%)|(?<=-d) ");

    private final Appendable out;
    private final int columns;

    /**
     * @param columns characters in a line, above 0
     */
    public Lines(Appendable out, int columns) {
        this.out = out;
        this.columns = columns;
    }

    /** Characters in a line; a text has at most {@link #WIDTH} of them. */
    int columns() {
        return columns;
    }

    int width() {
        return Math.min(columns, WIDTH);
    }

    /** Whether there is place for a text behind so many characters. */
    boolean hasPlaceBehind(int characters) {
        return characters <= width() - NARROWEST_TEXT;
    }

    public Lines blank() throws IOException {
        out.append('\n');
        return this;
    }

    public Lines line(String text) throws IOException {
        return paragraph("", text);
    }

    public Lines unwrapped(String text) throws IOException {
        end(text);
        return this;
    }

    /** A text behind a label; the lines after the first begin where the text began, if that leaves place for them. */
    public Lines paragraph(String label, String text) throws IOException {
        int behind = Ink.visibleLength(label);
        boolean isBeside = hasPlaceBehind(behind);
        String indent = isBeside ? " ".repeat(behind) : HANGING;
        StringBuilder line = new StringBuilder(label);
        boolean empty = true;
        for (String word : glued(text).split(" ", -1)) {
            int length = Ink.visibleLength(line.toString()) + (empty ? 0 : 1) + Ink.visibleLength(word);
            if (length > width() && !(empty && isBeside)) {
                end(line);
                line = new StringBuilder(indent);
                empty = true;
                isBeside = true;
            }
            line.append(empty ? "" : " ").append(word.replace(GLUE, " "));
            empty = false;
        }
        end(line);
        return this;
    }

    /** No number without its unit at the end of a line. */
    static String glued(String text) {
        return BEFORE_UNIT.matcher(text).replaceAll(GLUE);
    }

    private void end(CharSequence line) throws IOException {
        out.append(line.toString().stripTrailing()).append('\n');
    }
}
