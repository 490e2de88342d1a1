package dev.downbeat.report.paper;

import java.io.IOException;

/**
 * What a result is shown on.
 *
 * @param isColoured whether with ANSI colours
 * @param isWhole whether with details; without them it fits on a terminal of 24 lines
 * @param columns characters in a line, above 0
 */
public record ScreenPaper(boolean isColoured, boolean isWhole, int columns) {
    /**
     * Writes all of it and leaves {@code out} open.
     *
     * @throws IOException if {@code out} cannot take it
     */
    public void write(View view, Appendable out) throws IOException {
        Page page = isWhole ? view.words() : view.brief();
        new TextPaper(isColoured ? Ink.ANSI : Ink.NONE, new Lines(out, columns)).write(page);
    }
}
