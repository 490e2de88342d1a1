package dev.downbeat.opentelemetry;

import dev.downbeat.exchange.Fate;
import dev.downbeat.load.Latest;
import dev.downbeat.load.Measured;
import dev.downbeat.verdict.PercentileName;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleGauge;
import io.opentelemetry.api.metrics.ObservableLongCounter;
import io.opentelemetry.api.metrics.ObservableLongGauge;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

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
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 100.0);
    private static final List<Fate> ENDS = List.of(Fate.ANSWERED, Fate.FAILED, Fate.TIMED_OUT);
    private static final AttributeKey<String> PERCENTILE = AttributeKey.stringKey("percentile");
    private static final AttributeKey<String> FATE = AttributeKey.stringKey("fate");
    private static final double NANOS_PER_SECOND = 1e9;

    private final Latest latest = new Latest();
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
                .buildWithCallback(gauge -> PERCENTILES.forEach(percentile -> latest.responseNanos(percentile)
                        .ifPresent(nanos -> gauge.record(
                                nanos / NANOS_PER_SECOND, Attributes.of(PERCENTILE, PercentileName.of(percentile))))));
    }

    private ObservableLongCounter requests(String name, Meter meter) {
        return meter.counterBuilder(name + ".requests")
                .setUnit("{request}")
                .setDescription("requests that ended")
                .buildWithCallback(counter -> ENDS.forEach(fate -> counter.record(
                        latest.count(fate), Attributes.of(FATE, fate.name().toLowerCase(Locale.ROOT)))));
    }

    private ObservableLongGauge inFlight(String name, Meter meter) {
        return meter.gaugeBuilder(name + ".in_flight")
                .ofLongs()
                .setUnit("{request}")
                .setDescription("requests that had not ended when it was measured")
                .buildWithCallback(gauge -> gauge.record(latest.inFlight()));
    }

    /** From now on the gauges tell of this measurement, and the counters of it too. */
    public void show(Measured measured) {
        latest.show(measured);
    }

    /** Reports nothing any more. */
    @Override
    public void close() {
        response.close();
        requests.close();
        inFlight.close();
    }
}
