package dev.downbeat.report.render;

import java.io.IOException;
import java.util.regex.Pattern;

/** Lines of a screen, wrapped between words. Not thread-safe. */
public final class Lines {
    /** The width of files, and of texts on wider screens, where longer lines would be hard to read. */
    public static final int WIDTH = 80;

    /** The least width of a column of text. */
    static final int NARROWEST_TEXT = 24;

    private static final String HANGING = "    ";

    /** A non-breaking space. */
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

    /** Characters in a line; texts use at most {@link #WIDTH}. */
    int columns() {
        return columns;
    }

    int width() {
        return Math.min(columns, WIDTH);
    }

    /** Whether there is room for a text after this many characters. */
    boolean hasRoomAfter(int characters) {
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
        endLine(text);
        return this;
    }

    /** A text after a label; further lines are aligned with its start if there is room. */
    public Lines paragraph(String label, String text) throws IOException {
        int behind = TerminalColours.visibleLength(label);
        boolean isBeside = hasRoomAfter(behind);
        String indent = isBeside ? " ".repeat(behind) : HANGING;
        StringBuilder line = new StringBuilder(label);
        boolean empty = true;
        for (String word : glued(text).split(" ", -1)) {
            int length = TerminalColours.visibleLength(line.toString())
                    + (empty ? 0 : 1)
                    + TerminalColours.visibleLength(word);
            if (length > width() && !(empty && isBeside)) {
                endLine(line);
                line = new StringBuilder(indent);
                empty = true;
                isBeside = true;
            }
            line.append(empty ? "" : " ").append(word.replace(GLUE, " "));
            empty = false;
        }
        endLine(line);
        return this;
    }

    /** The text with non-breaking spaces between numbers and units. */
    static String glued(String text) {
        return BEFORE_UNIT.matcher(text).replaceAll(GLUE);
    }

    private void endLine(CharSequence line) throws IOException {
        out.append(line.toString().stripTrailing()).append('\n');
    }
}
