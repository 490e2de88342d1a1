package dev.downbeat.compare;

import dev.downbeat.record.Recording;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.ForeignPart;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.stats.change.ShiftFunction;
import dev.downbeat.stats.change.ShiftFunction.Shift;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** The percentiles of two sides, row by row. */
final class ComparedRows {
    private ComparedRows() {}

    /** Judges each percentile; the runs must be long enough. */
    static List<ComparedRow> of(ComparedSide base, ComparedSide other, List<Double> percentiles, double rarer) {
        Recording before = base.total();
        Recording after = other.total();
        List<ForeignPart> foreign = foreign(base, other, percentiles);
        List<QuantileChange> changes = QuantileChange.of(base.times(), other.times(), percentiles, foreign, rarer);
        return IntStream.range(0, changes.size())
                .mapToObj(i -> row(changes.get(i), foreign.get(i), before, after))
                .toList();
    }

    /** Judges percentiles of systems measured in turns. */
    static List<ComparedRow> ofTurns(
            ComparedSide base, ComparedSide other, List<Shift> shifts, List<ForeignPart> foreign) {
        Recording before = base.total();
        Recording after = other.total();
        return IntStream.range(0, shifts.size())
                .mapToObj(i -> row(change(shifts.get(i)), foreign.get(i), before, after))
                .toList();
    }

    /** What may not be the systems' own at each percentile. */
    static List<ForeignPart> foreign(ComparedSide base, ComparedSide other, List<Double> percentiles) {
        List<Long> before = base.foreignNanos(percentiles);
        List<Long> after = other.foreignNanos(percentiles);
        return IntStream.range(0, percentiles.size())
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
                        before,
                        after))
                .toList();
    }

    /** With a lower bound, the true change is unknown but at least as large. */
    private static ComparedRow row(QuantileChange change, ForeignPart foreign, Recording before, Recording after) {
        boolean baseKnown = before.isKnownAt(change.percentile());
        boolean otherKnown = after.isKnownAt(change.percentile());
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
        boolean relied = shift.independentBeyond() >= ShiftFunction.LEAST_BEYOND;
        return new QuantileChange(
                shift.percentile(),
                shift.baseNanos(),
                shift.otherNanos(),
                relied ? end(shift.lowChange()) : OptionalDouble.empty(),
                relied ? end(shift.highChange()) : OptionalDouble.empty(),
                relied ? end(shift.atLeast()) : OptionalDouble.empty(),
                relied ? end(shift.atMost()) : OptionalDouble.empty(),
                relied ? shift.answer() : ChangeAnswer.NOT_JUDGED);
    }

    /** Empty if all of a value may be foreign. */
    private static OptionalDouble end(double change) {
        return change <= -1 || Double.isInfinite(change) ? OptionalDouble.empty() : OptionalDouble.of(change);
    }
}
