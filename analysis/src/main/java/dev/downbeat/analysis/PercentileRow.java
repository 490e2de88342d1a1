package dev.downbeat.analysis;

import dev.downbeat.event.Incident;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * One row of the table of percentiles.
 *
 * @param percentile from 0 to 100; 100 is the maximum; empty for the mean
 * @param response the response time, from the intended time
 * @param service the service time, from the send; empty if there are too few requests
 * @param hidden response time divided by service time, where notable: the delay a closed-loop tool hides. A lower bound
 *     where Downbeat's own delay may be part of the response time
 * @param ownDelayNanos the part of the response time that may be Downbeat's own delay, where it is considerable
 * @param interval the 95 % confidence interval of the response time, if there is one
 * @param soleEvent the single event that determined this percentile, which then has no interval
 * @param objectives the objectives on this percentile
 */
public record PercentileRow(
        OptionalDouble percentile,
        Time response,
        Optional<Time> service,
        Optional<Factor> hidden,
        OptionalLong ownDelayNanos,
        Optional<QuantileInterval> interval,
        Optional<Incident> soleEvent,
        List<JudgedObjective> objectives) {
    /** The least ratio of response to service time that is reported. */
    public static final double NOTABLE = 1.5;

    /**
     * A time that is exact or a lower bound.
     *
     * @param nanos the time in nanoseconds
     * @param isLowerBound true if the time is a lower bound because some requests were not seen to end
     */
    public record Time(long nanos, boolean isLowerBound) {}

    /**
     * A factor that is exact or a lower bound.
     *
     * @param times above 1
     * @param isLowerBound true if the true factor is at least this
     */
    public record Factor(double times, boolean isLowerBound) {}

    public PercentileRow {
        objectives = List.copyOf(objectives);
    }

    /** What the row is called: {@code p99}, {@code max}, {@code mean}. */
    public String name() {
        return percentile.isPresent() ? Percentiles.name(percentile.getAsDouble()) : "mean";
    }

    /** The rows of every report and of objectives, where there are enough requests or an objective is decided. */
    static List<PercentileRow> of(Observations observations, List<JudgedObjective> objectives) {
        ResponseBounds bounds = observations.response();
        List<PercentileRow> rows = new ArrayList<>();
        if (bounds.count() == 0) {
            return rows;
        }
        List<JudgedObjective> ofMean = objectives.stream()
                .filter(objective -> objective.slo() instanceof ServiceLevelObjective.Mean)
                .toList();
        if (!ofMean.isEmpty()) {
            rows.add(mean(observations, ofMean));
        }
        TreeSet<Double> percentiles = new TreeSet<>(Percentiles.of(Percentiles.Place.TABLE));
        objectives.forEach(objective -> {
            if (objective.slo() instanceof ServiceLevelObjective.Percentile slo) {
                percentiles.add(slo.percentile());
            }
        });
        Set<Double> decided = JudgedObjective.decided(objectives);
        percentiles.stream()
                .filter(percentile -> bounds.hasEnoughFor(percentile) || decided.contains(percentile))
                .forEach(percentile -> rows.add(row(observations, percentile, objectives)));
        return rows;
    }

    private static PercentileRow mean(Observations observations, List<JudgedObjective> objectives) {
        ResponseBounds bounds = observations.response();
        ResponseBounds services = observations.service();
        Time response = new Time(bounds.atLeast().meanNanos(), !bounds.isExact());
        long ownDelayNanos = response.nanos() - bounds.meanWithoutOwnDelayNanos();
        boolean isNotable = ResponseBounds.hasNotableOwnDelay(ownDelayNanos, response.nanos());
        Optional<Time> service = services.count() == 0
                ? Optional.empty()
                : Optional.of(new Time(services.atLeast().meanNanos(), !services.isExact()));
        return new PercentileRow(
                OptionalDouble.empty(),
                response,
                service,
                hidden(response, response.nanos() - (isNotable ? ownDelayNanos : 0), service),
                isNotable ? OptionalLong.of(ownDelayNanos) : OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                objectives);
    }

    private static PercentileRow row(Observations observations, double percentile, List<JudgedObjective> objectives) {
        ResponseBounds bounds = observations.response();
        ResponseBounds services = observations.service();
        Time response = new Time(bounds.atLeastNanos(percentile), !bounds.isKnownAt(percentile));
        boolean hasEnough = ResponseBounds.hasEnoughFor(
                percentile, observations.result().recording().service().count());
        // Requests that were never sent have no service time, so the ranks of both distributions differ. No service
        // time exceeds its response time.
        long serviceNanos = Math.min(services.atLeastNanos(percentile), response.nanos());
        Optional<Time> service = hasEnough && serviceNanos > 0
                ? Optional.of(new Time(serviceNanos, !services.isKnownAt(percentile)))
                : Optional.empty();
        long certainNanos =
                bounds.hasNotableOwnDelay(percentile) ? bounds.withoutOwnDelayNanos(percentile) : response.nanos();
        return new PercentileRow(
                OptionalDouble.of(percentile),
                response,
                service,
                hidden(response, certainNanos, service),
                bounds.hasNotableOwnDelay(percentile)
                        ? OptionalLong.of(bounds.ownDelayNanos(percentile))
                        : OptionalLong.empty(),
                percentile < 100 ? observations.interval(percentile) : Optional.empty(),
                observations.soleEvent(percentile),
                objectives.stream()
                        .filter(objective -> objective.slo() instanceof ServiceLevelObjective.Percentile slo
                                && slo.percentile() == percentile)
                        .toList());
    }

    /** No ratio is given where the service time is only a lower bound. */
    private static Optional<Factor> hidden(Time response, long certainNanos, Optional<Time> service) {
        return service.filter(known -> !known.isLowerBound() && certainNanos >= NOTABLE * known.nanos())
                .map(known -> new Factor(
                        (double) certainNanos / known.nanos(),
                        response.isLowerBound() || certainNanos < response.nanos()));
    }
}
