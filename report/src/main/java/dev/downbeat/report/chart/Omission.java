package dev.downbeat.report.chart;

import dev.downbeat.analysis.PercentileRow;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where coordinated omission hides most: the lowest percentile at which response time over service time nearly reaches
 * its maximum.
 *
 * @param known whether the response time is exact there, rather than a lower bound
 */
record Omission(double percentile, long responseNanos, long serviceNanos, boolean known) {
    private static final double NEARLY = 0.5;

    /** Empty if nothing notable is hidden. */
    static Optional<Omission> of(ResponseBounds bounds, Distribution service) {
        List<Omission> notable = new ArrayList<>();
        for (double percentile : Percentiles.belowMax(Percentiles.Place.TABLE)) {
            if (bounds.carries(percentile) && ResponseBounds.carries(percentile, service.count())) {
                boolean isOurs = bounds.isOurs(percentile);
                notable.add(new Omission(
                        percentile,
                        isOurs ? bounds.withoutOursNanos(percentile) : bounds.atLeastNanos(percentile),
                        Math.max(1, service.valueAtPercentile(percentile)),
                        !isOurs && bounds.isKnownAt(percentile)));
            }
        }
        double most = notable.stream().mapToDouble(Omission::factor).max().orElse(0);
        return notable.stream()
                .filter(one -> one.factor() >= PercentileRow.NOTABLE && one.factor() >= NEARLY * most)
                .findFirst();
    }

    double factor() {
        return (double) responseNanos / serviceNanos;
    }

    /** "at p99: 4.05 ms from sending, but 1.05 s waited (x259)". */
    String inWords() {
        return counted() + " " + waited();
    }

    /** "at p99: 4.05 ms from sending,". */
    String counted() {
        return "at " + Percentiles.name(percentile) + ": " + DurationText.rounded(serviceNanos) + " from sending,";
    }

    /** "but 1.05 s waited (x259)". */
    String waited() {
        return "but " + (known ? "" : "at least ") + DurationText.rounded(responseNanos) + " waited ("
                + (known ? "" : "≥") + Numbers.times(factor()) + ")";
    }
}
