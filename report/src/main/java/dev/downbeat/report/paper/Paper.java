package dev.downbeat.report.paper;

import java.io.IOException;

/** What a result is written on. Each format is written once, for results of all kinds. */
public enum Paper {
    /** Without colours and escape codes: for files and pipes. */
    TEXT {
        @Override
        public void write(View view, Appendable out) throws IOException {
            new TextPaper(Ink.NONE, new Lines(out)).write(view.page());
        }
    },
    /** With ANSI colours, for a terminal that has them. */
    SCREEN {
        @Override
        public void write(View view, Appendable out) throws IOException {
            new TextPaper(Ink.ANSI, new Lines(out)).write(view.page());
        }
    },
    /** The same without details: what fits on a terminal of 24 lines. */
    BRIEF {
        @Override
        public void write(View view, Appendable out) throws IOException {
            new TextPaper(Ink.NONE, new Lines(out)).write(Brief.of(view.page()));
        }
    },
    /** That with colours. */
    BRIEF_SCREEN {
        @Override
        public void write(View view, Appendable out) throws IOException {
            new TextPaper(Ink.ANSI, new Lines(out)).write(Brief.of(view.page()));
        }
    },
    /** One file that needs no network and no script. */
    HTML {
        @Override
        public void write(View view, Appendable out) throws IOException {
            out.append(new HtmlPaper().text(view.page()));
        }
    },
    /** For a pull request or a wiki. */
    MARKDOWN {
        @Override
        public void write(View view, Appendable out) throws IOException {
            new MarkdownPaper(out).write(view.page());
        }
    },
    /** For programs. */
    JSON {
        @Override
        public void write(View view, Appendable out) throws IOException {
            RecordJson.write(view.data(), out);
        }
    },
    /** For the test pages of build servers. */
    JUNIT {
        @Override
        public void write(View view, Appendable out) throws IOException {
            new JUnitPaper(out).write(view.page());
        }
    };

    /** For a terminal or a pipe: with colours or without, all of it or what one reads first. */
    public static Paper screen(boolean coloured, boolean whole) {
        return whole ? coloured ? SCREEN : TEXT : coloured ? BRIEF_SCREEN : BRIEF;
    }

    /**
     * Writes all of it and leaves {@code out} open.
     *
     * @throws IOException if {@code out} cannot take it
     */
    public abstract void write(View view, Appendable out) throws IOException;
}
