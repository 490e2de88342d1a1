package dev.downbeat.report.data;

import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Everything a report of a comparison shows.
 *
 * @param comparison comparison of all requests
 * @param names comparison of the requests of each name
 * @param gate the decision
 * @param load the common load in one line; empty if unknown
 * @param command command line, one word each, without secrets
 * @param version Downbeat's version
 */
public record ComparisonReport(
        Comparison comparison, ComparedNames names, Gate gate, String load, List<String> command, String version) {
    public ComparisonReport {
        command = List.copyOf(command);
    }

    /** Compares the requests of each name too, and decides. */
    public static ComparisonReport of(
            Comparison comparison, Gate.Asked asked, String load, List<String> command, String version) {
        ComparedNames names = ComparedNames.of(comparison);
        return new ComparisonReport(comparison, names, Gate.of(comparison, names, asked), load, command, version);
    }

    /** Whether the two are comparable, or the user insists. */
    public boolean isComparable() {
        return gate.decision() != Gate.Decision.NOT_COMPARABLE;
    }

    /** The accepted slowdown, if a decision was requested. */
    public OptionalDouble tolerance() {
        return gate.asked().tolerance();
    }

    /** The request names that are worse by more than the tolerance. */
    public Map<String, Comparison> worseNames() {
        return gate.worseNames();
    }

    /** The exit code. */
    public int exitCode() {
        return gate.exitCode();
    }
}
