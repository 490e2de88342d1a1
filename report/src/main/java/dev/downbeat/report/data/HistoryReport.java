package dev.downbeat.report.data;

import dev.downbeat.compare.History;
import dev.downbeat.compare.History.Found;
import java.util.List;

/**
 * All that a report of a history can show. Immutable.
 *
 * @param history what was found
 * @param title what was measured
 * @param tolerance by how much slower is no regression, 0 if nobody said
 * @param since the build up to which changes are known; empty if none is
 * @param command the command line, one word each
 * @param version version of Downbeat
 */
public record HistoryReport(
        History history, String title, double tolerance, String since, List<String> command, String version) {
    public HistoryReport {
        command = List.copyOf(command);
    }

    private int place() {
        return since.isEmpty() ? -1 : history.place(since).orElse(-1);
    }

    /** The last change of each percentile, if it made it slower by more than is tolerated, and is not known. */
    public List<Found> regressions() {
        return history.regressions(tolerance, place());
    }

    /** What a script is told. */
    public int exitCode() {
        return history.exitCode(tolerance, place());
    }
}
