package dev.downbeat.report.data;

import dev.downbeat.compare.History;
import dev.downbeat.compare.History.Found;
import java.util.List;

/**
 * Everything a report of a history shows. Immutable.
 *
 * @param history the history
 * @param title what was measured
 * @param tolerance the accepted slowdown; 0 if none was given
 * @param since last build whose changes are known; empty if there is none
 * @param command command line, one word each
 * @param version Downbeat's version
 */
public record HistoryReport(
        History history, String title, double tolerance, String since, List<String> command, String version) {
    public HistoryReport {
        command = List.copyOf(command);
    }

    private int place() {
        return since.isEmpty() ? -1 : history.place(since).orElse(-1);
    }

    /** The last change of each percentile, if it is a slowdown beyond the tolerance and not known. */
    public List<Found> regressions() {
        return history.regressions(tolerance, place());
    }

    /** The exit code. */
    public int exitCode() {
        return history.exitCode(tolerance, place());
    }
}
