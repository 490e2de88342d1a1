package dev.downbeat.micrometer;

import dev.downbeat.load.Measured;
import dev.downbeat.stats.Percentiles;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the latest measurement as meters: percentiles of the response time as gauges, fates as counters, and all
 * response times as a histogram, the only one that can be aggregated over instances.
 *
 * <pre>{@code
 * MeasuredMetrics metrics = new MeasuredMetrics("orders");
 * metrics.bindTo(registry);
 * scheduler.scheduleWithFixedDelay(() -> metrics.publish(recorder.take()), 1, 1, TimeUnit.MINUTES);
 * }</pre>
 *
 * <p>With a fixed delay: at a fixed rate, empty measurements would follow a pause and replace the one that holds it.
 *
 * <p>{@code NAME.response} has a tag {@code quantile}: {@code 0.5}, {@code 0.9}, {@code 0.95}, {@code 0.99}, {@code
 * 0.999} and {@code 1}, the maximum; it is NaN before the first measurement. These values are exact to three digits,
 * and must not be averaged over instances. {@code NAME.response.time} is a timer of finished requests, with buckets
 * from 1 ms to 60 s. Add its buckets over instances to compute a percentile, with the precision of the buckets. An
 * OpenTelemetry registry uses the histogram type that it is configured for. {@code NAME.requests} has a tag {@code
 * fate}. {@code NAME.in.flight} is the number of unfinished requests. The first registry to be bound
 * also gets what was published before; the timer of a later one starts empty. Thread-safe; binding twice to a registry has
 * no further effect.
 */
public final class MeasuredMetrics implements MeterBinder {
    private static final Duration[] BUCKETS = LongStream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final String name;
    private final Tags tags;

    /** For the first registry: few distinct times, since each is a bucket of three digits. */
    private final Map<Duration, Long> published = new HashMap<>();

    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final Map<MeterRegistry, Timer> timers = new WeakHashMap<>();
    private volatile @Nullable Measured newest;

    /** Creates meters with names that begin with {@code name} and a dot. */
    public MeasuredMetrics(String name) {
        this(name, Tags.empty());
    }

    /**
     * Creates meters with names that begin with {@code name} and a dot.
     *
     * @param tags of every meter, such as the instance or the route
     */
    public MeasuredMetrics(String name, Iterable<Tag> tags) {
        this.name = Objects.requireNonNull(name, "name");
        this.tags = Tags.of(tags);
    }

    /** Sets the gauges to this measurement and adds its requests to the counters. */
    public synchronized void publish(Measured measured) {
        answered.add(measured.answered());
        failed.add(measured.failed());
        timedOut.add(measured.timedOut());
        newest = measured;
        measured.ended().forEach((time, count) -> {
            if (timers.isEmpty()) {
                published.merge(time, count, Long::sum);
            }
            timers.values().forEach(timer -> feed(timer, time, count));
        });
    }

    private static void feed(Timer timer, Duration time, long count) {
        for (long left = count; left > 0; left--) {
            timer.record(time);
        }
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        if (timers.containsKey(registry)) {
            return;
        }
        Timer times = Timer.builder(name + ".response.time")
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .description("response time from the intended time, to be added over instances")
                .register(registry);
        published.forEach((time, count) -> feed(times, time, count));
        published.clear(); // a later registry would get all of it at once, as if it had happened now
        timers.put(registry, times);
        Percentiles.of(Percentiles.Place.METER)
                .forEach(percentile -> TimeGauge.builder(
                                name + ".response", () -> nanos(percentile), TimeUnit.NANOSECONDS)
                        .tags(tags)
                        .tag("quantile", Percentiles.quantile(percentile))
                        .description("response time from the intended time")
                        .register(registry));
        Map.of("answered", answered, "failed", failed, "timed_out", timedOut)
                .forEach((fate, count) -> FunctionCounter.builder(name + ".requests", count, LongAdder::sum)
                        .tags(tags)
                        .tag("fate", fate)
                        .description("requests that ended")
                        .register(registry));
        Gauge.builder(name + ".in.flight", this::inFlight)
                .tags(tags)
                .description("requests that had not ended when it was measured")
                .register(registry);
    }

    /** NaN if there are too few requests for the percentile. */
    private double nanos(double percentile) {
        Measured shown = newest;
        return shown == null
                ? Double.NaN
                : shown.p(percentile)
                        .map(Duration::toNanos)
                        .map(Long::doubleValue)
                        .orElse(Double.NaN);
    }

    private long inFlight() {
        Measured shown = newest;
        return shown == null ? 0 : shown.inFlight();
    }
}
