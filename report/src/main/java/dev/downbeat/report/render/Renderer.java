package dev.downbeat.report.render;

import java.io.IOException;

/** The format of a result. Each format is implemented once for all kinds of results. */
public enum Renderer {
    /** Plain text without colours or escape codes, {@value Lines#WIDTH} columns wide: for files and pipes. */
    TEXT((view, out) -> new TerminalStyle(false, true, Lines.WIDTH).write(view, out)),
    /** One HTML file that needs no network and no script. */
    HTML((view, out) -> out.append(new HtmlRenderer().text(view.page()))),
    /** Markdown, for a pull request or a wiki. */
    MARKDOWN((view, out) -> new MarkdownRenderer(out).write(view.words())),
    /** JSON, for programs. */
    JSON((view, out) -> RecordJson.write(view.data(), out)),
    /** JUnit XML, for build servers. */
    JUNIT((view, out) -> new JUnitRenderer(out, view.passes(), false).write(view.words())),
    /** JUnit XML for a build that passes if it is undecided. */
    JUNIT_UNDECIDED_PASSES(
            (view, out) -> new JUnitRenderer(out, view.passes() || view.isUndecided(), false).write(view.words())),
    /** JUnit XML for a build that fails if it is undecided. */
    JUNIT_UNDECIDED_FAILS(
            (view, out) -> new JUnitRenderer(out, view.passes() && !view.isOpen(), view.isOpen()).write(view.words()));

    private final Format format;

    Renderer(Format format) {
        this.format = format;
    }

    /** How a view is written. */
    private interface Format {
        void write(View view, Appendable out) throws IOException;
    }

    /**
     * Writes the result; does not close {@code out}.
     *
     * @throws IOException if {@code out} fails
     */
    public void write(View view, Appendable out) throws IOException {
        format.write(view, out);
    }

    /**
     * A terminal.
     *
     * @param isColoured whether to use ANSI colours
     * @param isWhole whether to show details; without them the result fits on a terminal of 24 lines
     * @param columns characters in a line, above 0
     */
    public record TerminalStyle(boolean isColoured, boolean isWhole, int columns) {
        /**
         * Writes the result; does not close {@code out}.
         *
         * @throws IOException if {@code out} fails
         */
        public void write(View view, Appendable out) throws IOException {
            Page page = isWhole ? view.words() : view.brief();
            new TextRenderer(isColoured ? TerminalColours.ANSI : TerminalColours.NONE, new Lines(out, columns))
                    .write(page);
        }
    }
}
