package dev.downbeat.report.view.compare;

import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.view.NameRows;
import dev.downbeat.report.view.RunHeadline;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.caveat.LoadCaveat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Changes in words, shared by all formats. */
public final class ChangeText {
    private static final int MOST_NAMES = 3;

    /** An end of an undecided interval that is farther from the estimate than this factor says nothing. */
    private static final double FARTHEST = 1_000;

    private ChangeText() {}

    /** What the intervals allow for without several runs a side. */
    static String betweenRuns(Comparison comparison) {
        double allowed = comparison.allowedBetweenRuns();
        return allowed > QuantileChange.USUAL_SCATTER
                ? "intervals assume " + PercentText.atMost(allowed) + " variation between runs (standard deviation),"
                        + " since a run below 20 s, or one whose neighbouring seconds are alike, does not show it."
                        + " Longer runs, or three per side, reveal smaller changes"
                : "intervals assume 3 % variation between runs, \"faster\" and \"slower\" 5 % (standard deviation)."
                        + " Three or more runs per side measure it and reveal smaller changes";
    }

    /** "+4.3 %"; "x12" from a factor of ten on. */
    public static String of(double change) {
        if (change >= 9) {
            return Numbers.times(change + 1);
        }
        double percent = Math.round(change * 1_000) / 10.0; // never -0.0
        if (change <= -0.9995) {
            return "-" + PercentText.of(-change); // never rounded to -100 %
        }
        return percent >= 100
                ? String.format(Locale.ROOT, "%+.0f %%", percent)
                : String.format(Locale.ROOT, "%+.1f %%", percent);
    }

    /** "+4.3 %"; "≥ +4.3 %" to a lower bound, "≤ +4.3 %" from one; "unknown" if both are lower bounds. */
    static String of(ComparedRow row) {
        if (row.baseIsLowerBound() && row.otherIsLowerBound()) {
            return "unknown";
        }
        return (row.otherIsLowerBound() ? "≥ " : row.baseIsLowerBound() ? "≤ " : "") + of(row.change());
    }

    /** "50.2 ms", "≥ 50.2 ms". */
    static String time(long nanos, boolean isLowerBound) {
        return (isLowerBound ? "≥ " : "") + DurationText.rounded(nanos);
    }

    /** "p99 ≥ 1.00 s -> 10.0 ms (95 % CI at most -98.0 %)". */
    public static String times(ComparedRow row) {
        String interval = interval(row);
        return fromTo(row) + (interval.isEmpty() ? "" : " (95 % CI " + interval + ")");
    }

    private static String fromTo(ComparedRow row) {
        return Percentiles.name(row.percentile()) + " " + time(row.baseNanos(), row.baseIsLowerBound()) + " -> "
                + time(row.otherNanos(), row.otherIsLowerBound());
    }

    /** "-6.1 % .. -5.0 %", "at least +3 %", or nothing. */
    static String interval(ComparedRow row) {
        String low = text(shown(row, row.lowChange()));
        String high = text(shown(row, row.highChange()));
        if (low.isEmpty()) {
            return high.isEmpty() ? "" : "at most " + high;
        }
        return high.isEmpty() ? "at least " + low : low + " to " + high;
    }

    /** The end of an interval; empty if it is unknown, or if the change is undecided and the end says nothing. */
    static OptionalDouble shown(ComparedRow row, OptionalDouble end) {
        double estimate = 1 + row.change();
        boolean isNear = end.stream()
                .map(each -> 1 + each)
                .allMatch(each -> each <= FARTHEST * estimate && each * FARTHEST >= estimate);
        return row.answer() != ChangeAnswer.CANNOT_TELL || isNear ? end : OptionalDouble.empty();
    }

    private static String text(OptionalDouble change) {
        return change.isPresent() ? of(change.getAsDouble()) : "";
    }

    /** "same within 6 %"; else the answer alone. */
    static String answer(ComparedRow row) {
        return row.answer() == ChangeAnswer.SAME
                ? "same within " + PercentText.atMost(row.sameWithin().orElse(0))
                : answer(row.answer());
    }

    /** The answer, with "slower" in capitals so that it is not overlooked. */
    static String answer(ChangeAnswer answer) {
        return switch (answer) {
            case SLOWER -> "SLOWER";
            case CANNOT_TELL -> "undecided";
            default -> answer.word();
        };
    }

    /** The outcome for readers. */
    static String outcome(Comparison comparison) {
        return comparison.outcome() == Comparison.Difference.CANNOT_TELL
                ? "undecided"
                : comparison.outcome().word();
    }

