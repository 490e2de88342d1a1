package dev.downbeat.micrometer;

import dev.downbeat.exchange.Fate;
import dev.downbeat.load.Latest;
import dev.downbeat.load.Measured;
import dev.downbeat.verdict.PercentileName;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

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
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 100.0);
    private static final List<Fate> ENDS = List.of(Fate.ANSWERED, Fate.FAILED, Fate.TIMED_OUT);

    private final String name;
    private final Latest latest = new Latest();

    /** Meters whose names begin with {@code name} and a dot. */
    public MeasuredMetrics(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** From now on the gauges tell of this measurement, and the counters of it too. */
    public void show(Measured measured) {
        latest.show(measured);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (double percentile : PERCENTILES) {
            TimeGauge.builder(name + ".response", () -> nanos(percentile), TimeUnit.NANOSECONDS)
                    .tag("percentile", PercentileName.of(percentile))
                    .description("response time from the intended time")
                    .register(registry);
        }
        for (Fate fate : ENDS) {
            FunctionCounter.builder(name + ".requests", this, metrics -> metrics.latest.count(fate))
                    .tag("fate", fate.name().toLowerCase(Locale.ROOT))
                    .description("requests that ended")
                    .register(registry);
        }
        Gauge.builder(name + ".in.flight", latest::inFlight)
                .description("requests that had not ended when it was measured")
                .register(registry);
    }

    private double nanos(double percentile) {
        OptionalLong response = latest.responseNanos(percentile);
        return response.isPresent() ? response.getAsLong() : Double.NaN;
    }
}
