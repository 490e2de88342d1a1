package dev.downbeat.report.data;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.PercentileRow;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import java.util.Optional;

/** The cells of a percentile row, as every format for readers shows them. Stateless. */
public final class PercentileCells {
    private PercentileCells() {}

    /** "862 ms", "≥ 2.00 s"; "-" if it is not known. */
    public static String time(Optional<PercentileRow.Time> time) {
        return time.map(known -> (known.isLowerBound() ? "≥ " : "") + DurationText.rounded(known.nanos()))
                .orElse("-");
    }

    /** "x12", "≥x8"; empty where nothing notable is hidden. */
    public static String hidden(PercentileRow row) {
        return row.hidden()
                .map(factor -> (factor.isLowerBound() ? "≥" : "") + Numbers.times(factor.times()))
                .orElse("");
    }

    /** "up to 1.20 ms of it ours"; empty where that is no good part of it. */
    public static String ours(PercentileRow row) {
        return row.oursNanos().isPresent()
                ? "up to " + DurationText.rounded(row.oursNanos().getAsLong()) + " of it ours"
                : "";
    }

    /** "2.32 to 2.62 ms", "above 4.48 ms", "one event"; empty if there is none. */
    public static String interval(PercentileRow row) {
        return row.soleEvent().isPresent() && row.percentile().orElse(100) < 100
                ? "one event"
                : row.interval()
                        .filter(interval -> interval.lowNanos().isPresent())
                        .map(PercentileCells::range)
                        .orElse("");
    }

    /** "2.32 to 2.62 ms", "above 4.48 ms"; it must have a lower end. */
    public static String range(QuantileInterval interval) {
        String low = DurationText.rounded(interval.lowNanos().orElseThrow());
        return interval.highNanos().isEmpty()
                ? "above " + low
                : low + " to " + DurationText.rounded(interval.highNanos().orElseThrow());
    }

    /** Over which requests the percentiles are taken, and which are not among them. */
    public static String population(Analysis analysis) {
        long censored = analysis.result().recording().censored().count();
        long failed = analysis.result().ledger().failed();
        String text = "over " + Numbers.count(analysis.response().count()) + " requests";
        if (censored > 0) {
            text += ": "
                    + Numbers.count(analysis.result().recording().response().count()) + " answered, "
                    + Numbers.count(censored) + " not seen to end (≥: at least)";
        }
        return failed == 0
                ? text
                : text + "; " + Numbers.count(failed) + (failed == 1 ? " failed one is" : " failed ones are")
                        + " not among them";
    }
}