    /** "0.1 % of 12,000". */
    static String notAnswered(ComparedSide side) {
        Recording total = side.total();
        long planned = ComparedRun.planned(total);
        double share = planned == 0 ? 0 : (double) ComparedRun.notAnswered(total) / planned;
        return PercentText.of(share) + " of " + Numbers.count(planned);
    }

    /** The failures of both sides, and whether the difference is significant. */
    static String failures(Comparison comparison) {
        String shares = "base " + notAnswered(comparison.base()) + ", other " + notAnswered(comparison.other());
        if (comparison.failures().isMore()) {
            return shares + ": more (95 %)";
        }
        return comparison.failures().isLess() ? shares + ": fewer (95 %)" : shares;
    }

    /** How often the other's request of a random pair is the slower one. */
    static String effect(Comparison comparison) {
        double delta = comparison.effect();
        return String.format(
                Locale.ROOT,
                "in %.0f %% of random pairs the other's request is %s than the base's (Cliff's delta %+.2f)",
                50 + 50 * Math.abs(delta),
                delta >= 0 ? "slower" : "faster",
                delta + 0.0);
    }

    /**
     * The headline with the names that are worse; these come first if the total hides them. Without a regression, it
     * lists the names that only one side has.
     */
    static String headline(ComparisonReport report) {
        Comparison comparison = report.comparison();
        String worse = worse(report.worseNames());
        if (worse.isEmpty()) {
            String onOneSide = report.gate().isRegression() ? "" : oneSided(report.names());
            return headline(comparison) + (onOneSide.isEmpty() ? "" : "; not compared: " + onOneSide);
        }
        return comparison.isRegression(report.tolerance().orElse(0))
                ? headline(comparison) + "; " + worse
                : worse + "; all requests together: " + sentence(comparison);
    }

    /** The comparison in one sentence: the worse answer, of all requests or of those without incidents, comes first. */
    static String sentence(Comparison comparison) {
        String other = comparison.other().name();
        return switch (comparison.outcome()) {
            case STALLS_MORE ->
                other + " stalls more: " + stalls(comparison) + byStalls(comparison) + withoutStalls(comparison);
            case OVERLOADED ->
                comparison.other().nameOfOverloaded() + " is overloaded, "
                        + comparison.base().name() + " is not: " + answered(comparison.other());
            case KEEPS_UP ->
                other + " keeps up, " + comparison.base().nameOfOverloaded() + " does not: "
                        + answered(comparison.base());
            case FAILS_MORE -> failsMore(comparison);
            case CANNOT_TELL ->
                comparison.isWorseByStalls(0)
                        ? "undecided whether " + other + " is slower: " + stalls(comparison) + byStalls(comparison)
                                + withoutStalls(comparison)
                        : (comparison.failures().isLess() ? fails(comparison, "less") + "; " : "")
                                + withStallNote(comparison, cannotTell(comparison));
            case SLOWER, MIXED ->
                changed(comparison, names(comparison.slower()))
                        + (hasStalls(comparison) ? "; " + stalls(comparison) : "");
            case FASTER -> withStallNote(comparison, changed(comparison, names(comparison.slower())));
            case SAME -> withStallNote(comparison, same(comparison));
        };
    }

    private static boolean hasStalls(Comparison comparison) {
        return comparison.incidents().isPresent();
    }

    /** Marks an answer about the seconds without stalls, since rows of all requests may differ. */
    private static String withStallNote(Comparison comparison, String calm) {
        if (!hasStalls(comparison)) {
            return calm;
        }
        return (comparison.ignoresStalls() ? "without stalls, which are ignored, " : "without stalls ") + calm + "; "
                + stalls(comparison);
    }

    /** The stalls of each side, and what is known of their frequency. */
    private static String stalls(Comparison comparison) {
        return comparison
                .incidents()
                .map(found -> (found.other().lengths().isEmpty()
                                ? "no stall"
                                : found.other().text()) + " in "
                        + comparison.other().name() + ", " + found.base().text() + " in "
                        + comparison.base().name() + ": " + found.known())
                .orElse("");
    }

    private static String byStalls(Comparison comparison) {
        return comparison.worstByStalls().map(row -> "; " + fromTo(row)).orElse("");
    }

    private static String withoutStalls(Comparison comparison) {
        boolean hasChange = comparison.deciding().stream()
                .anyMatch(row -> row.answer() == ChangeAnswer.FASTER || row.answer() == ChangeAnswer.SLOWER);
        boolean isSame = comparison.deciding().stream().anyMatch(row -> row.answer() == ChangeAnswer.SAME);
        return "; without stalls "
                + (hasChange
                        ? changed(comparison, percentiles(comparison, ChangeAnswer.SLOWER))
                        : isSame ? same(comparison) : cannotTell(comparison));
    }

