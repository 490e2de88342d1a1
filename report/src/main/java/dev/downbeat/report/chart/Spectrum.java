package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A distribution of times drawn by percentile.
 *
 * @param includesOwnDelay whether Downbeat's own delay is a considerable part of some times
 * @param slos objectives on percentiles below the maximum, ascending
 */
record Spectrum(
        ResponseBounds bounds, Distribution service, boolean includesOwnDelay, List<AskedObjective.Percentile> slos) {
    /** The first percentile drawn; a few fast requests would otherwise take two thirds of the height. */
    static final double FIRST_SHOWN = 10;

    /** The spectrum of all requests. */
    static Spectrum of(RunReport report) {
        return of(report.analysis().seen(), objectives(report));
    }

    /** The spectrum of one name's requests. */
    static Spectrum of(RunReport report, String name) {
        return of(
                report.analysis().seen().named(name),
                objectives(report)
                        .filter(AskedObjective.Named.class::isInstance)
                        .map(AskedObjective.Named.class::cast)
                        .filter(slo -> slo.name().equals(name))
                        .map(AskedObjective.Named::slo));
    }

    private static Stream<AskedObjective> objectives(RunReport report) {
        return report.verdict().objectives().stream().map(JudgedObjective::slo);
    }

    private static Spectrum of(Observations seen, Stream<AskedObjective> slos) {
        return new Spectrum(
                seen.response(),
                seen.result().recording().service(),
                Percentiles.of(Percentiles.Place.TABLE).stream()
                        .anyMatch(percentile -> seen.response().carries(percentile)
                                && seen.response().isOurs(percentile)),
                slos.filter(AskedObjective.Percentile.class::isInstance)
                        .map(AskedObjective.Percentile.class::cast)
                        .filter(slo -> slo.percentile() < 100)
                        .sorted(Comparator.comparingDouble(AskedObjective.Percentile::percentile))
                        .toList());
    }

    /** A time axis that fits all of them. */
    static Scale.Log durations(List<Spectrum> shown) {
        return Scale.Log.durations(
                shown.stream().mapToLong(Spectrum::leastNanos).min().orElse(1),
                shown.stream().mapToLong(Spectrum::mostNanos).max().orElse(1));
    }

    private long leastNanos() {
        long least = bounds.atLeast().valueAtPercentile(FIRST_SHOWN);
        if (!service.isEmpty()) {
            least = Math.min(least, service.valueAtPercentile(FIRST_SHOWN));
        }
        return Math.min(least, limits().min().orElse(least));
    }

    private long mostNanos() {
        long most = Math.max(bounds.atLeast().maxNanos(), service.isEmpty() ? 0 : service.maxNanos());
        return Math.max(most, limits().max().orElse(most));
    }

    private LongStream limits() {
        return slos.stream().mapToLong(AskedObjective.Percentile::limitNanos);
    }
}
