package dev.downbeat.report.paper;

import java.io.IOException;

/**
 * A terminal.
 *
 * @param isColoured whether to use ANSI colours
 * @param isWhole whether to show details; without them the result fits on a terminal of 24 lines
 * @param columns characters in a line, above 0
 */
public record ScreenPaper(boolean isColoured, boolean isWhole, int columns) {
    /**
     * Writes the result; does not close {@code out}.
     *
     * @throws IOException if {@code out} fails
     */
    public void write(View view, Appendable out) throws IOException {
        Page page = isWhole ? view.words() : view.brief();
        new TextPaper(isColoured ? Ink.ANSI : Ink.NONE, new Lines(out, columns)).write(page);
    }
}
