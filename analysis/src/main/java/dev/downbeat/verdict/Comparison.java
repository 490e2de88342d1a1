package dev.downbeat.verdict;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Effect;
import dev.downbeat.stats.ShareChange;
import dev.downbeat.stats.ShiftFunction;
import dev.downbeat.stats.ShiftFunction.Answer;
import dev.downbeat.stats.ShiftFunction.Shift;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What may be concluded about one system against another: at each percentile, about failures, and as a whole. Immutable.
 *
 * @param base the system that is compared with
 * @param other the other one
 * @param inTurns whether the n-th runs of both were measured side by side
 * @param rows by percentile, ascending
 * @param failures what was not answered: failed, timed out, or never seen to end
 * @param effect Cliff's delta, from -1 to 1: above 0 if requests of the other are slower
 * @param outcome as a whole
 * @param doubts why the two should not be set against each other
 */
public record Comparison(
        ComparedSide base,
        ComparedSide other,
        boolean inTurns,
        List<Row> rows,
        ShareChange failures,
        double effect,
        Outcome outcome,
        List<Incomparable> doubts) {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};

    /** Of the draws: the same runs shall give the same answer. */
    private static final long SEED = 0x7f3a;

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
        /** More requests were not answered, which no speed makes good. */
        FAILS_MORE("fails more"),
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

    /**
     * One percentile.
     *
     * @param percentile above 0, below 100
     * @param baseNanos of the base
     * @param baseIsLowerBound whether it is at least that, since requests were not seen to end
     * @param otherNanos of the other
     * @param otherIsLowerBound whether it is at least that
     * @param lowChange lower end of the change's 95 % interval; empty if there is none
     * @param highChange upper end of it; empty if there is none
     * @param answer over all percentiles together
     */
    public record Row(
            double percentile,
            long baseNanos,
            boolean baseIsLowerBound,
            long otherNanos,
            boolean otherIsLowerBound,
            OptionalDouble lowChange,
            OptionalDouble highChange,
            Answer answer) {
        /** The change of the other against the base; 0.1 is a tenth slower. */
        public double change() {
            return (double) otherNanos / Math.max(1, baseNanos) - 1;
        }
    }

    /** Copies the lists. */
    public Comparison {
        rows = List.copyOf(rows);
        doubts = List.copyOf(doubts);
    }

    /** Compares runs that were measured one after the other, or at any other times. */
    public static Comparison of(ComparedSide base, ComparedSide other) {
        List<Incomparable> doubts = Comparability.doubts(base, other);
        double[] percentiles = carried(List.of(base, other));
        boolean judged =
                percentiles.length > 0 && Comparability.isLongEnough(base) && Comparability.isLongEnough(other);
        List<Shift> shifts = judged
                ? ShiftFunction.of(
                        new ShiftFunction.Side(base.times()), new ShiftFunction.Side(other.times()), percentiles, SEED)
                : List.of();
        return new Draft(base, other, false, boxed(percentiles), shifts).judge(doubts);
    }

    /**
     * Compares systems that were measured in turns with the first of them; the answers hold over all of them together.
     *
     * @param sides at least two, each with as many runs: the n-th run of each belongs to the n-th turn
     * @return one for each side but the first
     */
    public static List<Comparison> ofTurns(List<ComparedSide> sides) {
        ComparedSide base = sides.get(0);
        double[] percentiles = carried(sides);
        int turns = base.runs().size();
        boolean judged = percentiles.length > 0 && turns >= LEAST_TURNS;
        List<List<Shift>> shifts = judged
                ? ShiftFunction.ofTurns(sides.stream().map(Comparison::byTurn).toList(), percentiles, SEED)
                : List.of();
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 1; i < sides.size(); i++) {
            List<Incomparable> doubts = new ArrayList<>(Comparability.doubtsOfTurns(base, sides.get(i)));
            Draft draft =
                    new Draft(base, sides.get(i), true, boxed(percentiles), judged ? shifts.get(i - 1) : List.of());
            comparisons.add(draft.judge(doubts));
        }
        return comparisons;
    }

    private static List<Distribution> byTurn(ComparedSide side) {
        return side.runs().stream().map(run -> run.total().responseAtLeast()).toList();
    }

    /** The percentiles that every side's requests are enough for. */
    private static double[] carried(List<ComparedSide> sides) {
        long least = sides.stream()
                .mapToLong(side -> side.total().responseAtLeast().count())
                .min()
                .orElse(0);
        return Arrays.stream(PERCENTILES)
                .filter(percentile -> ResponseBounds.carries(percentile, least))
                .toArray();
    }

    private static List<Double> boxed(double[] percentiles) {
        return Arrays.stream(percentiles).boxed().toList();
    }

    /** Whether the other is worse: slower at a percentile by more than {@code tolerance}, or it fails more. */
    public boolean isRegression(double tolerance) {
        return failures.isMore()
                || rows.stream()
                        .anyMatch(row ->
                                row.answer() == Answer.SLOWER && row.lowChange().orElse(Double.MIN_VALUE) > tolerance);
    }

    /** Whether it is sure that the other is nowhere slower by more than {@code tolerance}. */
    public boolean isNoRegression(double tolerance) {
        return !failures.isMore()
                && !rows.isEmpty()
                && rows.stream().allMatch(row -> row.highChange().orElse(Double.POSITIVE_INFINITY) <= tolerance);
    }

    /**
     * What a script is told.
     *
     * @param tolerance how much slower is no regression, such as 0.05; empty if nobody asked for a decision, so that
     *     "cannot tell" is no failure
     * @param acceptDoubts whether the comparison counts in spite of its doubts
     */
    public int exitCode(OptionalDouble tolerance, boolean acceptDoubts) {
        if (!doubts.isEmpty() && !acceptDoubts) {
            return ExitCode.UNSOUND;
        }
        if (isRegression(tolerance.orElse(0))) {
            return ExitCode.MISSED;
        }
        return tolerance.isEmpty() || isNoRegression(tolerance.getAsDouble()) ? ExitCode.MET : ExitCode.UNSOUND;
    }

    /** What is known before the parts are put together. */
    private record Draft(
            ComparedSide base, ComparedSide other, boolean inTurns, List<Double> percentiles, List<Shift> shifts) {
        Comparison judge(List<Incomparable> doubts) {
            Recording before = base.total();
            Recording after = other.total();
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < percentiles.size(); i++) {
                rows.add(
                        shifts.isEmpty() ? bare(percentiles.get(i), before, after) : row(shifts.get(i), before, after));
            }
            ShareChange failures = ShareChange.of(base.tallies(), other.tallies(), inTurns);
            double effect = Effect.cliffsDelta(before.responseAtLeast(), after.responseAtLeast());
            return new Comparison(base, other, inTurns, rows, failures, effect, outcome(rows, failures), doubts);
        }

        private static Row bare(double percentile, Recording before, Recording after) {
            return new Row(
                    percentile,
                    before.responseAtLeast().valueAtPercentile(percentile),
                    !before.isKnownAt(percentile),
                    after.responseAtLeast().valueAtPercentile(percentile),
                    !after.isKnownAt(percentile),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    Answer.CANNOT_TELL);
        }

        /** A lower bound tells nothing about how much slower still the true value is. */
        private static Row row(Shift shift, Recording before, Recording after) {
            boolean baseKnown = before.isKnownAt(shift.percentile());
            boolean otherKnown = after.isKnownAt(shift.percentile());
            boolean open =
                    (shift.answer() == Answer.SLOWER && !baseKnown) || (shift.answer() == Answer.FASTER && !otherKnown);
            boolean relied = shift.independentBeyond() >= ShiftFunction.LEAST_BEYOND;
            return new Row(
                    shift.percentile(),
                    shift.baseNanos(),
                    !baseKnown,
                    shift.otherNanos(),
                    !otherKnown,
                    relied && baseKnown ? OptionalDouble.of(shift.lowChange()) : OptionalDouble.empty(),
                    relied && otherKnown ? OptionalDouble.of(shift.highChange()) : OptionalDouble.empty(),
                    open ? Answer.CANNOT_TELL : shift.answer());
        }

        private static Outcome outcome(List<Row> rows, ShareChange failures) {
            boolean faster = rows.stream().anyMatch(row -> row.answer() == Answer.FASTER);
            boolean slower = rows.stream().anyMatch(row -> row.answer() == Answer.SLOWER);
            if (failures.isMore()) {
                return Outcome.FAILS_MORE;
            }
            if (faster && slower) {
                return Outcome.MIXED;
            }
            return slower ? Outcome.SLOWER : faster ? Outcome.FASTER : Outcome.CANNOT_TELL;
        }
    }
}
