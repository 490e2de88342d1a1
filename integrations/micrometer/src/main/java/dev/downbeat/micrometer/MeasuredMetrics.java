package dev.downbeat.micrometer;

import dev.downbeat.load.Measured;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Shows what was measured last as meters: percentiles of the response time as gauges, how requests ended as counters. The
 * percentiles are ours; Micrometer's own summaries are not fed, since they would lose the tail a second time.
 *
 * <pre>{@code
 * MeasuredMetrics metrics = new MeasuredMetrics("orders");
 * metrics.bindTo(registry);
 * scheduler.scheduleAtFixedRate(() -> metrics.show(recorder.take()), 1, 1, TimeUnit.MINUTES);
 * }</pre>
 *
 * <p>{@code NAME.response} has a tag {@code percentile}: {@code p50}, {@code p90}, {@code p99}, {@code p99.9}, {@code max};
 * it is not a number while nothing was shown. {@code NAME.requests} has a tag {@code fate}. {@code NAME.in.flight} is what
 * had not ended. Gauges of several instances must not be averaged; keep the recordings to add them. Thread-safe.
 */
public final class MeasuredMetrics implements MeterBinder {
    private static final Map<String, Double> PERCENTILES =
            Map.of("p50", 50.0, "p90", 90.0, "p95", 95.0, "p99", 99.0, "p99.9", 99.9, "max", 100.0);

    private final String name;
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
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
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        PERCENTILES.forEach((tag, percentile) -> TimeGauge.builder(
                        name + ".response", () -> nanos(percentile), TimeUnit.NANOSECONDS)
                .tag("percentile", tag)
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

    private double nanos(double percentile) {
        Measured shown = newest;
        return shown == null || shown.response().isEmpty()
                ? Double.NaN
                : shown.p(percentile).toNanos();
    }

    private long inFlight() {
        Measured shown = newest;
        return shown == null ? 0 : shown.inFlight();
    }
}
