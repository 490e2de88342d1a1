package dev.downbeat.report.data;

import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * All that a report of a comparison can show.
 *
 * @param comparison what was found of all requests
 * @param names what was found of the requests of each name
 * @param gate what it decides
 * @param load what both were asked, in a line; empty if it is not known
 * @param command the command line, one word each, without secrets
 * @param version version of Downbeat
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

    /** Whether the two may be set against each other, or somebody insists. */
    public boolean isComparable() {
        return gate.decision() != Gate.Decision.NOT_COMPARABLE;
    }

    /** How much slower is no regression, if somebody asked for a decision. */
    public OptionalDouble tolerance() {
        return gate.asked().tolerance();
    }

    /** The requests by name that are worse by more than is tolerated. */
    public Map<String, Comparison> worseNames() {
        return gate.worseNames();
    }

    /** What a script is told. */
    public int exitCode() {
        return gate.exitCode();
    }
}
