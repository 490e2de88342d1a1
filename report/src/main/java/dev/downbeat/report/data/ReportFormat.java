package dev.downbeat.report.data;

import java.io.IOException;

/** A format for runs. Implementations are stateless and thread-safe. */
@FunctionalInterface
public interface ReportFormat {
    /**
     * Writes the whole report; does not close {@code out}.
     *
     * @throws IOException if {@code out} fails
     */
    void write(RunReport report, Appendable out) throws IOException;
}
