package dev.downbeat.compare;

import dev.downbeat.record.Recording;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.stats.change.ShiftFunction;
import dev.downbeat.stats.change.ShiftFunction.Shift;
import java.util.List;
import java.util.OptionalDouble;

/** The percentiles of two sides, row by row. */
final class ComparedRows {
    private ComparedRows() {}

    /** Judges each percentile; the runs must be long enough. */
    static List<ComparedRow> of(ComparedSide base, ComparedSide other, List<Double> percentiles, double rarer) {
        Recording before = base.total();
        Recording after = other.total();
        return QuantileChange.of(base.times(), other.times(), percentiles, rarer).stream()
                .map(change -> row(change, before, after))
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
                        before,
                        after))
                .toList();
    }

    /** With a lower bound, the true change is unknown but at least as large. */
    private static ComparedRow row(QuantileChange change, Recording before, Recording after) {
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
                open ? ChangeAnswer.CANNOT_TELL : change.answer());
    }

    /** The row of a comparison in turns. */
    static ComparedRow row(Shift shift, Recording before, Recording after) {
        return row(change(shift), before, after);
    }

    private static QuantileChange change(Shift shift) {
        boolean relied = shift.independentBeyond() >= ShiftFunction.LEAST_BEYOND;
        return new QuantileChange(
                shift.percentile(),
                shift.baseNanos(),
                shift.otherNanos(),
                relied ? OptionalDouble.of(shift.lowChange()) : OptionalDouble.empty(),
                relied ? OptionalDouble.of(shift.highChange()) : OptionalDouble.empty(),
                relied ? OptionalDouble.of(shift.atLeast()) : OptionalDouble.empty(),
                relied ? OptionalDouble.of(shift.atMost()) : OptionalDouble.empty(),
                relied ? shift.answer() : ChangeAnswer.NOT_JUDGED);
    }
}
