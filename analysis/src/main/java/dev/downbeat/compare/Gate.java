package dev.downbeat.compare;

import dev.downbeat.verdict.ExitCode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a comparison decides for whoever builds on it: the one place that makes an exit code of it. A gate that cannot tell is
 * open, and says how large a change could hide.
 *
 * @param decision what was found
 * @param asked whether and how somebody asked for a decision
 * @param worseNames requests by name that are worse by more than is tolerated, in their order
 * @param isByChance whether nothing could be told because of what the machines or the services did; not because of what was asked
 * @param hiding what decides least: up to how much slower the other could be; empty if nothing hides, or if how much is unknown
 */
public record Gate(
        Decision decision,
        Asked asked,
        Map<String, Comparison> worseNames,
        boolean isByChance,
        Optional<ComparedRow> hiding) {
    /** What was found. */
    public enum Decision {
        /** The two should not be set against each other. */
        NOT_COMPARABLE,
        /** Worse by more than is tolerated: slower, overloaded, or it fails or stalls more. */
        REGRESSION,
        /** Not slower by more than is tolerated, with a confidence of 95 %. */
        NO_REGRESSION,
        /** None was found, and one larger than is tolerated could hide. */
        NONE_FOUND
    }

    /**
     * What somebody asked for.
     *
     * @param tolerance how much slower is no regression, such as 0.05; empty if nobody asked for a decision
     * @param acceptDoubts whether the comparison counts in spite of its doubts
     * @param strict whether a gate that cannot tell is closed
     */
    public record Asked(OptionalDouble tolerance, boolean acceptDoubts, boolean strict) {
        /** Nothing. */
        static final Asked NOTHING = new Asked(OptionalDouble.empty(), false, false);

        /** A decision with this tolerance. */
        public static Asked within(double tolerance) {
            return new Asked(OptionalDouble.of(tolerance), false, false);
        }
    }

    /** Decides about all requests, and about those of each name. */
    public static Gate of(Comparison comparison, ComparedNames names, Asked asked) {
        double tolerance = asked.tolerance().orElse(0);
        Map<String, Comparison> worse = names.worse(tolerance);
        if (!comparison.doubts().isEmpty() && !asked.acceptDoubts()) {
            return new Gate(Decision.NOT_COMPARABLE, asked, worse, isByChance(comparison.doubts()), Optional.empty());
        }
        if (comparison.isRegression(tolerance) || !worse.isEmpty()) {
            return new Gate(Decision.REGRESSION, asked, worse, false, Optional.empty());
        }
        return comparison.isNoRegression(tolerance)
                ? new Gate(Decision.NO_REGRESSION, asked, worse, false, Optional.empty())
                : new Gate(Decision.NONE_FOUND, asked, worse, false, hiding(comparison));
    }

    private static boolean isByChance(List<Incomparable> doubts) {
        return doubts.stream().allMatch(doubt -> doubt.kind().isByChance());
    }

    /** Decides about all requests alone. */
    public static Gate of(Comparison comparison, Asked asked) {
        return of(comparison, ComparedNames.NONE, asked);
    }

    /** How much hides behind a percentile without an upper end, or behind stalls, is unknown. */
    private static Optional<ComparedRow> hiding(Comparison comparison) {
        boolean isUnknown = comparison.worstByStalls().isPresent()
                || comparison.decidingAsked().stream()
                        .anyMatch(row -> row.atMost().isEmpty());
        return isUnknown
                ? Optional.empty()
                : comparison.decidingAsked().stream()
                        .max(Comparator.comparingDouble(row -> row.atMost().orElse(0)));
    }

    /** Whether the build should stop. */
    public boolean isRegression() {
        return decision == Decision.REGRESSION;
    }

    /** Whether a decision was asked for that could not be made, whatever its exit code. */
    public boolean isUndecided() {
        return asked.tolerance().isPresent()
                && (decision == Decision.NOT_COMPARABLE || decision == Decision.NONE_FOUND);
    }

    /** What a script is told. */
    public int exitCode() {
        return switch (decision) {
            case NOT_COMPARABLE ->
                asked.tolerance().isPresent() && !asked.strict() && isByChance ? ExitCode.MET : ExitCode.UNSOUND;
            case REGRESSION -> ExitCode.MISSED;
            case NO_REGRESSION -> ExitCode.MET;
            case NONE_FOUND -> asked.strict() && asked.tolerance().isPresent() ? ExitCode.UNSOUND : ExitCode.MET;
        };
    }
}