    /** Where it is faster, and at which percentiles slower. */
    private static String changed(Comparison comparison, String slower) {
        String faster = percentiles(comparison, ChangeAnswer.FASTER);
        return comparison.other().name() + " is "
                + (faster.isEmpty() ? "" : "faster at " + faster)
                + (faster.isEmpty() || slower.isEmpty() ? "" : " and ")
                + (slower.isEmpty() ? "" : "slower at " + slower)
                + rest(comparison);
    }

    /** "266/s of 301/s answered". */
    public static String answered(ComparedSide side) {
        return side.overload()
                .map(phase -> new LoadCaveat.Overloaded(List.of(phase)).rates())
                .orElse("");
    }

    private static String failsMore(Comparison comparison) {
        String faster = percentiles(comparison, ChangeAnswer.FASTER);
        String slower = names(comparison.slower());
        return fails(comparison, "more")
                + (faster.isEmpty() ? "" : "; faster at " + faster + ", but failures weigh more")
                + (slower.isEmpty() ? "" : "; it is slower at " + slower + " too");
    }

    private static String fails(Comparison comparison, String how) {
        return comparison.other().name() + " fails " + how + ": " + notAnswered(comparison.other())
                + " requests, against " + notAnswered(comparison.base());
    }

    /**
     * The decision for a tolerance. Only the percentiles that decide are named: others may be open. They are tested from one
     * side, so a row's interval, which has two, may end above the tolerance.
     */
    static String gate(Gate gate, Comparison comparison) {
        String limit = of(gate.question().tolerance().orElse(0));
        return switch (gate.decision()) {
            case NOT_COMPARABLE -> "the two cannot be compared";
            case REGRESSION -> regression(gate, comparison);
            case NO_REGRESSION ->
                comparison.outcome() == Comparison.Difference.KEEPS_UP
                        ? "the base is overloaded, the other is not"
                        : "not slower by more than " + limit + " at "
                                + names(comparison.requestedDecidingRows().stream()
                                        .map(ComparedRow::percentile)
                                        .toList())
                                + " (one-sided 95 %)";
            case NONE_FOUND -> "no regression found; " + couldHide(gate);
        };
    }

    /** "fails more; slower by more than +5.0 % at p50 and p99; 'pay' is slower at p50": all that make it worse. */
    private static String regression(Gate gate, Comparison comparison) {
        double tolerance = gate.question().tolerance().orElse(0);
        List<String> causes = new ArrayList<>();
        for (Comparison.Regression cause : comparison.regressions(tolerance)) {
            causes.add(
                    switch (cause) {
                        case OVERLOADED -> "overloaded";
                        case FAILS_MORE -> "fails more";
                        case STALLS_MORE -> "stalls more";
                        case SLOWER ->
                            "slower by more than " + of(tolerance) + " at " + names(comparison.slower(tolerance));
                    });
        }
        if (!gate.worseNames().isEmpty()) {
            causes.add(worse(gate.worseNames()));
        }
        return String.join("; ", causes);
    }

    /** "'old' is only in the base, 'new' only in the other"; empty if all names are on both sides. */
    static String oneSided(ComparedNames names) {
        List<String> sides = new ArrayList<>();
        if (!names.onlyBase().isEmpty()) {
            sides.add(listed(names.onlyBase()) + only(names.onlyBase()) + "only in the base");
        }
        if (!names.onlyOther().isEmpty()) {
            sides.add(listed(names.onlyOther())
                    + (sides.isEmpty() ? only(names.onlyOther()) : " ")
                    + "only in the other");
        }
        return String.join(", ", sides);
    }

    private static String only(List<String> names) {
        return names.size() == 1 ? " is " : " are ";
    }

    private static String listed(List<String> names) {
        int more = names.size() - MOST_NAMES;
        List<String> some = new ArrayList<>(
                names.stream().limit(MOST_NAMES).map(ChangeText::quoted).toList());
        if (more > 0) {
            some.add(Numbers.count(more) + " more");
        }
        return Numbers.list(some);
    }

    private static String quoted(String name) {
        return "'" + (name.equals(Recording.SESSION) ? NameRows.shown(name) : name) + "'";
    }

    /** "a slowdown of up to +12 % at p99 cannot be ruled out (one-sided 95 %)"; that row's interval may end above it. */
    public static String couldHide(Gate gate) {
        return gate.hiding()
                .filter(row -> shown(row, row.atMost()).isPresent())
                .map(row -> "a slowdown of up to " + of(row.atMost().orElse(0)) + " at "
                        + Percentiles.name(row.percentile()) + " cannot be ruled out (one-sided 95 %)")
                .orElse("the largest undetected slowdown is unknown");
    }

