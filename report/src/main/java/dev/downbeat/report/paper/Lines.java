package dev.downbeat.report.paper;

import java.io.IOException;
import java.util.regex.Pattern;

/** Lines of a screen, wrapped between words so that they fit. Not thread-safe. */
public final class Lines {
    public static final int WIDTH = 80;

    /** A space at which no line may end. */
    public static final String GLUE = "\u00a0";

    private static final Pattern BEFORE_UNIT = Pattern.compile(" (?=(?:ns|us|ms|s|\\d\\ds|\\d\\dm)\\b|%)|(?<=-d) ");

    private final Appendable out;

    public Lines(Appendable out) {
        this.out = out;
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

    /** A text behind a label; the lines after the first begin where the text began. */
    public Lines paragraph(String label, String text) throws IOException {
        String indent = " ".repeat(Ink.visibleLength(label));
        StringBuilder line = new StringBuilder(label);
        boolean empty = true;
        for (String word : glued(text).split(" ", -1)) {
            boolean fits = Ink.visibleLength(line.toString()) + 1 + Ink.visibleLength(word) <= WIDTH;
            if (!empty && !fits) {
                end(line);
                line = new StringBuilder(indent);
                empty = true;
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
