package dev.downbeat.report.paper;

import java.io.IOException;

/** What a result is written on. Each format is written once, for results of all kinds. */
public enum Paper {
    /** Without colours and escape codes, in lines of {@value Lines#WIDTH} characters: for files and pipes. */
    TEXT {
        @Override
        public void write(View view, Appendable out) throws IOException {
            new ScreenPaper(false, true, Lines.WIDTH).write(view, out);
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
            new MarkdownPaper(out).write(view.words());
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
            new JUnitPaper(out).write(view.words());
        }
    };

    /**
     * Writes all of it and leaves {@code out} open.
     *
     * @throws IOException if {@code out} cannot take it
     */
    public abstract void write(View view, Appendable out) throws IOException;
}
