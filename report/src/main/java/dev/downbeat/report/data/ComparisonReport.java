package dev.downbeat.report.data;

import dev.downbeat.verdict.Comparison;
import java.util.List;
import java.util.OptionalDouble;

/**
 * All that a report of a comparison can show.
 *
 * @param comparison what was found
 * @param tolerance how much slower is no regression, if somebody asked for a decision
 * @param acceptDoubts whether the comparison counts in spite of its doubts
 * @param load what both were asked, in a line; empty if it is not known
 * @param command the command line, one word each, without secrets
 * @param version version of Downbeat
 */
public record ComparisonReport(
        Comparison comparison,
        OptionalDouble tolerance,
        boolean acceptDoubts,
        String load,
        List<String> command,
        String version) {
    /** Copies the list. */
    public ComparisonReport {
        command = List.copyOf(command);
    }

    /** What a script is told. */
    public int exitCode() {
        return comparison.exitCode(tolerance, acceptDoubts);
    }
}
