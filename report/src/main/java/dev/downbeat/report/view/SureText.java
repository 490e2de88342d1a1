package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The intervals of the percentiles, and the run length that gives an upper end to the first without one. */
final class SureText {
    private static final double LONGEST_ADVICE_NANOS = 24 * 3600e9;

    private SureText() {}

    static String of(Analysis analysis) {
        ResponseIntervals intervals = analysis.intervals();
        List<String> parts = new ArrayList<>();
        String advice = "";
        for (double percentile : Percentiles.belowMax(Percentiles.Place.TABLE)) {
            Optional<QuantileInterval> interval = intervals.at(percentile);
            boolean isOneEvent = analysis.seen().soleEvent(percentile).isPresent();
            if (isOneEvent || interval.isEmpty() || interval.get().lowNanos().isEmpty()) {
                continue;
            }
            parts.add(text(interval.get()));
            if (interval.get().highNanos().isEmpty() && advice.isEmpty()) {
                advice = intervals
                        .neededNanos(percentile)
                        .filter(nanos -> nanos <= LONGEST_ADVICE_NANOS)
                        .map(nanos -> "; an upper bound of " + Percentiles.name(percentile) + " needs about "
                                + ResponseIntervals.about(nanos))
                        .orElse("");
            }
        }
        if (parts.isEmpty()) {
            return "";
        }
        String memory = intervals.memoryText(50).map(text -> "; " + text).orElse("");
        return String.join(", ", parts) + advice + memory + "; " + rarest(intervals);
    }

    /** What intervals do not account for; call only if there are intervals. */
    static String rarest(ResponseIntervals intervals) {
        return "what comes less than once in "
                + DurationText.rounded(intervals.rarestNanos().orElseThrow()) + " may be missing";
    }

    private static String text(QuantileInterval interval) {
        String low = DurationText.rounded(interval.lowNanos().orElseThrow());
        return Percentiles.name(interval.percentile())
                + (interval.highNanos().isEmpty()
                        ? " above " + low
                        : " " + low + " to "
                                + DurationText.rounded(interval.highNanos().orElseThrow()));
    }
}
