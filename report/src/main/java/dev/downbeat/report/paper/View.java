package dev.downbeat.report.paper;

import java.io.IOException;

/** A result of one kind, ready for every format. */
public interface View {
    /** For readers. */
    Page page();

    /** For programs. */
    void json(Appendable out) throws IOException;
}
