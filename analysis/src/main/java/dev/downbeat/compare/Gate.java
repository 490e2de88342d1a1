package dev.downbeat.compare;

import dev.downbeat.verdict.ExitCode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The decision of a comparison, and the only place that derives an exit code from it. An inconclusive gate lets the
 * build pass and reports how large a change could hide.
 *
 * @param decision the result
 * @param question whether and how a decision was requested
 * @param worseNames request names that are worse by more than the tolerance, in order
 * @param isByChance whether the result is inconclusive because of variation, not because of the question
 * @param hiding the least decided percentile and how much slower it could be; empty if nothing hides or the amount is
 *     unknown
 */
public record Gate(
        Decision decision,
        Question question,
        Map<String, Comparison> worseNames,
        boolean isByChance,
        Optional<ComparedRow> hiding) {
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
     * @param tolerance the accepted slowdown, such as 0.05; empty if no decision was requested
     * @param acceptDoubts whether the comparison counts in spite of its doubts
     * @param strict whether an inconclusive gate fails
     */
    public record Question(OptionalDouble tolerance, boolean acceptDoubts, boolean strict) {

        public static Question within(double tolerance) {
            return new Question(OptionalDouble.of(tolerance), false, false);
        }
    }

    /** Decides for all requests together and for each name. */
    public static Gate of(Comparison comparison, ComparedNames names, Question question) {
        double tolerance = question.tolerance().orElse(0);
        Map<String, Comparison> worse = names.worse(tolerance);
        if (!comparison.doubts().isEmpty() && !question.acceptDoubts()) {
            return new Gate(
                    Decision.NOT_COMPARABLE, question, worse, isByChance(comparison.doubts()), Optional.empty());
        }
        if (comparison.isRegression(tolerance) || !worse.isEmpty()) {
            return new Gate(Decision.REGRESSION, question, worse, false, Optional.empty());
        }
        return comparison.isNoRegression(tolerance)
                ? new Gate(Decision.NO_REGRESSION, question, worse, false, Optional.empty())
                : new Gate(Decision.NONE_FOUND, question, worse, false, hiding(comparison));
    }

    private static boolean isByChance(List<Incomparable> doubts) {
        return doubts.stream().allMatch(doubt -> doubt.kind().isByChance());
    }

    /** Decides for all requests together. */
    public static Gate of(Comparison comparison, Question question) {
        return of(comparison, ComparedNames.NONE, question);
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
        return question.tolerance().isPresent()
                && (decision == Decision.NOT_COMPARABLE || decision == Decision.NONE_FOUND);
    }

    public int exitCode() {
        return switch (decision) {
            case NOT_COMPARABLE ->
                question.tolerance().isPresent() && !question.strict() && isByChance ? ExitCode.MET : ExitCode.UNSOUND;
            case REGRESSION -> ExitCode.MISSED;
            case NO_REGRESSION -> ExitCode.MET;
            case NONE_FOUND -> question.strict() && question.tolerance().isPresent() ? ExitCode.UNSOUND : ExitCode.MET;
        };
    }
}
