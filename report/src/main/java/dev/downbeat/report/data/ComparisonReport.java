package dev.downbeat.report.data;

import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.Comparison;
import dev.downbeat.verdict.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * All that a report of a comparison can show.
 *
 * @param comparison what was found of all requests
 * @param names what was found of the requests of each name
 * @param tolerance how much slower is no regression, if somebody asked for a decision
 * @param acceptDoubts whether the comparison counts in spite of its doubts
 * @param load what both were asked, in a line; empty if it is not known
 * @param command the command line, one word each, without secrets
 * @param version version of Downbeat
 */
public record ComparisonReport(
        Comparison comparison,
        ComparedNames names,
        OptionalDouble tolerance,
        boolean acceptDoubts,
        String load,
        List<String> command,
        String version) {
    public ComparisonReport {
        command = List.copyOf(command);
    }

    /** Compares the requests of each name too. */
    public ComparisonReport(
            Comparison comparison,
            OptionalDouble tolerance,
            boolean acceptDoubts,
            String load,
            List<String> command,
            String version) {
        this(comparison, ComparedNames.of(comparison), tolerance, acceptDoubts, load, command, version);
    }

    /** Whether the two may be set against each other, or somebody insists. */
    public boolean isComparable() {
        return comparison.doubts().isEmpty() || acceptDoubts;
    }

    /** The requests by name that are worse by more than is tolerated. */
    public Map<String, Comparison> worseNames() {
        return names.worse(tolerance.orElse(0));
    }

    /** What a script is told: a request by name that is worse is a regression though the whole is none. */
    public int exitCode() {
        return isComparable() && !worseNames().isEmpty()
                ? ExitCode.MISSED
                : comparison.exitCode(tolerance, acceptDoubts);
    }
}
