package dev.downbeat.micrometer;

import dev.downbeat.load.Measured;
import dev.downbeat.stats.Percentiles;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Shows what was measured last as meters: percentiles of the response time as gauges, how requests ended as counters, and all
 * response times as a histogram, which alone can be added over instances.
 *
 * <pre>{@code
 * MeasuredMetrics metrics = new MeasuredMetrics("orders");
 * metrics.bindTo(registry);
 * scheduler.scheduleAtFixedRate(() -> metrics.show(recorder.take()), 1, 1, TimeUnit.MINUTES);
 * }</pre>
 *
 * <p>{@code NAME.response} has a tag {@code quantile}: {@code 0.5}, {@code 0.9}, {@code 0.95}, {@code 0.99}, {@code 0.999} and
 * {@code 1}, the longest; it is not a number while nothing was shown. These are exact to three digits, and those of several
 * instances must not be averaged. {@code NAME.response.time} is a timer of requests that ended, with buckets from 1 ms to 60 s: add its buckets over
 * instances, then ask for a percentile, which is as exact as the buckets are. A registry of OpenTelemetry makes it the kind of
 * histogram that it is set to. {@code NAME.requests} has a tag {@code fate}. {@code NAME.in.flight} is what had not ended.
 * Thread-safe; bound twice to a registry it is there once.
 */
public final class MeasuredMetrics implements MeterBinder {
    private static final Duration[] BUCKETS = LongStream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final String name;
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final Map<MeterRegistry, Timer> timers = Collections.synchronizedMap(new WeakHashMap<>());
    private volatile @Nullable Measured newest;

    /** Meters whose names begin with {@code name} and a dot. */
    public MeasuredMetrics(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** From now on the gauges show this measurement; its requests are added to the counters. */
    public void show(Measured measured) {
        answered.add(measured.answered());
        failed.add(measured.failed());
        timedOut.add(measured.timedOut());
        newest = measured;
        List.copyOf(timers.values())
                .forEach(timer -> measured.ended().forEach((time, count) -> feed(timer, time, count)));
    }

    private static void feed(Timer timer, Duration time, long count) {
        for (long left = count; left > 0; left--) {
            timer.record(time);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (timers.containsKey(registry)) {
            return;
        }
        timers.put(
                registry,
                Timer.builder(name + ".response.time")
                        .serviceLevelObjectives(BUCKETS)
                        .description("response time from the intended time, to be added over instances")
                        .register(registry));
        Percentiles.of(Percentiles.Place.METER)
                .forEach(percentile -> TimeGauge.builder(
                                name + ".response", () -> nanos(percentile), TimeUnit.NANOSECONDS)
                        .tag("quantile", Percentiles.quantile(percentile))
                        .description("response time from the intended time")
                        .register(registry));
        Map.of("answered", answered, "failed", failed, "timed_out", timedOut)
                .forEach((fate, count) -> FunctionCounter.builder(name + ".requests", count, LongAdder::sum)
                        .tag("fate", fate)
                        .description("requests that ended")
                        .register(registry));
        Gauge.builder(name + ".in.flight", this::inFlight)
                .description("requests that had not ended when it was measured")
                .register(registry);
    }

    /** No number where there were too few requests for one. */
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
