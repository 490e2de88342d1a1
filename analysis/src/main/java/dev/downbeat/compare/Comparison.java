package dev.downbeat.compare;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.Effect;
import dev.downbeat.stats.change.Events;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.stats.change.QuantileChange.ForeignPart;
import dev.downbeat.stats.change.ShareChange;
import dev.downbeat.stats.change.ShiftFunction;
import dev.downbeat.stats.change.ShiftFunction.Shift;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The comparison of two systems: each percentile, the failures, and an overall answer. Immutable.
 *
 * @param base the system to compare with
 * @param other the system to compare
 * @param inTurns whether the n-th runs of both were measured side by side
 * @param rows percentiles of all requests, ascending
 * @param incidents the incidents and the comparison without them; empty if there were none or they are unknown
 * @param ignoresStalls whether only the answer without incidents counts, on request
 * @param failures share of requests that failed, timed out or were not seen to end
 * @param effect Cliff's delta, from -1 to 1; positive if the other's requests are slower
 * @param requested the requested percentiles; empty for the defaults
 * @param doubts reasons why the two are not comparable
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
        List<Double> requested,
        List<Incomparable> doubts) {
    private static final List<Double> PERCENTILES = Percentiles.belowMax(Percentiles.Place.TABLE);

    /** The percentiles that decide by default. */
    private static final List<Double> DECIDING = Percentiles.of(Percentiles.Place.DECIDING);

    /** Seed of the resampling, fixed so that the same runs give the same answer. */
    private static final long SEED = 0x7f3a;

    /** The least number of runs per side that shows how runs vary. */
    private static final int LEAST_RUNS = 3;

    /** Fewer turns are not conclusive. */
    public static final int LEAST_TURNS = 5;

    /** The overall answer. */
    public enum Difference {
        /** Faster at one or more percentiles, slower at none, without more failures. */
        FASTER("faster"),
        /** Slower at one or more percentiles, faster at none. */
        SLOWER("slower"),
        /** Faster at some percentiles and slower at others. */
        MIXED("mixed"),
        /** The other system answers less than is offered, and the base does not. */
        OVERLOADED("overloaded"),
        /** The base answers less than is offered, and the other system does not. */
        KEEPS_UP("keeps up"),
        /** The other system has more unanswered requests, which no speed offsets. */
        FAILS_MORE("fails more"),
        /** The other system stalls significantly more, or where the base hardly did and requests waited. */
        STALLS_MORE("stalls more"),
        /** All judged percentiles are the same within a small margin. */
        SAME("the same"),
        /** The data are not conclusive. */
        CANNOT_TELL("cannot tell");

        private final String word;

        Difference(String word) {
            this.word = word;
        }

        /** The answer in lower case, as it stands in results. */
        public String word() {
            return word;
        }
    }

    /** A way in which the other system is worse. */
    public enum Regression {
        /** It answers less than is offered, and the base does not. */
        OVERLOADED,
        /** More of its requests are unanswered. */
        FAILS_MORE,
        /** It stalls more, or longer. */
        STALLS_MORE,
        /** It is slower at a percentile. */
        SLOWER
    }

    public Comparison {
        rows = List.copyOf(rows);
        requested = List.copyOf(requested);
        doubts = List.copyOf(doubts);
    }

    /** Compares runs that were not measured in turns. */
    public static Comparison of(ComparedSide base, ComparedSide other) {
        return of(base, other, List.of());
    }

    /**
     * Compares runs that were not measured in turns.
     *
     * @param requested percentiles to compare, each above 0 and below 100; if empty, all with enough requests
     */
    public static Comparison of(ComparedSide base, ComparedSide other, List<Double> requested) {
        return of(base, other, requested, 1);
    }

    private static Comparison of(ComparedSide base, ComparedSide other, List<Double> requested, double rarer) {
        List<Double> percentiles = shown(List.of(base, other), requested);
        boolean isLongEnough = Comparability.isLongEnough(base) && Comparability.isLongEnough(other);
        List<ComparedRow> rows = isLongEnough
                ? ComparedRow.of(base, other, percentiles, rarer)
                : ComparedRow.bare(base, other, percentiles);
        Optional<ComparedIncidents> incidents =
                isLongEnough ? ComparedIncidents.of(base, other, percentiles, rarer) : Optional.empty();
        return judged(base, other, false, rows, incidents, requested, Comparability.doubts(base, other), rarer);
    }

    /**
     * Compares systems measured in turns with the first of them. The answers are corrected for all comparisons
     * together.
     *
     * @param sides at least two, each with as many runs; the n-th run of each belongs to the n-th turn
     * @param requested percentiles to compare; if empty, all with enough requests
     * @return one comparison for each side but the first
     */
    public static List<Comparison> ofTurns(List<ComparedSide> sides, List<Double> requested) {
        return ofTurns(sides, requested, 1);
    }

    /**
     * The same for one of several looks at growing data, which share the error of 5 % of all answers and intervals.
     *
     * @param looks at least 1
     */
    public static List<Comparison> ofTurns(List<ComparedSide> sides, List<Double> requested, int looks) {
        return ofTurns(sides, requested, looks, looks);
    }

    private static List<Comparison> ofTurns(List<ComparedSide> sides, List<Double> requested, double rarer, int looks) {
        ComparedSide base = sides.get(0);
        List<Double> percentiles = shown(sides, requested);
        boolean judged = !percentiles.isEmpty() && base.runs().size() >= LEAST_TURNS;
        double[] percentileArray =
                percentiles.stream().mapToDouble(each -> each).toArray();
        List<List<ForeignPart>> foreign = sides.stream()
                .skip(1)
                .map(other -> ComparedRow.foreign(base, other, percentiles))
                .toList();
        List<List<Shift>> shifts = judged
                ? ShiftFunction.ofTurns(
                        sides.stream().map(Comparison::byTurn).toList(), percentileArray, foreign, SEED, rarer, looks)
                : List.of();
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 1; i < sides.size(); i++) {
            ComparedSide other = sides.get(i);
            List<ComparedRow> rows = judged
                    ? ComparedRow.ofTurns(base, other, shifts.get(i - 1), foreign.get(i - 1))
                    : ComparedRow.bare(base, other, percentiles);
            List<Incomparable> doubts = Comparability.doubtsOfTurns(base, other);
            Optional<ComparedIncidents> incidents =
                    ComparedIncidents.ofTurns(base, other, percentiles, rarer * (sides.size() - 1), looks);
            comparisons.add(judged(base, other, true, rows, incidents, requested, doubts, rarer));
        }
        return comparisons;
    }

    private static List<Distribution> byTurn(ComparedSide side) {
        return side.runs().stream().map(run -> run.total().responseAtLeast()).toList();
    }

    /** The requested percentiles, or those with enough requests on every side. */
    private static List<Double> shown(List<ComparedSide> sides, List<Double> requested) {
        long least = sides.stream()
                .mapToLong(side -> side.total().responseAtLeast().count())
                .min()
                .orElse(0);
        return !requested.isEmpty()
                ? requested.stream().sorted().toList()
                : PERCENTILES.stream()
                        .filter(percentile -> ResponseBounds.hasEnoughFor(percentile, least))
                        .toList();
    }

    /** Compares the requests of one name, with a stricter error for several questions about the same runs. */
    Comparison named(String request, List<Double> percentiles, double rarer) {
        ComparedSide baseNamed = base.named(request);
        ComparedSide otherNamed = other.named(request);
        return inTurns
                ? ofTurns(List.of(baseNamed, otherNamed), percentiles, rarer, 1).get(0)
                : of(baseNamed, otherNamed, percentiles, rarer);
    }

    private static Comparison judged(
            ComparedSide base,
            ComparedSide other,
            boolean inTurns,
            List<ComparedRow> rows,
            Optional<ComparedIncidents> incidents,
            List<Double> requested,
            List<Incomparable> doubts,
            double rarer) {
        ShareChange failures = ShareChange.of(base.failures(), other.failures(), inTurns, rarer);
        double effect =
                Effect.cliffsDelta(base.total().responseAtLeast(), other.total().responseAtLeast());
        Comparison all =
                new Comparison(base, other, inTurns, rows, incidents, false, failures, effect, requested, doubts);
        List<Incomparable> left = doubts.stream().filter(all::isUnanswered).toList();
        return new Comparison(base, other, inTurns, rows, incidents, false, failures, effect, requested, left);
    }

    /** More failures are an answer even without response times, and so is an overloaded base, which is not steady. */
    private boolean isUnanswered(Incomparable doubt) {
        return switch (doubt.kind()) {
            case NOTHING_ANSWERED -> !failures.isMore();
            case UNSTEADY ->
                !failures.isMore()
                        && !(keepsUp()
                                && base.runs().stream()
                                        .anyMatch(run -> run.doubts().contains(doubt)));
            default -> true;
        };
    }

    /** The same comparison in which only the answer without incidents counts. */
    public Comparison ignoringStalls() {
        return new Comparison(base, other, inTurns, rows, incidents, true, failures, effect, requested, doubts);
    }

    /** The same comparison with one more doubt, which is shown first. */
    public Comparison withDoubt(Incomparable reason) {
        List<Incomparable> all =
                Stream.concat(Stream.of(reason), doubts.stream()).toList();
        return new Comparison(base, other, inTurns, rows, incidents, ignoresStalls, failures, effect, requested, all);
    }

    /** The worse of two answers: for all requests, and without incidents. */
    public Difference outcome() {
        if (isOverloaded()) {
            return Difference.OVERLOADED;
        }
        if (failures.isMore()) {
            return Difference.FAILS_MORE;
        }
        if (isStallingMore(0)) {
            return Difference.STALLS_MORE;
        }
        if (keepsUp()) {
            return Difference.KEEPS_UP;
        }
        Difference calm = outcome(deciding());
        if (!slower().isEmpty()) {
            return calm == Difference.FASTER || calm == Difference.MIXED ? Difference.MIXED : Difference.SLOWER;
        }
        return isWorseByStalls(0) ? Difference.CANNOT_TELL : calm;
    }

    /** Whether the other system is overloaded and the base is not. */
    public boolean isOverloaded() {
        return other.isOverloadedUnlike(base);
    }

    private boolean keepsUp() {
        return base.isOverloadedUnlike(other) && slower().isEmpty() && !isWorseByStalls(0);
    }

    /** Percentiles that are slower with a confidence of 95 %, with or without incidents; ascending. */
    public List<Double> slower() {
        return slower(row -> row.answer() == ChangeAnswer.SLOWER);
    }

    /** The same, if the whole interval of the change lies above {@code tolerance}. */
    public List<Double> slower(double tolerance) {
        return slower(row -> row.isSlowerByMoreThan(tolerance));
    }

    private List<Double> slower(Predicate<ComparedRow> isSlower) {
        return Stream.concat(deciding().stream(), ignoresStalls ? Stream.empty() : rows.stream())
                .filter(isSlower)
                .map(ComparedRow::percentile)
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether the other system stalls significantly more, or where the base hardly did and requests waited. */
    public boolean isStallingMore(double tolerance) {
        return !ignoresStalls
                && incidents
                        .filter(apart -> apart.isWorse() || (apart.isFarLonger() && isWorseByStalls(tolerance)))
                        .isPresent();
    }

    /** Whether incidents alone make a percentile worse by more than {@code tolerance} and at least 10 %. */
    public boolean isWorseByStalls(double tolerance) {
        return worstByStalls().filter(row -> row.change() > tolerance).isPresent();
    }

    /** The percentile that incidents worsen by the greatest factor; empty if there is none or incidents are ignored. */
    public Optional<ComparedRow> worstByStalls() {
        if (ignoresStalls || incidents.isEmpty() || incidents.get().other().isNone()) {
            return Optional.empty();
        }
        Map<Double, Double> calm =
                incidents.get().rows().stream().collect(Collectors.toMap(ComparedRow::percentile, ComparedRow::change));
        return rows.stream()
                .filter(row -> row.leastChange() > ComparedRow.SAME)
                .filter(row -> 1 + row.leastChange()
                        > (1 + ComparedRow.SAME) * (1 + Math.max(0, calm.getOrDefault(row.percentile(), 0.0))))
                .max(Comparator.comparingDouble(ComparedRow::change));
    }

    private static Difference outcome(List<ComparedRow> rows) {
        List<ChangeAnswer> answers = rows.stream()
                .map(ComparedRow::answer)
                .filter(answer -> answer != ChangeAnswer.NOT_JUDGED)
                .toList();
        boolean slower = answers.contains(ChangeAnswer.SLOWER);
        if (answers.contains(ChangeAnswer.FASTER)) {
            return slower ? Difference.MIXED : Difference.FASTER;
        }
        boolean same = !answers.isEmpty() && answers.stream().allMatch(answer -> answer == ChangeAnswer.SAME);
        return slower ? Difference.SLOWER : same ? Difference.SAME : Difference.CANNOT_TELL;
    }

    /** The rows that decide: without incidents, since one or two of them do not predict the next run. */
    public List<ComparedRow> deciding() {
        return incidents.map(ComparedIncidents::rows).orElse(rows);
    }

    /** The judged deciding row with the greatest foreign share; empty if none exceeds a tenth. */
    public Optional<ComparedRow> mostForeign() {
        return deciding().stream()
                .filter(row -> row.answer() != ChangeAnswer.NOT_JUDGED && row.isPartlyForeign())
                .max(Comparator.comparingDouble(ComparedRow::foreignShare));
    }

    /** The deciding rows at the requested percentiles; by default the judged ones of p50, p90 and p99. */
    public List<ComparedRow> requestedDecidingRows() {
        return deciding().stream()
                .filter(row -> requested.isEmpty()
                        ? DECIDING.contains(row.percentile()) && row.answer() != ChangeAnswer.NOT_JUDGED
                        : requested.contains(row.percentile()))
                .toList();
    }

    /** Whether there is any {@linkplain #regressions regression}. */
    public boolean isRegression(double tolerance) {
        return !regressions(tolerance).isEmpty();
    }

    /**
     * The ways in which the other system is worse, most important first.
     *
     * @param tolerance the accepted slowdown, such as 0.05
     */
    public Set<Regression> regressions(double tolerance) {
        Set<Regression> found = EnumSet.noneOf(Regression.class);
        if (isOverloaded()) {
            found.add(Regression.OVERLOADED);
        }
        if (failures.isMore()) {
            found.add(Regression.FAILS_MORE);
        }
        if (isStallingMore(tolerance)) {
            found.add(Regression.STALLS_MORE);
        }
        if (!slower(tolerance).isEmpty()) {
            found.add(Regression.SLOWER);
        }
        return found;
    }

    /** Whether it is overloaded, has more failures, or is slower without incidents. */
    boolean isWorseWithoutIncidents(double tolerance) {
        return isOverloaded()
                || failures.isMore()
                || deciding().stream().anyMatch(row -> row.isSlowerByMoreThan(tolerance));
    }

    /**
     * Whether the other system is certainly not slower by more than {@code tolerance} at any
     * {@linkplain #requestedDecidingRows requested percentile}. Each is tested for non-inferiority at 95 %. All must
     * pass, so no correction is needed. A system that keeps up is not slower than an overloaded base.
     */
    public boolean isNoRegression(double tolerance) {
        List<ComparedRow> decisive = requestedDecidingRows();
        return !isOverloaded()
                && !failures.isMore()
                && !isWorseByStalls(tolerance)
                && (keepsUp()
                        || (!decisive.isEmpty()
                                && decisive.stream()
                                        .allMatch(row -> row.atMost().isPresent()
                                                && row.atMost().getAsDouble() <= tolerance)));
    }

    /**
     * How long identical systems must be measured for a decision.
     *
     * @param tolerance above 0
     * @return seconds per side; empty if a percentile's change has no upper end, or {@link #needsMoreRuns more runs} are
     *     needed
     */
    public OptionalDouble neededSeconds(double tolerance) {
        double seconds = Math.max(base.seconds(), other.seconds());
        double longest = 0;
        for (ComparedRow row : requestedDecidingRows()) {
            OptionalDouble times = row.timesAsLong(tolerance, reachBetweenRuns(row));
            if (times.isEmpty()) {
                return OptionalDouble.empty();
            }
            longest = Math.max(longest, times.getAsDouble() * seconds);
        }
        return longest > 0 ? OptionalDouble.of(longest) : OptionalDouble.empty();
    }

    /**
     * Whether identical systems vary too much between runs for runs of any length to decide; more runs may.
     *
     * @param tolerance above 0
     */
    public boolean needsMoreRuns(double tolerance) {
        return requestedDecidingRows().stream()
                .anyMatch(row -> ComparedRow.varianceLeft(tolerance, reachBetweenRuns(row)) <= 0);
    }

    /** The variation between turns needs no allowance: longer comparisons have more turns. */
    private double reachBetweenRuns(ComparedRow row) {
        return inTurns
                ? 0
                : QuantileChange.reachBetweenRuns(
                        (incidents.isPresent() ? base.calm() : base).times(),
                        (incidents.isPresent() ? other.calm() : other).times(),
                        row.percentile());
    }

    /** Whether the variation between runs is unknown because each side has a single run. */
    public boolean isBetweenRunsUnknown() {
        return !inTurns && base.runs().size() < LEAST_RUNS && other.runs().size() < LEAST_RUNS;
    }

    /**
     * The greatest variation between runs that the intervals of judged percentiles allow for, as a standard deviation.
     * It is larger for short runs and wandering levels. 0 if no percentile is judged.
     */
    public double allowedBetweenRuns() {
        return Stream.of(base, other)
                .filter(side -> side.runs().size() == 1)
                .map(side ->
                        (incidents.isPresent() ? side.calm() : side).times().get(0))
                .flatMapToDouble(run -> requestedDecidingRows().stream()
                        .mapToDouble(row -> QuantileChange.allowedBetweenRuns(run, row.percentile())))
                .max()
                .orElse(0);
    }

    /**
     * Whether the comparison would miss a system this many times as slow as the base at every percentile. False if the
     * base has several runs, or no percentile is judged.
     *
     * @param times 2 or more
     */
    public boolean hides(int times) {
        List<ComparedRow> rows = requestedDecidingRows();
        return base.runs().size() == 1
                && !rows.isEmpty()
                && rows.stream()
                        .allMatch(
                                row -> QuantileChange.hides(times, base.times().get(0), row.percentile()));
    }

    /**
     * The incidents of two systems, compared separately. A stall moves every percentile beyond it, yet it is a single
     * event and gives no rate. Frequency and length are compared only where there are many incidents. Percentiles are
     * compared without the seconds affected by incidents or by Downbeat's own pauses.
     *
     * @param base incidents of the base
     * @param other incidents of the other system
     * @param frequency whether the other's incidents are more (slower) or less frequent (faster)
     * @param duration whether the other's incidents last longer (slower) or shorter (faster)
     * @param rows the percentiles outside incidents
     */
    public record ComparedIncidents(
            SideIncidents base,
            SideIncidents other,
            ChangeAnswer frequency,
            ChangeAnswer duration,
            List<ComparedRow> rows) {
        /** Stalls that last this many times as long count even without significance. */
        private static final double FAR = 10;

        /**
         * Incidents of one side.
         *
         * @param lengths length of each in nanoseconds
         * @param seconds observed time in seconds
         */
        public record SideIncidents(List<Long> lengths, double seconds) {
            public SideIncidents {
                lengths = List.copyOf(lengths);
            }

            boolean isNone() {
                return lengths.isEmpty();
            }

            long allNanos() {
                return lengths.stream().mapToLong(Long::longValue).sum();
            }

            /** "one stall of 1.00 s". */
            public String text() {
                return switch (lengths.size()) {
                    case 0 -> "none";
                    case 1 -> "one stall of " + DurationText.rounded(allNanos());
                    default -> lengths.size() + " stalls (" + DurationText.rounded(allNanos()) + " in total)";
                };
            }
        }

        public ComparedIncidents {
            rows = List.copyOf(rows);
        }

        /** Separates the incidents; empty if neither side had one, or if one side's incidents are unknown. */
        static Optional<ComparedIncidents> of(
                ComparedSide base, ComparedSide other, List<Double> percentiles, double rarer) {
            ComparedSide calm = base.calm();
            ComparedSide otherCalm = other.calm();
            boolean enough = Comparability.hasEnoughLeft(calm) && Comparability.hasEnoughLeft(otherCalm);
            return of(base, other, () -> enough ? ComparedRow.of(calm, otherCalm, percentiles, rarer) : List.of());
        }

        /** The same for systems measured in turns: without the turns in which either had an incident. */
        static Optional<ComparedIncidents> ofTurns(
                ComparedSide base, ComparedSide other, List<Double> percentiles, double rarer, int looks) {
            int turns = Math.min(base.runs().size(), other.runs().size());
            List<Integer> calm = IntStream.range(0, turns)
                    .filter(i ->
                            base.runs().get(i).isCalm() && other.runs().get(i).isCalm())
                    .boxed()
                    .toList();
            return of(
                    base,
                    other,
                    () -> calm.size() < LEAST_TURNS
                            ? List.of()
                            : Comparison.ofTurns(List.of(base.only(calm), other.only(calm)), percentiles, rarer, looks)
                                    .get(0)
                                    .rows());
        }

        private static Optional<ComparedIncidents> of(
                ComparedSide base, ComparedSide other, Supplier<List<ComparedRow>> without) {
            Optional<SideIncidents> one = incidentsOf(base);
            Optional<SideIncidents> two = incidentsOf(other);
            if (one.isEmpty() || two.isEmpty()) {
                return Optional.empty();
            }
            if (one.get().lengths.isEmpty() && two.get().lengths.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new ComparedIncidents(
                    one.get(),
                    two.get(),
                    Events.rate(
                            one.get().lengths.size(),
                            one.get().seconds,
                            two.get().lengths.size(),
                            two.get().seconds),
                    Events.lengths(one.get().lengths, two.get().lengths),
                    without.get()));
        }

        private static Optional<SideIncidents> incidentsOf(ComparedSide side) {
            List<Long> lengths = new ArrayList<>();
            for (ComparedRun run : side.runs()) {
                if (run.calm().isEmpty()) {
                    return Optional.empty();
                }
                run.calm().get().ofTheService().forEach(incident -> lengths.add(incident.lengthNanos()));
            }
            return Optional.of(new SideIncidents(lengths, side.seconds()));
        }

        /** Whether the other system has more or longer incidents, with a confidence of 95 %. */
        public boolean isWorse() {
            return frequency == ChangeAnswer.SLOWER || duration == ChangeAnswer.SLOWER;
        }

        /** Whether the other system stalled for a far greater share of the time. */
        public boolean isFarLonger() {
            return other.allNanos() / other.seconds > FAR * base.allNanos() / base.seconds;
        }

        /** What is known about the frequency of incidents. */
        public String known() {
            if (base.lengths.size() + other.lengths.size() == 1) {
                return "one run does not show how often it happens";
            }
            if (frequency == ChangeAnswer.SLOWER || frequency == ChangeAnswer.FASTER) {
                return (frequency == ChangeAnswer.SLOWER ? "more" : "fewer") + " (95 %)";
            }
            if (duration == ChangeAnswer.SLOWER || duration == ChangeAnswer.FASTER) {
                return (duration == ChangeAnswer.SLOWER ? "longer" : "shorter") + " (95 %)";
            }
            return "too few to show how often they happen";
        }

        /** "base had one stall of 1.0 s, other none: one stall does not show how often stalls occur. Without it p99 10.8
         * and 10.4 ms: the same ...". */
        public String text() {
            int events = base.lengths.size() + other.lengths.size();
            String summary =
                    events == 1 ? "one stall does not show how often stalls occur" : "too few to estimate a rate";
            if (frequency == ChangeAnswer.SLOWER || frequency == ChangeAnswer.FASTER) {
                summary = "other has " + (frequency == ChangeAnswer.SLOWER ? "more" : "fewer");
            } else if (events > Events.FEW) {
                summary = "no difference detected in their number";
            }
            if (duration == ChangeAnswer.SLOWER || duration == ChangeAnswer.FASTER) {
                summary += ", and they are " + (duration == ChangeAnswer.SLOWER ? "longer" : "shorter");
            }
            return "base had " + base.text() + ", other " + other.text() + ": " + summary
                    + without(events == 1 ? "it" : "them");
        }

        private String without(String pronoun) {
            return rows.stream()
                    .filter(row -> row.answer() != ChangeAnswer.NOT_JUDGED)
                    .reduce((lower, higher) -> higher)
                    .map(row -> ". Without " + pronoun + " " + Percentiles.name(row.percentile()) + " "
                            + DurationText.rounded(row.baseNanos()) + " and " + DurationText.rounded(row.otherNanos())
                            + ": "
                            + conclusion(row))
                    .orElse(". Without " + pronoun + ", too little data is left to compare");
        }

        private static String conclusion(ComparedRow row) {
            return row.answer() == ChangeAnswer.SAME
                    ? "the same within " + PercentText.atMost(row.sameWithin().orElse(0))
                    : row.answer() == ChangeAnswer.CANNOT_TELL
                            ? "undecided"
                            : row.answer().word();
        }
    }
}
