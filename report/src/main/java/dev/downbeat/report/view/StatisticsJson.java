package dev.downbeat.report.view;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.paper.JsonWriter;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.ResponseIntervals;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes statistics as JSON, and remembers why some are null. Not thread-safe. */
final class StatisticsJson {
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99};
    private static final String[] NAMES = {"p50_ns", "p75_ns", "p90_ns", "p95_ns", "p99_ns", "p99_9_ns", "p99_99_ns"};
    private static final String NOTHING = "there are no requests to take it from";

    private final JsonWriter json;
    private final Map<String, String> unavailable = new LinkedHashMap<>();

    StatisticsJson(JsonWriter json) {
        this.json = json;
    }

    Map<String, String> unavailable() {
        return unavailable;
    }

    /** Says why the member that was just written is null. */
    void explain(String name, String reason) {
        unavailable.put(json.path(name), reason);
    }

    void known(String name, OptionalLong value, String otherwise) throws IOException {
        json.put(name, value);
        if (value.isEmpty()) {
            explain(name, otherwise);
        }
    }

    void of(String name, Distribution times) throws IOException {
        json.beginObject(name).put("count", times.count());
        OptionalLong mean = times.isEmpty() ? OptionalLong.empty() : OptionalLong.of(times.meanNanos());
        known("mean_ns", mean, NOTHING);
        known("min_ns", times.isEmpty() ? OptionalLong.empty() : OptionalLong.of(times.minNanos()), NOTHING);
        for (int i = 0; i < PERCENTILES.length; i++) {
            double percentile = PERCENTILES[i];
            known(NAMES[i], Numbers.percentile(times, percentile), ResponseBounds.shortage(percentile, times.count()));
        }
        known("max_ns", Numbers.percentile(times, 100), NOTHING);
        json.end();
    }

    /** As {@link #of}, but null where only a lower bound is known. */
    void response(String name, ResponseBounds bounds) throws IOException {
        bounded(name, bounds, "censored.lower_bound.");
    }

    /** The same of times whose lower bounds are nowhere else. */
    void service(String name, ResponseBounds bounds) throws IOException {
        bounded(name, bounds, "");
    }

    private void bounded(String name, ResponseBounds bounds, String lowerBounds) throws IOException {
        Distribution times = bounds.atLeast();
        json.beginObject(name).put("count", times.count());
        boolean mean = bounds.isExact() && !times.isEmpty();
        known(
                "mean_ns",
                mean ? OptionalLong.of(times.meanNanos()) : OptionalLong.empty(),
                whyNot("mean_ns", times, lowerBounds));
        known(
                "min_ns",
                mean ? OptionalLong.of(times.minNanos()) : OptionalLong.empty(),
                whyNot("min_ns", times, lowerBounds));
        for (int i = 0; i < PERCENTILES.length; i++) {
            bounded(NAMES[i], PERCENTILES[i], bounds, lowerBounds);
        }
        bounded("max_ns", 100, bounds, lowerBounds);
        json.end();
    }

    /** How much of each percentile may be ours. */
    void ours(String name, ResponseBounds bounds) throws IOException {
        json.beginObject(name);
        for (int i = 0; i < PERCENTILES.length; i++) {
            double percentile = PERCENTILES[i];
            boolean carried = bounds.carries(percentile);
            OptionalLong nanos = carried ? OptionalLong.of(bounds.oursNanos(percentile)) : OptionalLong.empty();
            known(NAMES[i], nanos, ResponseBounds.shortage(percentile, bounds.count()));
        }
        OptionalLong most = bounds.count() == 0 ? OptionalLong.empty() : OptionalLong.of(bounds.oursNanos(100));
        known("max_ns", most, NOTHING);
        json.end();
    }

    private void bounded(String name, double percentile, ResponseBounds bounds, String lowerBounds) throws IOException {
        if (percentile < 100 && !bounds.carries(percentile)) {
            known(name, OptionalLong.empty(), ResponseBounds.shortage(percentile, bounds.count()));
            return;
        }
        boolean known = bounds.isKnownAt(percentile);
        OptionalLong value = known ? OptionalLong.of(bounds.atLeastNanos(percentile)) : OptionalLong.empty();
        known(name, value, whyNot(name, bounds.atLeast(), lowerBounds));
    }

    /** Between which values each percentile lies, with a confidence of 95 %. */
    void intervals(String name, ResponseIntervals intervals) throws IOException {
        json.beginObject(name).put("level", QuantileInterval.CONFIDENCE);
        for (int i = 0; i < PERCENTILES.length; i++) {
            double percentile = PERCENTILES[i];
            Optional<QuantileInterval> interval = intervals.at(percentile);
            String begin = NAMES[i].replace("_ns", "");
            OptionalLong low = interval.map(QuantileInterval::lowNanos).orElse(OptionalLong.empty());
            OptionalLong high = interval.map(QuantileInterval::highNanos).orElse(OptionalLong.empty());
            known(begin + "_low_ns", low, intervals.whyNot(percentile));
            known(begin + "_high_ns", high, intervals.whyNot(percentile));
        }
        known("memory_ns", intervals.memoryNanos(50), intervals.whyNot(50));
        json.end();
    }

    private static String whyNot(String name, Distribution times, String lowerBounds) {
        if (times.isEmpty()) {
            return NOTHING;
        }
        return lowerBounds.isEmpty()
                ? "only a lower bound is known: requests were sent whose end was not seen"
                : "only a lower bound is known: " + lowerBounds + name;
    }

    /** Count, median and maximum. */
    void brief(String name, Distribution times) throws IOException {
        json.beginObject(name).put("count", times.count());
        known("p50_ns", Numbers.percentile(times, 50), ResponseBounds.shortage(50, times.count()));
        known("max_ns", Numbers.percentile(times, 100), NOTHING);
        json.end();
    }

    void explainIntervals(List<Interval> intervals) {
        long fewest = intervals.stream()
                .mapToLong(interval -> interval.recording().responseAtLeast().count())
                .min()
                .orElse(Long.MAX_VALUE);
        for (double percentile : new double[] {50, 99, 100}) {
            if (!ResponseBounds.carries(percentile, fewest)) {
                String name = percentile == 50 ? "p50_ns" : percentile == 99 ? "p99_ns" : "max_ns";
                unavailable.put(
                        "intervals[]." + name,
                        "null in intervals with fewer than " + Numbers.count(ResponseBounds.neededFor(percentile))
                                + " requests");
            }
        }
    }
}
