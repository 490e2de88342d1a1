package dev.downbeat.opentelemetry;

import dev.downbeat.load.Measured;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleGauge;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongCounter;
import io.opentelemetry.api.metrics.ObservableLongGauge;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Shows what was measured last by OpenTelemetry: percentiles of the response time as gauges in seconds, how requests ended as
 * counters. The percentiles are ours; OpenTelemetry's histograms are not fed, since their buckets would lose the tail.
 *
 * <pre>{@code
 * MeasuredInstruments instruments = new MeasuredInstruments("orders", openTelemetry.getMeter("orders"));
 * scheduler.scheduleAtFixedRate(() -> instruments.show(recorder.take()), 1, 1, TimeUnit.MINUTES);
 * }</pre>
 *
 * <p>{@code NAME.response} has an attribute {@code percentile}: {@code p50}, {@code p90}, {@code p99}, {@code p99.9}, {@code
 * max}; it is not reported while nothing was shown. {@code NAME.requests} has an attribute {@code fate}. {@code
 * NAME.in_flight} is what had not ended. Gauges of several instances must not be averaged; keep the recordings to add them.
 * Thread-safe.
 */
public final class MeasuredInstruments implements AutoCloseable {
    private static final Map<String, Double> PERCENTILES =
            Map.of("p50", 50.0, "p90", 90.0, "p95", 95.0, "p99", 99.0, "p99.9", 99.9, "max", 100.0);
    private static final AttributeKey<String> PERCENTILE = AttributeKey.stringKey("percentile");
    private static final AttributeKey<String> FATE = AttributeKey.stringKey("fate");
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private volatile @Nullable Measured newest;
    private final ObservableDoubleGauge response;
    private final ObservableLongCounter requests;
    private final ObservableLongGauge inFlight;

    /** Instruments of this meter whose names begin with {@code name} and a dot. */
    public MeasuredInstruments(String name, Meter meter) {
        Objects.requireNonNull(name, "name");
        response = response(name, meter);
        requests = requests(name, meter);
        inFlight = inFlight(name, meter);
    }

    private ObservableDoubleGauge response(String name, Meter meter) {
        return meter.gaugeBuilder(name + ".response")
                .setUnit("s")
                .setDescription("response time from the intended time")
                .buildWithCallback(this::recordResponse);
    }

    private ObservableLongCounter requests(String name, Meter meter) {
        return meter.counterBuilder(name + ".requests")
                .setUnit("{request}")
                .setDescription("requests that ended")
                .buildWithCallback(counter -> Map.of("answered", answered, "failed", failed, "timed_out", timedOut)
                        .forEach((fate, count) -> counter.record(count.sum(), Attributes.of(FATE, fate))));
    }

    private ObservableLongGauge inFlight(String name, Meter meter) {
        return meter.gaugeBuilder(name + ".in_flight")
                .ofLongs()
                .setUnit("{request}")
                .setDescription("requests that had not ended when it was measured")
                .buildWithCallback(gauge -> {
                    Measured shown = newest;
                    gauge.record(shown == null ? 0 : shown.inFlight());
                });
    }

    private void recordResponse(ObservableDoubleMeasurement gauge) {
        Measured shown = newest;
        if (shown != null && !shown.response().isEmpty()) {
            PERCENTILES.forEach((name, percentile) ->
                    gauge.record(shown.p(percentile).toNanos() / NANOS_PER_SECOND, Attributes.of(PERCENTILE, name)));
        }
    }

    /** From now on the gauges show this measurement; its requests are added to the counters. */
    public void show(Measured measured) {
        answered.add(measured.answered());
        failed.add(measured.failed());
        timedOut.add(measured.timedOut());
        newest = measured;
    }

    /** Reports nothing any more. */
    @Override
    public void close() {
        response.close();
        requests.close();
        inFlight.close();
    }
}
