package dev.downbeat.compare;

import dev.downbeat.verdict.ExitCode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The decision of a comparison, and the only place that derives an exit code from it. A gate that cannot tell lets the
 * build pass and reports how large a change could hide.
 *
 * @param decision the result
 * @param asked whether and how a decision was asked for
 * @param worseNames request names that are worse by more than the tolerance, in order
 * @param isByChance whether the result is inconclusive because of variation, not because of the question
 * @param hiding the least decided percentile and how much slower it could be; empty if nothing hides or the amount is
 *     unknown
 */
public record Gate(
        Decision decision,
        Asked asked,
        Map<String, Comparison> worseNames,
        boolean isByChance,
        Optional<ComparedRow> hiding) {
    /** The result. */
    public enum Decision {
        /** The two are not comparable. */
        NOT_COMPARABLE,
        /** Worse by more than the tolerance: slower, overloaded, or with more failures or stalls. */
        REGRESSION,
        /** Not slower by more than the tolerance, with a confidence of 95 %. */
        NO_REGRESSION,
        /** No regression was found, but one above the tolerance could hide. */
        NONE_FOUND
    }

    /**
     * The question asked.
     *
     * @param tolerance the accepted slowdown, such as 0.05; empty if no decision was asked for
     * @param acceptDoubts whether the comparison counts in spite of its doubts
     * @param strict whether an inconclusive gate fails
     */
    public record Asked(OptionalDouble tolerance, boolean acceptDoubts, boolean strict) {
        /** No decision. */
        static final Asked NOTHING = new Asked(OptionalDouble.empty(), false, false);

        /** A decision with a tolerance. */
        public static Asked within(double tolerance) {
            return new Asked(OptionalDouble.of(tolerance), false, false);
        }
    }

    /** Decides for all requests together and for each name. */
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

    /** Decides for all requests together. */
    public static Gate of(Comparison comparison, Asked asked) {
        return of(comparison, ComparedNames.NONE, asked);
    }

    /** The amount is unknown for percentiles without an upper end and for stalls. */
    private static Optional<ComparedRow> hiding(Comparison comparison) {
        boolean isUnknown = comparison.worstByStalls().isPresent()
                || comparison.requestedDecidingRows().stream()
                        .anyMatch(row -> row.atMost().isEmpty());
        return isUnknown
                ? Optional.empty()
                : comparison.requestedDecidingRows().stream()
                        .max(Comparator.comparingDouble(row -> row.atMost().orElse(0)));
    }

    /** Whether the build should fail. */
    public boolean isRegression() {
        return decision == Decision.REGRESSION;
    }

    /** Whether a requested decision could not be made, regardless of the exit code. */
    public boolean isUndecided() {
        return asked.tolerance().isPresent()
                && (decision == Decision.NOT_COMPARABLE || decision == Decision.NONE_FOUND);
    }

    /** The exit code. */
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
