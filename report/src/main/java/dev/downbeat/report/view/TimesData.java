package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;

/** Percentiles of times. A percentile that the data cannot support is null, with a reason under {@code unavailable}. */
public record TimesData(
        long count,
        Known<Long> minNanos,
        Known<Long> meanNanos,
        @Key("") ByPercentile percentiles) {
    private static final String NOTHING = "there are no requests";

    /** Count, median and maximum. */
    record Brief(long count, @Key("p50_ns") Known<Long> median, Known<Long> maxNanos) {
        static Brief of(Distribution times) {
            return new Brief(times.count(), percentile(times, 50), percentile(times, 100));
        }
    }

    /** Count, median, p99 and maximum of few requests. */
    public record Row(
            long count,
            @Key("p50_ns") Known<Long> median,
            @Key("p90_ns") Known<Long> p90,
            @Key("p95_ns") Known<Long> p95,
            @Key("p99_ns") Known<Long> p99,
            Known<Long> maxNanos)
            implements OneLine {
        public static Row of(Distribution times) {
            return new Row(
                    times.count(),
                    percentile(times, 50),
                    percentile(times, 90),
                    percentile(times, 95),
                    percentile(times, 99),
                    percentile(times, 100));
        }
    }

    /** A time at each percentile. */
    record ByPercentile(
            @Key("p50_ns") Known<Long> median,
            @Key("p75_ns") Known<Long> p75,
            @Key("p90_ns") Known<Long> p90,
            @Key("p95_ns") Known<Long> p95,
            @Key("p99_ns") Known<Long> p99,
            @Key("p99_9_ns") Known<Long> p999,
            @Key("p99_99_ns") Known<Long> p9999,
            Known<Long> maxNanos) {
        static ByPercentile of(DoubleFunction<Known<Long>> at) {
            return new ByPercentile(
                    at.apply(50),
                    at.apply(75),
                    at.apply(90),
                    at.apply(95),
                    at.apply(99),
                    at.apply(99.9),
                    at.apply(99.99),
                    at.apply(100));
        }
    }

    /** The beginning of a percentile's keys: {@code p99_9}. */
    private static String key(double percentile) {
        return Percentiles.name(percentile).replace('.', '_');
    }

    public static TimesData of(Distribution times) {
        return new TimesData(
                times.count(),
                times.isEmpty() ? Known.not(NOTHING) : Known.of(times.minNanos()),
                times.isEmpty() ? Known.not(NOTHING) : Known.of(times.meanNanos()),
                ByPercentile.of(percentile -> percentile(times, percentile)));
    }

    static Known<Long> percentile(Distribution times, double percentile) {
        return Known.of(PercentileCells.percentile(times, percentile), shortage(percentile, times.count()));
    }

    private static String shortage(double percentile, long count) {
        return percentile == 100 || count == 0 ? NOTHING : ResponseBounds.shortage(percentile, count);
    }

    /** For response times: null if only a lower bound is known. */
    static TimesData of(ResponseBounds bounds) {
        return of(bounds, Set.of());
    }

    /** The same, with all percentiles, however few requests there are. */
    static TimesData of(ResponseBounds bounds, Set<Double> decided) {
        return of(bounds, decided, "censored.lower_bound.");
    }

    /** The same for times whose lower bounds are not reported elsewhere. */
    static TimesData ofService(ResponseBounds bounds) {
        return of(bounds, Set.of(), "");
    }

    private static TimesData of(ResponseBounds bounds, Set<Double> decided, String lowerBounds) {
        Distribution times = bounds.atLeast();
        boolean exact = bounds.isExact() && !times.isEmpty();
        return new TimesData(
                times.count(),
                exact ? Known.of(times.minNanos()) : Known.not(bound("min_ns", times, lowerBounds)),
                exact ? Known.of(times.meanNanos()) : Known.not(bound("mean_ns", times, lowerBounds)),
                ByPercentile.of(percentile -> bounded(bounds, decided, percentile, lowerBounds)));
    }

    private static Known<Long> bounded(
            ResponseBounds bounds, Set<Double> decided, double percentile, String lowerBounds) {
        if (percentile < 100 && !bounds.hasEnoughFor(percentile) && !decided.contains(percentile)) {
            return Known.not(shortage(percentile, bounds.count()));
        }
        return bounds.isKnownAt(percentile)
                ? Known.of(bounds.atLeastNanos(percentile))
                : Known.not(bound(key(percentile) + "_ns", bounds.atLeast(), lowerBounds));
    }

    private static String bound(String name, Distribution times, String lowerBounds) {
        if (times.isEmpty()) {
            return NOTHING;
        }
        return lowerBounds.isEmpty()
                ? "only a lower bound is known: requests were sent whose end was not seen"
                : "only a lower bound is known: " + lowerBounds + name;
    }

    /** The percentiles if requests in flight at the end resembled the others, where only a lower bound is known. */
    record Estimate(@Key("") ByPercentile percentiles) {
        static Known<Estimate> of(Map<Double, Long> nanos) {
            return nanos.isEmpty()
                    ? Known.not("it is for percentiles that only requests in flight at the end hide")
                    : Known.of(new Estimate(ByPercentile.of(percentile -> Known.of(
                            Optional.ofNullable(nanos.get(percentile)),
                            "it is known, or there is too little to estimate it from"))));
        }
    }

    /** The part of each percentile that may be Downbeat's own delay. */
    record Ours(@Key("") ByPercentile percentiles) {
        static Ours of(ResponseBounds bounds) {
            return new Ours(ByPercentile.of(percentile -> at(bounds, percentile)));
        }

        private static Known<Long> at(ResponseBounds bounds, double percentile) {
            boolean isSupported = percentile == 100 ? bounds.count() > 0 : bounds.hasEnoughFor(percentile);
            return isSupported
                    ? Known.of(bounds.ownDelayNanos(percentile))
                    : Known.not(shortage(percentile, bounds.count()));
        }
    }

    /** The 95 % confidence interval of each percentile. */
    record Confidence(
            double level, @Key("") Map<String, Known<Long>> ends, Known<Long> memoryNanos, Known<Long> rarestNanos) {
        static Confidence of(Analysis analysis) {
            ResponseIntervals intervals = analysis.intervals();
            Map<String, Known<Long>> ends = new LinkedHashMap<>();
            for (double percentile : Percentiles.belowMax(Percentiles.Place.JSON)) {
                Optional<QuantileInterval> interval = analysis.observations().interval(percentile);
                String why = analysis.observations().whyNoInterval(percentile);
                ends.put(key(percentile) + "_low_ns", SharedData.low(interval, why));
                ends.put(key(percentile) + "_high_ns", SharedData.high(interval, why));
            }
            return new Confidence(
                    QuantileInterval.CONFIDENCE,
                    ends,
                    Known.of(intervals.memoryNanos(50), intervals.whyNot(50)),
                    Known.of(intervals.rarestNanos(), intervals.whyNot(50)));
        }
    }
}
