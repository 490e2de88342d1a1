package dev.downbeat.report.data;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.compare.Variants;
import dev.downbeat.verdict.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            Comparison comparison, Gate.Question question, String load, List<String> command, String version) {
        ComparedNames names = ComparedNames.of(comparison);
        return new ComparisonReport(comparison, names, Gate.of(comparison, names, question), load, command, version);
    }

    /** Whether the two are comparable, or the user insists. */
    public boolean isComparable() {
        return gate.decision() != Gate.Decision.NOT_COMPARABLE;
    }

    /** The accepted slowdown, if a decision was requested. */
    public OptionalDouble tolerance() {
        return gate.question().tolerance();
    }

    public Map<String, Comparison> worseNames() {
        return gate.worseNames();
    }

    public int exitCode() {
        return gate.exitCode();
    }

    /**
     * Everything a report of variants shows.
     *
     * @param variants the variants
     * @param target the target, in one line
     * @param load the load of each variant, in one line
     * @param cutShort why there were fewer turns than asked for; empty if all were measured
     * @param isEndedBySignal whether a signal ended the command, which determines its exit code
     * @param acceptUnsound whether an unsound measurement is accepted
     * @param command command line with all defaults, one word each, without secrets
     * @param version Downbeat's version
     */
    public record VariantsReport(
            Variants variants,
            String target,
            String load,
            Optional<Incomparable> cutShort,
            boolean isEndedBySignal,
            boolean acceptUnsound,
            List<String> command,
            String version) {
        public VariantsReport {
            command = List.copyOf(command);
        }

        /** The exit code: the most important one of the variants; fewer turns than asked for are never met. */
        public int exitCode() {
            int code = Analysis.outcomeOf(variants.variants().stream()
                            .map(variant -> variant.analysis().accepting(acceptUnsound))
                            .toList())
                    .exitCode();
            return code == ExitCode.MET && cutShort.isPresent() && !acceptUnsound ? ExitCode.UNSOUND : code;
        }
    }
}
