package dev.downbeat.opentelemetry;

import dev.downbeat.load.Measured;
import dev.downbeat.stats.Percentiles;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleGauge;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongCounter;
import io.opentelemetry.api.metrics.ObservableLongGauge;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the latest measurement through OpenTelemetry: percentiles of the response time as gauges in seconds, fates
 * as counters, and all response times as a histogram, the only one that can be aggregated over instances.
 *
 * <pre>{@code
 * MeasuredInstruments instruments = new MeasuredInstruments("orders", openTelemetry.getMeter("orders"));
 * scheduler.scheduleWithFixedDelay(() -> instruments.publish(recorder.take()), 1, 1, TimeUnit.MINUTES);
 * }</pre>
 *
 * <p>With a fixed delay: at a fixed rate, empty measurements would follow a pause and replace the one that holds it.
 *
 * <p>{@code NAME.response} has an attribute {@code quantile}: {@code 0.5}, {@code 0.9}, {@code 0.95}, {@code 0.99},
 * {@code 0.999} and {@code 1}, the maximum; it is not reported before the first measurement. These values are exact to
 * three digits, and must not be averaged over instances. {@code NAME.response.time} is a histogram: with explicit
 * buckets from 1 ms to 60 s, or exponential if configured by a view of the SDK. {@code NAME.requests} has an attribute
 * {@code fate}. {@code NAME.in.flight} is the number of unfinished requests. Thread-safe.
 */
public final class MeasuredInstruments implements AutoCloseable {
    private static final List<Double> BUCKETS =
            List.of(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0);
    private static final AttributeKey<String> QUANTILE = AttributeKey.stringKey("quantile");
    private static final AttributeKey<String> FATE = AttributeKey.stringKey("fate");
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private volatile @Nullable Measured newest;
    private final ObservableDoubleGauge response;
    private final DoubleHistogram times;
    private final ObservableLongCounter requests;
    private final ObservableLongGauge inFlight;

    private final Attributes attributes;
    private volatile boolean isClosed;

    /** Creates instruments of this meter with names that begin with {@code name} and a dot. */
    public MeasuredInstruments(String name, Meter meter) {
        this(name, meter, Attributes.empty());
    }

    /**
     * Creates instruments of this meter with names that begin with {@code name} and a dot.
     *
     * @param attributes of every value, such as the route
     */
    public MeasuredInstruments(String name, Meter meter, Attributes attributes) {
        Objects.requireNonNull(name, "name");
        this.attributes = Objects.requireNonNull(attributes, "attributes");
        response = response(name, meter);
        times = meter.histogramBuilder(name + ".response.time")
                .setUnit("s")
                .setDescription("response time from the intended time, to be added over instances")
                .setExplicitBucketBoundariesAdvice(BUCKETS)
                .build();
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
                        .forEach((fate, count) -> counter.record(count.sum(), with(FATE, fate))));
    }

    private ObservableLongGauge inFlight(String name, Meter meter) {
        return meter.gaugeBuilder(name + ".in.flight")
                .ofLongs()
                .setUnit("{request}")
                .setDescription("requests that had not ended when it was measured")
                .buildWithCallback(gauge -> {
                    Measured shown = newest;
                    gauge.record(shown == null ? 0 : shown.inFlight(), attributes);
                });
    }

    private void recordResponse(ObservableDoubleMeasurement gauge) {
        Measured shown = newest;
        if (shown != null) { // and omit those with too few requests
            Percentiles.of(Percentiles.Place.METER)
                    .forEach(percentile -> shown.p(percentile)
                            .ifPresent(time -> gauge.record(
                                    time.toNanos() / NANOS_PER_SECOND,
                                    with(QUANTILE, Percentiles.quantile(percentile)))));
        }
    }

    private Attributes with(AttributeKey<String> key, String value) {
        return attributes.toBuilder().put(key, value).build();
    }

    /** Sets the gauges to this measurement and adds its requests to the counters; nothing after {@link #close}. */
    public void publish(Measured measured) {
        if (isClosed) {
            return;
        }
        answered.add(measured.answered());
        failed.add(measured.failed());
        timedOut.add(measured.timedOut());
        newest = measured;
        measured.ended().forEach((time, count) -> {
            for (long left = count; left > 0; left--) {
                times.record(time.toNanos() / NANOS_PER_SECOND, attributes);
            }
        });
    }

    /** Stops reporting. */
    @Override
    public void close() {
        isClosed = true;
        response.close();
        requests.close();
        inFlight.close();
    }
}