    /** "'pay' is slower at p50 and p99, 'list' fails more"; empty if there are none. */
    static String worse(Map<String, Comparison> names) {
        String first = names.entrySet().stream()
                .limit(MOST_NAMES)
                .map(one -> quoted(one.getKey()) + " " + worse(one.getValue()))
                .collect(Collectors.joining(", "));
        int more = names.size() - MOST_NAMES;
        return more > 0 ? first + ", and " + Numbers.count(more) + " more are worse" : first;
    }

    private static String worse(Comparison name) {
        String slower = percentiles(name, ChangeAnswer.SLOWER);
        return (name.failures().isMore() ? "fails more" : "")
                + (name.failures().isMore() && !slower.isEmpty() ? " and " : "")
                + (slower.isEmpty() ? "" : "is slower at " + slower);
    }

    private static String same(Comparison comparison) {
        double within = comparison.deciding().stream()
                .filter(row -> row.answer() == ChangeAnswer.SAME)
                .mapToDouble(row -> row.sameWithin().orElse(0))
                .max()
                .orElse(0);
        return comparison.other().name() + " is the same as "
                + comparison.base().name() + " within " + PercentText.atMost(within) + " at "
                + percentiles(comparison, ChangeAnswer.SAME);
    }

    private static String rest(Comparison comparison) {
        String open = percentiles(comparison, ChangeAnswer.CANNOT_TELL);
        return open.isEmpty() ? "" : "; undecided at " + open;
    }

    /** "up to 2.50 ms of new's p50 of 48.0 ms may be delay caused by Downbeat or other processes; ...". */
    static String foreign(Comparison comparison, ComparedRow row) {
        boolean isOther = row.isOtherMoreForeign();
        return "up to "
                + DurationText.rounded(
                        isOther ? row.foreign().otherNanos() : row.foreign().baseNanos()) + " of "
                + (isOther ? comparison.other() : comparison.base()).name() + "'s "
                + Percentiles.name(row.percentile()) + " of "
                + DurationText.rounded(isOther ? row.otherNanos() : row.baseNanos())
                + " may be delay caused by Downbeat or other processes; the interval includes it";
    }

    private static boolean isOverloaded(ComparedSide side) {
        return side.overload().isPresent();
    }

    private static String cannotTell(Comparison comparison) {
        String base = comparison.base().name();
        String other = comparison.other().name();
        Optional<ComparedRow> foreign = comparison.mostForeign();
        if (foreign.isPresent()) {
            return "undecided between " + other + " and " + base + ": " + foreign(comparison, foreign.get());
        }
        if (comparison.deciding().stream().allMatch(row -> row.answer() == ChangeAnswer.NOT_JUDGED)) {
            return comparison.incidents().isPresent()
                    ? "there is too little data to compare " + other + " with " + base
                    : "too little data to compare " + other + " with " + base
                            + (isOverloaded(comparison.base()) && isOverloaded(comparison.other())
                                    ? ": both were overloaded"
                                    : ": no percentile has a two-sided interval");
        }
        boolean isOpen = comparison.deciding().stream().anyMatch(ComparedRow::isSignificantAlone);
        return (isOpen
                        ? "undecided between " + other + " and " + base
                        : "no difference detected between " + other + " and " + base)
                + widest(comparison);
    }

    /** The sentence as a headline, capitalised unless it starts with a name. */
    static String headline(Comparison comparison) {
        boolean isNamed = switch (comparison.outcome()) {
            case OVERLOADED, KEEPS_UP, STALLS_MORE, FAILS_MORE, SLOWER, MIXED -> true;
            case CANNOT_TELL ->
                !comparison.isWorseByStalls(0) && comparison.failures().isLess();
            case FASTER, SAME -> !hasStalls(comparison);
        };
        return isNamed ? sentence(comparison) : RunHeadline.capital(sentence(comparison));
    }

    private static String widest(Comparison comparison) {
        return comparison.deciding().stream()
                .filter(row -> shown(row, row.lowChange()).isPresent()
                        && shown(row, row.highChange()).isPresent())
                .findFirst()
                .map(row -> "; " + Percentiles.name(row.percentile()) + " changed by " + interval(row) + " (95 % CI)")
                .orElse("");
    }

    private static String names(List<Double> percentiles) {
        return Numbers.list(percentiles.stream().map(Percentiles::name).toList());
    }

    private static String percentiles(Comparison comparison, ChangeAnswer answer) {
        return Numbers.list(comparison.deciding().stream()
                .filter(row -> row.answer() == answer)
                .map(row -> Percentiles.name(row.percentile()))
                .toList());
    }
}
