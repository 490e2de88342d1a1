package dev.downbeat.report.data;

import java.io.IOException;

/** One way to show a run. Implementations are stateless, so safe for use by any number of threads. */
@FunctionalInterface
public interface ReportFormat {
    /**
     * Writes the whole report and leaves {@code out} open.
     *
     * @throws IOException if {@code out} cannot take it
     */
    void write(RunReport report, Appendable out) throws IOException;
}
