package dev.downbeat.report.data;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.PercentileRow;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.Optional;
import java.util.OptionalLong;

/** The cells of a percentile row, shared by all formats for readers. Stateless. */
public final class PercentileCells {
    private PercentileCells() {}

    /** "862 ms", "≥ 2.00 s"; "-" if unknown. */
    public static String time(Optional<PercentileRow.Time> time) {
        return time.map(known -> (known.isLowerBound() ? "≥ " : "") + DurationText.rounded(known.nanos()))
                .orElse("-");
    }

    /** "x12", "at least x8"; empty where nothing notable is hidden. */
    public static String hidden(PercentileRow row) {
        return row.hidden()
                .map(factor -> (factor.isLowerBound() ? "at least " : "") + Numbers.times(factor.times()))
                .orElse("");
    }

    /** "1.20 ms may be Downbeat's"; empty where that part is small. */
    public static String ownDelay(PercentileRow row) {
        return row.ownDelayNanos().isPresent()
                ? DurationText.rounded(row.ownDelayNanos().getAsLong()) + " may be Downbeat's"
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

    /** "2.32 to 2.62 ms", "above 4.48 ms"; the interval must have a lower end. */
    public static String range(QuantileInterval interval) {
        String low = DurationText.rounded(interval.lowNanos().orElseThrow());
        return interval.highNanos().isEmpty()
                ? "above " + low
                : low + " to " + DurationText.rounded(interval.highNanos().orElseThrow());
    }

    /** The requests that the percentiles cover, and those they do not. */
    public static String population(Analysis analysis) {
        long censored = analysis.result().recording().censored().count();
        long failed = analysis.result().ledger().failed();
        String text = Numbers.count(analysis.response().count(), "request");
        if (censored > 0) {
            long timedOut = Math.min(censored, analysis.result().ledger().timedOut());
            text += ": "
                    + Numbers.count(analysis.result().recording().response().count()) + " answered"
                    + (timedOut > 0 ? ", " + Numbers.count(timedOut) + " timed out" : "")
                    + (censored > timedOut ? ", " + Numbers.count(censored - timedOut) + " unfinished" : "")
                    + " (≥ marks lower bounds)";
        }
        return failed == 0
                ? text
                : text + "; " + Numbers.count(failed) + (failed == 1 ? " failed request is" : " failed requests are")
                        + " excluded";
    }

    /** A percentile, if there are enough times. */
    public static OptionalLong percentile(Distribution times, double percentile) {
        return ResponseBounds.hasEnoughFor(percentile, times.count())
                ? OptionalLong.of(times.valueAtPercentile(percentile))
                : OptionalLong.empty();
    }

    /** "862 ms", or "at least 2.00 s" if unfinished requests may make it longer. */
    public static String time(ResponseBounds bounds, double percentile) {
        return (bounds.isKnownAt(percentile) ? "" : "at least ")
                + DurationText.rounded(bounds.atLeastNanos(percentile));
    }

    /** "862 ms", or "≥ 2.00 s" if unfinished requests may make it longer; empty if there are too few. */
    public static String time(Recording recording, double percentile) {
        ResponseBounds bounds = Observations.bounds(recording);
        String mark = bounds.isKnownAt(percentile) ? "" : "≥ ";
        return bounds.hasEnoughFor(percentile) ? mark + DurationText.rounded(bounds.atLeastNanos(percentile)) : "";
    }

    /** "4.05 ms"; empty if there are too few times for the percentile. */
    public static String time(Distribution times, double percentile) {
        OptionalLong nanos = percentile(times, percentile);
        return nanos.isPresent() ? DurationText.rounded(nanos.getAsLong()) : "";
    }
}
