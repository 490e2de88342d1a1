package dev.downbeat.junit;

import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.report.view.compare.ChangeText;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.time.DurationText;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a comparison.
 *
 * @param failsTest whether it is worse than allowed, with 95 % confidence
 * @param isCompared whether a comparison was possible
 * @param sentence follows the sentence about the objectives
 */
record ComparisonResult(boolean failsTest, boolean isCompared, String sentence) {
    static ComparisonResult notCompared(String base, String why) {
        return new ComparisonResult(false, false, "not compared with " + base + ": " + why);
    }

    /** The same result with the effect of other processes. */
    ComparisonResult with(String others) {
        return new ComparisonResult(failsTest, isCompared, sentence + "; " + others);
    }

    /** Faster, slower, no difference detected, or undecided; {@code base} describes the baseline. */
    static ComparisonResult of(String base, Comparison comparison, double tolerance) {
        Gate gate = Gate.of(comparison, Gate.Question.within(tolerance));
        return switch (gate.decision()) {
            case NOT_COMPARABLE ->
                new ComparisonResult(
                        false,
                        false,
                        "not compared: " + comparison.doubts().get(0).text());
            case REGRESSION -> new ComparisonResult(true, true, worse(base, comparison, byMoreThan(tolerance)));
            case NO_REGRESSION -> new ComparisonResult(false, true, notSlower(base, comparison, tolerance));
            case NONE_FOUND -> new ComparisonResult(false, true, open(base, comparison, gate, tolerance));
        };
    }

    private static String worse(String base, Comparison comparison, String limit) {
        return switch (comparison.outcome()) {
            case OVERLOADED -> "OVERLOADED, unlike " + base + ": " + ChangeText.answered(comparison.other());
            case FAILS_MORE -> "FAILS MORE than " + base;
            case STALLS_MORE ->
                "STALLS MORE than " + base
                        + comparison
                                .incidents()
                                .map(incidents -> ": " + incidents.other().text() + ", before "
                                        + incidents.base().text() + ": " + incidents.known())
                                .orElse("");
            default ->
                "SLOWER than " + base + limit + ": "
                        + ChangeText.times(Stream.concat(comparison.deciding().stream(), comparison.rows().stream())
                                .filter(row ->
                                        row.answer() == ChangeAnswer.SLOWER) // without stalls, or of all requests
                                .max(Comparator.comparingDouble(
                                        row -> row.lowChange().orElse(Double.NEGATIVE_INFINITY)))
                                .orElseThrow());
        };
    }

    private static String faster(String base, Comparison comparison) {
        return "faster than " + base + ": "
                + ChangeText.times(comparison.deciding().stream()
                        .min(Comparator.comparingDouble(row -> row.highChange().orElse(Double.POSITIVE_INFINITY)))
                        .orElseThrow());
    }

    private static String open(String base, Comparison comparison, Gate gate, double tolerance) {
        if (comparison.outcome() == Comparison.Difference.FASTER) {
            return faster(base, comparison) + "; " + ChangeText.couldHide(gate);
        }
        return "undecided whether it is slower than " + base + byMoreThan(tolerance) + ": "
                + ChangeText.couldHide(gate)
                + "; " + changes(comparison)
                + comparison.mostForeign().map(row -> "; " + foreign(row)).orElse("")
                + (tolerance > 0 ? needed(comparison, tolerance) : "");
    }

    private static String needed(Comparison comparison, double tolerance) {
        if (comparison.needsMoreRuns(tolerance)) {
            return comparison.isBetweenRunsUnknown()
                    ? "; single runs do not show how runs vary: add runs to the baseline"
                    : "; runs vary too much for longer ones to help: add runs to the baseline";
        }
        OptionalDouble seconds = comparison.neededSeconds(tolerance);
        return seconds.isPresent()
                ? String.format(Locale.ROOT, "; measure each for %,.0f s to decide", Math.ceil(seconds.getAsDouble()))
                : "";
    }

    private static String foreign(ComparedRow row) {
        boolean isOwn = row.isOtherMoreForeign();
        return "up to "
                + DurationText.rounded(
                        isOwn ? row.foreign().otherNanos() : row.foreign().baseNanos()) + " of "
                + Percentiles.name(row.percentile()) + (isOwn ? " now" : " then")
                + " may be delay caused by Downbeat or other processes";
    }

    private static String notSlower(String base, Comparison comparison, double tolerance) {
        if (comparison.outcome() == Comparison.Difference.KEEPS_UP) {
            return "keeps up, unlike " + base + ": " + ChangeText.answered(comparison.base());
        }
        if (comparison.outcome() == Comparison.Difference.FASTER) {
            return faster(base, comparison);
        }
        OptionalDouble within = within(judged(comparison));
        return within.isPresent() && within.getAsDouble() <= Math.max(tolerance, 0.1)
                ? "the same as " + base + " within " + percent(Math.ceil(100 * within.getAsDouble()) / 100) + " (95 %)"
                : "not slower than " + base + byMoreThan(tolerance) + " (95 %)";
    }

    private static List<ComparedRow> judged(Comparison comparison) {
        return comparison.deciding().stream()
                .filter(row -> row.atMost().isPresent() && row.atLeast().isPresent())
                .toList();
    }

    private static OptionalDouble within(List<ComparedRow> rows) {
        return rows.stream()
                .map(ComparedRow::sameWithin)
                .mapToDouble(each -> each.orElse(Double.POSITIVE_INFINITY))
                .max();
    }

    private static String changes(Comparison comparison) {
        String rows = judged(comparison).stream()
                .map(row -> Percentiles.name(row.percentile()) + " changed by "
                        + signed(row.atLeast().orElseThrow()) + " to "
                        + signed(row.atMost().orElseThrow()))
                .collect(Collectors.joining(", "));
        return rows.isEmpty() ? "the runs are too short for intervals" : rows;
    }

    private static String signed(double change) {
        long percent = Math.round(100 * change);
        return percent == 0 ? "0 %" : String.format(Locale.ROOT, "%+d %%", percent);
    }

    private static String byMoreThan(double tolerance) {
        return tolerance == 0 ? "" : " by more than " + percent(tolerance);
    }

    private static String percent(double share) {
        return Numbers.plain(100 * share) + " %";
    }
}
