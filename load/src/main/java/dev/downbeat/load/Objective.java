package dev.downbeat.load;

import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * An objective for a service; {@link #toString} is its text form, {@code p99<50ms}.
 *
 * <pre>{@code
 * Load.perSecond(500).objectives(p(99).below(ofMillis(50)), errors().below(percent(0.1)))
 * }</pre>
 *
 * <p>Immutable, thread-safe. A null argument throws a {@link NullPointerException}.
 */
public final class Objective {
    private final ServiceLevelObjective slo;

    private Objective(ServiceLevelObjective slo) {
        this.slo = slo;
    }

    /** A percentage of the planned requests. */
    public static final class Percent {
        private final BigDecimal value;

        private Percent(BigDecimal value) {
            this.value = value;
        }

        /** The percentage, such as {@code 0.1%}. */
        @Override
        public String toString() {
            return value.toPlainString() + "%";
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Percent that && value.equals(that.value);
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }
    }

    /**
     * A quantity to compare with a limit.
     *
     * @param <L> the type of the limit
     */
    public static final class Limited<L> {
        private final BiFunction<ServiceLevelObjective.Ceiling, L, ServiceLevelObjective> slo;

        private Limited(BiFunction<ServiceLevelObjective.Ceiling, L, ServiceLevelObjective> slo) {
            this.slo = slo;
        }

        /**
         * The quantity is below the limit.
         *
         * @throws IllegalArgumentException if the limit is zero
         */
        public Objective below(L limit) {
            return new Objective(
                    slo.apply(new ServiceLevelObjective.Ceiling(false), limit).requireSensible());
        }

        /**
         * The quantity is at most the limit.
         *
         * @throws IllegalArgumentException if a time limit is not above zero
         */
        public Objective atMost(L limit) {
            return new Objective(slo.apply(new ServiceLevelObjective.Ceiling(true), limit));
        }
    }

    /**
     * A percentile of the response time of answered requests, and of those that timed out or did not end with their time so
     * far. Failed ones are limited by {@link #errors} only.
     *
     * @param percentile from 1 to 100 (the maximum), such as 99, not 0.99
     * @throws IllegalArgumentException if it is out of range
     */
    public static Limited<Duration> p(double percentile) {
        if (!(percentile >= 1 && percentile <= 100)) {
            double meant = percentile > 0 && percentile < 1 ? Percentiles.ofQuantile(percentile) : 0;
            throw new IllegalArgumentException("percentile must be from 1 to 100, but was " + percentile
                    + (meant >= 1 ? ": write p(" + Percentiles.name(meant).substring(1) + ")" : ""));
        }
        return new Limited<>(
                (ceiling, limit) -> new ServiceLevelObjective.Percentile(percentile, ceiling, nanos(limit)));
    }

    /** The longest response time, of the requests that {@link #p} counts. */
    public static Limited<Duration> max() {
        return p(100);
    }

    /** The mean response time, of the requests that {@link #p} counts. */
    public static Limited<Duration> mean() {
        return new Limited<>((ceiling, limit) -> new ServiceLevelObjective.Mean(ceiling, nanos(limit)));
    }

    /** The fraction of planned requests that failed or timed out. */
    public static Limited<Percent> errors() {
        return new Limited<>((ceiling, limit) -> new ServiceLevelObjective.Errors(ceiling, limit.value));
    }

    /** The fraction of planned requests that were answered is at least the limit. */
    public static Objective answeredAtLeast(Percent limit) {
        return new Objective(new ServiceLevelObjective.AchievedRate(true, limit.value));
    }

    /**
     * A limit such as {@code percent(0.1)}, one request in a thousand.
     *
     * @param value from 0 to 100
     * @throws IllegalArgumentException if it is out of range
     */
    public static Percent percent(double value) {
        if (!(value >= 0 && value <= 100)) {
            throw new IllegalArgumentException("a percentage must be from 0 to 100, but was " + value);
        }
        return new Percent(BigDecimal.valueOf(value).stripTrailingZeros());
    }

    /**
     * Parses an objective.
     *
     * @param text such as {@code p99<50ms}, {@code p99.9<=1s}, {@code max<2s}, {@code mean<10ms}, {@code errors<0.1%},
     *     {@code rate>=99%} or {@code place order: p99<80ms}
     * @throws IllegalArgumentException with one line that names the accepted forms
     */
    public static Objective parse(String text) {
        return new Objective(ServiceLevelObjective.parse(text));
    }

    /**
     * The same objective for the requests of one name.
     *
     * @throws IllegalArgumentException if the objective already has a name, or {@code name} is blank
     */
    public Objective of(String name) {
        return new Objective(new ServiceLevelObjective.Named(name, slo));
    }

    private static long nanos(Duration limit) {
        return ArgumentChecks.aboveZero("limit", limit).toNanos();
    }

    static List<ServiceLevelObjective> slos(Objective first, Objective... more) {
        return Stream.concat(Stream.of(first), Stream.of(more))
                .map(one -> one.slo)
                .toList();
    }

    static List<ServiceLevelObjective> slos(String... objectives) {
        return Stream.of(objectives).map(ServiceLevelObjective::parse).toList();
    }

    /** The objective in the syntax of {@link #parse}. */
    @Override
    public String toString() {
        return slo.text();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Objective that && slo.equals(that.slo);
    }

    @Override
    public int hashCode() {
        return slo.hashCode();
    }
}
