package dev.downbeat.compare;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.Effect;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.stats.change.ShareChange;
import dev.downbeat.stats.change.ShiftFunction;
import dev.downbeat.stats.change.ShiftFunction.Shift;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What may be concluded about one system against another: at each percentile, about failures, and as a whole. Immutable.
 *
 * @param base the system that is compared with
 * @param other the other one
 * @param inTurns whether the n-th runs of both were measured side by side
 * @param rows by percentile, ascending, of all requests
 * @param incidents what is said of incidents and without them; empty if there were none, or if nothing is known of them
 * @param ignoresStalls whether the answer without incidents stands alone, since somebody asked for that
 * @param failures what was not answered: failed, timed out, or never seen to end
 * @param effect Cliff's delta, from -1 to 1: above 0 if requests of the other are slower
 * @param asked the percentiles that somebody asked for; empty if nobody did
 * @param doubts why the two should not be set against each other
 */
public record Comparison(
        ComparedSide base,
        ComparedSide other,
        boolean inTurns,
        List<ComparedRow> rows,
        Optional<ComparedIncidents> incidents,
        boolean ignoresStalls,
        ShareChange failures,
        double effect,
        List<Double> asked,
        List<Incomparable> doubts) {
    private static final List<Double> PERCENTILES = Percentiles.belowMax(Percentiles.Place.TABLE);

    /** What a decision is about, unless somebody asks for other percentiles. */
    private static final List<Double> DECIDING = Percentiles.of(Percentiles.Place.DECIDING);

    /** Of the draws: the same runs shall give the same answer. */
    private static final long SEED = 0x7f3a;

    /** With so many runs of a side it is known how much they differ. */
    private static final int LEAST_RUNS = 3;

    /** Fewer turns tell too little. */
    public static final int LEAST_TURNS = 5;

    /** The answer as a whole. */
    public enum Outcome {
        /** Faster at one percentile at least, slower at none, and it fails no more. */
        FASTER("faster"),
        /** Slower at one percentile at least, and faster at none. */
        SLOWER("slower"),
        /** Faster at some percentiles and slower at others. */
        MIXED("mixed"),
        /** It answers less than it is asked, and the base does not. */
        OVERLOADED("overloaded"),
        /** More requests were not answered, which no speed makes good. */
        FAILS_MORE("fails more"),
        /** It stalled where the base did not, or more often or longer than chance explains, and requests waited for that. */
        STALLS_MORE("stalls more"),
        /** At every percentile that is judged they are the same but for a little. */
        SAME("the same"),
        /** The data allow no conclusion. */
        CANNOT_TELL("cannot tell");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** The answer in lower case, as it stands in results. */
        public String word() {
            return word;
        }
    }

    public Comparison {
        rows = List.copyOf(rows);
        asked = List.copyOf(asked);
        doubts = List.copyOf(doubts);
    }

    /** Compares runs that were measured one after the other, or at any other times. */
    public static Comparison of(ComparedSide base, ComparedSide other) {
        return of(base, other, List.of());
    }

    /**
     * Compares runs that were measured one after the other, or at any other times.
     *
     * @param asked the percentiles to compare, each above 0 and below 100; if empty, all that the requests are enough for
     */
    public static Comparison of(ComparedSide base, ComparedSide other, List<Double> asked) {
        return of(base, other, asked, 1);
    }

    private static Comparison of(ComparedSide base, ComparedSide other, List<Double> asked, double rarer) {
        List<Double> percentiles = shown(List.of(base, other), asked);
        boolean isLongEnough = Comparability.isLongEnough(base) && Comparability.isLongEnough(other);
        List<ComparedRow> rows = isLongEnough
                ? ComparedRows.of(base, other, percentiles, rarer)
                : ComparedRows.bare(base, other, percentiles);
        Optional<ComparedIncidents> incidents =
                isLongEnough ? ComparedIncidents.of(base, other, percentiles, rarer) : Optional.empty();
        return judged(base, other, false, rows, incidents, asked, Comparability.doubts(base, other), rarer);
    }

    /**
     * Compares systems that were measured in turns with the first of them; the answers hold over all of them together.
     *
     * @param sides at least two, each with as many runs: the n-th run of each belongs to the n-th turn
     * @param asked the percentiles to compare; if empty, all that the requests are enough for
     * @return one for each side but the first
     */
    public static List<Comparison> ofTurns(List<ComparedSide> sides, List<Double> asked) {
        return ofTurns(sides, asked, 1);
    }

    private static List<Comparison> ofTurns(List<ComparedSide> sides, List<Double> asked, double rarer) {
        ComparedSide base = sides.get(0);
        List<Double> percentiles = shown(sides, asked);
        boolean judged = !percentiles.isEmpty() && base.runs().size() >= LEAST_TURNS;
        double[] wanted = percentiles.stream().mapToDouble(each -> each).toArray();
        List<List<Shift>> shifts = judged
                ? ShiftFunction.ofTurns(sides.stream().map(Comparison::byTurn).toList(), wanted, SEED, rarer)
                : List.of();
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 1; i < sides.size(); i++) {
            ComparedSide other = sides.get(i);
            List<ComparedRow> rows = judged
                    ? shifts.get(i - 1).stream()
                            .map(shift -> ComparedRows.row(shift, base.total(), other.total()))
                            .toList()
                    : ComparedRows.bare(base, other, percentiles);
            List<Incomparable> doubts = Comparability.doubtsOfTurns(base, other);
            comparisons.add(judged(base, other, true, rows, Optional.empty(), asked, doubts, rarer));
        }
        return comparisons;
    }

    private static List<Distribution> byTurn(ComparedSide side) {
        return side.runs().stream().map(run -> run.total().responseAtLeast()).toList();
    }

    /** The percentiles asked for, or those that every side's requests are enough for. */
    private static List<Double> shown(List<ComparedSide> sides, List<Double> asked) {
        long least = sides.stream()
                .mapToLong(side -> side.total().responseAtLeast().count())
                .min()
                .orElse(0);
        return !asked.isEmpty()
                ? asked.stream().sorted().toList()
                : PERCENTILES.stream()
                        .filter(percentile -> ResponseBounds.carries(percentile, least))
                        .toList();
    }

    /** The requests of one name, of both: one of several questions about the same runs, so told apart rarer by chance. */
    Comparison named(String request, List<Double> percentiles, double rarer) {
        ComparedSide was = base.named(request);
        ComparedSide is = other.named(request);
        return inTurns ? ofTurns(List.of(was, is), percentiles, rarer).get(0) : of(was, is, percentiles, rarer);
    }

    private static Comparison judged(
            ComparedSide base,
            ComparedSide other,
            boolean inTurns,
            List<ComparedRow> rows,
            Optional<ComparedIncidents> incidents,
            List<Double> asked,
            List<Incomparable> doubts,
            double rarer) {
        ShareChange failures = ShareChange.of(base.failures(), other.failures(), inTurns, rarer);
        double effect =
                Effect.cliffsDelta(base.total().responseAtLeast(), other.total().responseAtLeast());
        return new Comparison(base, other, inTurns, rows, incidents, false, failures, effect, asked, doubts);
    }

    /** The same, of which the answer without incidents stands alone. */
    public Comparison ignoringStalls() {
        return new Comparison(base, other, inTurns, rows, incidents, true, failures, effect, asked, doubts);
    }

    /** The worse one of two answers: of all requests, and without incidents. */
    public Outcome outcome() {
        if (isOverloaded()) {
            return Outcome.OVERLOADED;
        }
        if (failures.isMore()) {
            return Outcome.FAILS_MORE;
        }
        if (isStallingMore(0)) {
            return Outcome.STALLS_MORE;
        }
        Outcome calm = outcome(deciding());
        if (!slower().isEmpty()) {
            return calm == Outcome.FASTER || calm == Outcome.MIXED ? Outcome.MIXED : Outcome.SLOWER;
        }
        return isWorseByStalls(0) ? Outcome.CANNOT_TELL : calm;
    }

    /** Whether the other answers less than it is asked, and the base does not. */
    public boolean isOverloaded() {
        return other.isOverloadedUnlike(base);
    }

    /** Percentiles that are slower with a confidence of 95 %, of all requests or without incidents; ascending. */
    public List<Double> slower() {
        return Stream.concat(deciding().stream(), ignoresStalls ? Stream.empty() : rows.stream())
                .filter(row -> row.answer() == ChangeAnswer.SLOWER)
                .map(ComparedRow::percentile)
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether the other stalls more: with a confidence of 95 %, or where the base hardly did and requests waited for it. */
    public boolean isStallingMore(double tolerance) {
        return !ignoresStalls
                && incidents
                        .filter(apart -> apart.isWorse() || (apart.isFarLonger() && isWorseByStalls(tolerance)))
                        .isPresent();
    }

    /**
     * Whether a percentile of all requests is worse by more than {@code tolerance}, and by a tenth at least, which without
     * incidents it is not.
     */
    public boolean isWorseByStalls(double tolerance) {
        return worstByStalls().filter(row -> row.change() > tolerance).isPresent();
    }

    /** That which is worse by the greatest factor because of incidents; empty if none is, or if they are left alone. */
    public Optional<ComparedRow> worstByStalls() {
        if (ignoresStalls || incidents.isEmpty() || incidents.get().other().isNone()) {
            return Optional.empty();
        }
        Map<Double, Double> calm =
                incidents.get().rows().stream().collect(Collectors.toMap(ComparedRow::percentile, ComparedRow::change));
        return rows.stream()
                .filter(row -> row.change() > ComparedRow.SAME)
                .filter(row -> 1 + row.change()
                        > (1 + ComparedRow.SAME) * (1 + Math.max(0, calm.getOrDefault(row.percentile(), 0.0))))
                .max(Comparator.comparingDouble(ComparedRow::change));
    }

    private static Outcome outcome(List<ComparedRow> rows) {
        List<ChangeAnswer> answers = rows.stream()
                .map(ComparedRow::answer)
                .filter(answer -> answer != ChangeAnswer.NOT_JUDGED)
                .toList();
        boolean slower = answers.contains(ChangeAnswer.SLOWER);
        if (answers.contains(ChangeAnswer.FASTER)) {
            return slower ? Outcome.MIXED : Outcome.FASTER;
        }
        boolean same = !answers.isEmpty() && answers.stream().allMatch(answer -> answer == ChangeAnswer.SAME);
        return slower ? Outcome.SLOWER : same ? Outcome.SAME : Outcome.CANNOT_TELL;
    }

    /** The rows that decide: without the incidents, of which one or two say nothing about the next run. */
    public List<ComparedRow> deciding() {
        return incidents.map(ComparedIncidents::rows).orElse(rows);
    }

    /** Those of the percentiles that a decision is about. */
    List<ComparedRow> decidingAsked() {
        return deciding().stream()
                .filter(row -> asked.isEmpty()
                        ? DECIDING.contains(row.percentile()) && row.answer() != ChangeAnswer.NOT_JUDGED
                        : asked.contains(row.percentile()))
                .toList();
    }

    /** Whether the other is worse: slower at a percentile by more than {@code tolerance}, overloaded, it fails or stalls more. */
    public boolean isRegression(double tolerance) {
        return isWorseByItself(tolerance) || isStallingMore(tolerance) || (!ignoresStalls && isSlower(rows, tolerance));
    }

    /** Whether it is overloaded, fails more, or is slower without incidents. */
    boolean isWorseByItself(double tolerance) {
        return isOverloaded() || failures.isMore() || isSlower(deciding(), tolerance);
    }

    private static boolean isSlower(List<ComparedRow> rows, double tolerance) {
        return rows.stream()
                .anyMatch(row -> row.answer() == ChangeAnswer.SLOWER
                        && row.lowChange().isPresent()
                        && row.lowChange().getAsDouble() > tolerance);
    }

    /**
     * Whether it is sure that the other is not slower by more than {@code tolerance}, at any of the percentiles asked for; if
     * nobody asked, at those of p50, p90 and p99 that are judged. Each is asked with a confidence of 95 % (non-inferiority);
     * that all must pass needs no correction.
     */
    public boolean isNoRegression(double tolerance) {
        List<ComparedRow> decisive = decidingAsked();
        return !isOverloaded()
                && !failures.isMore()
                && !isWorseByStalls(tolerance)
                && !decisive.isEmpty()
                && decisive.stream()
                        .allMatch(
                                row -> row.atMost().isPresent() && row.atMost().getAsDouble() <= tolerance);
    }

    /**
     * How long both sides would have to be measured for a decision, if they are identical.
     *
     * @param tolerance above 0
     * @return seconds a side; empty if a percentile has no upper end of its change, so that nobody can say
     */
    public OptionalDouble neededSeconds(double tolerance) {
        double seconds = Math.max(seconds(base), seconds(other));
        double longest = 0;
        for (ComparedRow row : decidingAsked()) {
            OptionalDouble times = row.timesAsLong(tolerance);
            if (times.isEmpty()) {
                return OptionalDouble.empty();
            }
            longest = Math.max(longest, times.getAsDouble() * seconds);
        }
        return longest > 0 ? OptionalDouble.of(longest) : OptionalDouble.empty();
    }

    private static double seconds(ComparedSide side) {
        return side.runs().stream().mapToInt(run -> run.stretches().size()).sum();
    }

    /** Whether runs may differ by more than the intervals say: a single run a side cannot tell. */
    public boolean isBetweenRunsUnknown() {
        return !inTurns && base.runs().size() < LEAST_RUNS && other.runs().size() < LEAST_RUNS;
    }

    /** Whether a single run is so short that its service may have another level at another time. */
    public boolean isBrief() {
        return isBetweenRunsUnknown()
                && Stream.of(base, other)
                        .filter(side -> side.runs().size() == 1)
                        .anyMatch(side -> seconds(side) < QuantileChange.SHORT_SECONDS);
    }
}
