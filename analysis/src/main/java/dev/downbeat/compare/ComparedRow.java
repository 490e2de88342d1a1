package dev.downbeat.compare;

import dev.downbeat.record.Recording;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.stats.change.QuantileChange.ForeignPart;
import dev.downbeat.stats.change.ShiftFunction;
import dev.downbeat.stats.change.ShiftFunction.Shift;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * One percentile of two systems.
 *
 * @param percentile above 0, below 100
 * @param baseNanos value of the base; of several separate runs, the geometric mean of their values
 * @param baseIsLowerBound whether the base's value is a lower bound, because requests were not seen to end
 * @param otherNanos value of the other system
 * @param otherIsLowerBound whether the other's value is a lower bound
 * @param lowChange lower end of the change's 95 % interval; empty if there is none
 * @param highChange upper end of the interval; empty if there is none
 * @param atLeast one-sided 95 % lower bound of the change; empty if there is none
 * @param atMost one-sided 95 % upper bound of the change; empty if there is none
 * @param foreign upper bound of the part of each value that the system may not have caused; it widens the interval
 * @param answer the conclusion, corrected for all percentiles together
 */
public record ComparedRow(
        double percentile,
        long baseNanos,
        boolean baseIsLowerBound,
        long otherNanos,
        boolean otherIsLowerBound,
        OptionalDouble lowChange,
        OptionalDouble highChange,
        OptionalDouble atLeast,
        OptionalDouble atMost,
        ForeignPart foreign,
        ChangeAnswer answer) {
    /** A change that is certainly smaller than this counts as the same. */
    static final double SAME = 0.1;

    /** Smaller changes are ignored, since intervals do not include the variation between restarts. A choice. */
    private static final double SLIGHT = 0.01;

    /** How much farther than a one-sided 95 % bound the tolerance must be for four of five tests to pass. */
    private static final double POWER = 2.487 / 1.645;

    /** Changes certainly within {@link #SAME} become "the same"; changes without an interval are not judged. */
    public ComparedRow {
        boolean isChange = answer == ChangeAnswer.SLOWER || answer == ChangeAnswer.FASTER;
        if (isChange && isSlight(baseNanos, otherNanos)) {
            answer = ChangeAnswer.CANNOT_TELL;
        }
        boolean isOpen = answer == ChangeAnswer.CANNOT_TELL;
        if (isOpen && lowChange.isEmpty() && highChange.isEmpty()) {
            answer = ChangeAnswer.NOT_JUDGED;
        } else if (isOpen && within(lowChange, highChange).orElse(1) <= SAME) {
            answer = ChangeAnswer.SAME;
        }
    }

    private static OptionalDouble within(OptionalDouble low, OptionalDouble high) {
        return low.isEmpty() || high.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(0, Math.max(high.getAsDouble(), 1 / (1 + low.getAsDouble()) - 1)));
    }

    /** Whether the change is significant alone but not when corrected for all percentiles. */
    public boolean isSignificantAlone() {
        return answer == ChangeAnswer.CANNOT_TELL
                && !isSlight(baseNanos, otherNanos)
                && (lowChange.orElse(0) > 0 || highChange.orElse(0) < 0);
    }

    /** Whether it is slower, and the whole interval of the change lies above {@code tolerance}. */
    boolean isSlowerByMoreThan(double tolerance) {
        return answer == ChangeAnswer.SLOWER && lowChange.isPresent() && lowChange.getAsDouble() > tolerance;
    }

    /** The relative change of the other system against the base; 0.1 is 10 % slower. */
    public double change() {
        return change(baseNanos, otherNanos);
    }

    /** The change without any part of the other's value that the system may not have caused. */
    double leastChange() {
        return change(baseNanos, otherNanos - Math.min(otherNanos, foreign.otherNanos()));
    }

    /** Whether more than a tenth of a value may have other causes than the system. */
    public boolean isPartlyForeign() {
        return ResponseBounds.hasNotableOwnDelay(foreign.baseNanos(), baseNanos)
                || ResponseBounds.hasNotableOwnDelay(foreign.otherNanos(), otherNanos);
    }

    /** Whether the other's value has the greater foreign part. */
    public boolean isOtherMoreForeign() {
        return part(foreign.otherNanos(), otherNanos) >= part(foreign.baseNanos(), baseNanos);
    }

    /** The greater of both values' foreign parts, from 0 to 1. */
    double foreignShare() {
        return Math.max(part(foreign.baseNanos(), baseNanos), part(foreign.otherNanos(), otherNanos));
    }

    private static double part(long foreignNanos, long nanos) {
        return (double) foreignNanos / Math.max(1, nanos);
    }

    private static double change(long baseNanos, long otherNanos) {
        return (double) otherNanos / Math.max(1, baseNanos) - 1;
    }

    private static boolean isSlight(long baseNanos, long otherNanos) {
        return Math.abs(change(baseNanos, otherNanos)) < SLIGHT;
    }

    /**
     * The relative margin within which the two are certainly equal: the whole 95 % interval lies inside. Two one-sided
     * tests (90 %) could contradict the interval shown next to the answer. Empty if an end is unknown.
     */
    public OptionalDouble sameWithin() {
        return within(lowChange, highChange);
    }

    /**
     * How many times longer identical systems must be measured for four of five such tests to pass; empty if that would
     * not help.
     *
     * @param between the part of the bound's reach, in logarithms, that longer runs do not reduce
     */
    OptionalDouble timesAsLong(double tolerance, double between) {
        double varianceLeft = varianceLeft(tolerance, between);
        if (atMost.isEmpty() || isPartlyForeign() || varianceLeft <= 0) {
            return OptionalDouble.empty();
        }
        double reach = Math.log1p(atMost.getAsDouble()) - Math.log1p(change());
        double within = (reach * reach - between * between) * POWER * POWER;
        return OptionalDouble.of(Math.max(1, within / varianceLeft));
    }

    /** The part of the squared tolerance that the variation between runs leaves; none if 0 or less. */
    static double varianceLeft(double tolerance, double between) {
        return Math.pow(Math.log1p(tolerance), 2) - Math.pow(between * POWER, 2);
    }

    /** Judges each percentile; the runs must be long enough. */
    static List<ComparedRow> of(ComparedSide base, ComparedSide other, List<Double> percentiles, double rarer) {
        List<ForeignPart> foreign =
                foreign(base.foreignNanosOfRuns(percentiles), other.foreignNanosOfRuns(percentiles));
        List<QuantileChange> changes = QuantileChange.of(base.times(), other.times(), percentiles, foreign, rarer);
        return IntStream.range(0, changes.size())
                .mapToObj(i -> row(
                        changes.get(i),
                        foreign.get(i),
                        base.isEachKnownAt(percentiles.get(i)),
                        other.isEachKnownAt(percentiles.get(i))))
                .toList();
    }

    /** Judges percentiles of systems measured in turns. */
    static List<ComparedRow> ofTurns(
            ComparedSide base, ComparedSide other, List<Shift> shifts, List<ForeignPart> foreign) {
        Recording before = base.total();
        Recording after = other.total();
        return IntStream.range(0, shifts.size())
                .mapToObj(i -> row(
                        change(shifts.get(i)),
                        foreign.get(i),
                        before.isKnownAt(shifts.get(i).percentile()),
                        after.isKnownAt(shifts.get(i).percentile())))
                .toList();
    }

    /** The parts of each percentile that the systems, measured in turns, may not have caused. */
    static List<ForeignPart> foreign(ComparedSide base, ComparedSide other, List<Double> percentiles) {
        return foreign(base.foreignNanos(percentiles), other.foreignNanos(percentiles));
    }

    private static List<ForeignPart> foreign(List<Long> before, List<Long> after) {
        return IntStream.range(0, before.size())
                .mapToObj(i -> new ForeignPart(before.get(i), after.get(i)))
                .toList();
    }

    /** The percentiles without a judgement. */
    static List<ComparedRow> bare(ComparedSide base, ComparedSide other, List<Double> percentiles) {
        Recording before = base.total();
        Recording after = other.total();
        OptionalDouble none = OptionalDouble.empty();
        return percentiles.stream()
                .map(percentile -> row(
                        new QuantileChange(
                                percentile,
                                before.responseAtLeast().valueAtPercentile(percentile),
                                after.responseAtLeast().valueAtPercentile(percentile),
                                none,
                                none,
                                none,
                                none,
                                ChangeAnswer.NOT_JUDGED),
                        ForeignPart.NONE,
                        before.isKnownAt(percentile),
                        after.isKnownAt(percentile)))
                .toList();
    }

    /** With a lower bound, the true change is unknown but at least as large. */
    private static ComparedRow row(QuantileChange change, ForeignPart foreign, boolean baseKnown, boolean otherKnown) {
        boolean open = (change.answer() == ChangeAnswer.SLOWER && !baseKnown)
                || (change.answer() == ChangeAnswer.FASTER && !otherKnown);
        OptionalDouble none = OptionalDouble.empty();
        return new ComparedRow(
                change.percentile(),
                change.baseNanos(),
                !baseKnown,
                change.otherNanos(),
                !otherKnown,
                baseKnown ? change.low() : none,
                otherKnown ? change.high() : none,
                baseKnown ? change.atLeast() : none,
                otherKnown ? change.atMost() : none,
                foreign,
                open ? ChangeAnswer.CANNOT_TELL : change.answer());
    }

    private static QuantileChange change(Shift shift) {
        boolean isReliable = shift.independentBeyond() >= ShiftFunction.LEAST_BEYOND;
        return new QuantileChange(
                shift.percentile(),
                shift.baseNanos(),
                shift.otherNanos(),
                isReliable ? end(shift.lowChange()) : OptionalDouble.empty(),
                isReliable ? end(shift.highChange()) : OptionalDouble.empty(),
                isReliable ? end(shift.atLeast()) : OptionalDouble.empty(),
                isReliable ? end(shift.atMost()) : OptionalDouble.empty(),
                isReliable ? shift.answer() : ChangeAnswer.NOT_JUDGED);
    }

    /** Empty if all of a value may be foreign. */
    private static OptionalDouble end(double change) {
        return change <= -1 || Double.isInfinite(change) ? OptionalDouble.empty() : OptionalDouble.of(change);
    }
}
