package dev.downbeat.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.downbeat.load.GeneratorRecorder;
import dev.downbeat.load.LiveRecorder;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeasuredInstrumentsTest {
    private static final long MILLI = 1_000_000;
    private static final Percentage TWO_PER_MILLE = Percentage.withPercentage(0.2);

    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final SdkMeterProvider provider =
            SdkMeterProvider.builder().registerMetricReader(reader).build();

    @AfterEach
    void close() {
        provider.close();
    }

    private MetricData read(String name) {
        return reader.collectAllMetrics().stream()
                .filter(metric -> metric.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Double> seconds(MetricData response) {
        assertThat(response.getUnit()).isEqualTo("s");
        return response.getDoubleGaugeData().getPoints().stream()
                .collect(Collectors.toMap(
                        point -> point.getAttributes().get(AttributeKey.stringKey("quantile")),
                        DoublePointData::getValue));
    }

    private static Map<String, Long> fates(MetricData requests) {
        return requests.getLongSumData().getPoints().stream()
                .collect(Collectors.toMap(
                        point -> point.getAttributes().get(AttributeKey.stringKey("fate")), LongPointData::getValue));
    }

    @Test
    void the_instruments_tell_what_was_measured_last_and_how_many_requests_ended_in_all() {
        try (MeasuredInstruments instruments = new MeasuredInstruments("orders", provider.get("test"));
                GeneratorRecorder orders = GeneratorRecorder.of("orders")) {
            assertThat(reader.collectAllMetrics())
                    .extracting(MetricData::getName)
                    .doesNotContain("orders.response");
            for (int millis = 1; millis <= 100; millis++) {
                orders.answered(0, 0, millis * MILLI);
            }
            instruments.publish(orders.take());
            Map<String, Double> response = seconds(read("orders.response"));
            assertThat(response).as("of 100 requests").containsOnlyKeys("0.5", "0.9", "0.95", "1");
            assertThat(response.get("0.5")).isCloseTo(0.050, TWO_PER_MILLE);
            assertThat(response.get("0.95")).isCloseTo(0.095, TWO_PER_MILLE);
            assertThat(read("orders.response.time").getHistogramData().getPoints())
                    .singleElement()
                    .satisfies(point -> {
                        assertThat(point.getCount()).isEqualTo(100);
                        assertThat(point.getBoundaries()).contains(0.05, 0.1).hasSize(15);
                        assertThat(point.getCounts().get(6)).isBetween(49L, 51L); // above 50 ms, to 100 ms
                    });
            orders.answered(0, 0, 7 * MILLI);
            orders.failed(System.nanoTime(), "refused");
            instruments.publish(orders.take());
            assertThat(seconds(read("orders.response")).get("1")).isCloseTo(0.007, TWO_PER_MILLE);
            assertThat(fates(read("orders.requests")))
                    .isEqualTo(Map.of("answered", 101L, "failed", 1L, "timed_out", 0L));
            assertThat(read("orders.in.flight").getLongGaugeData().getPoints())
                    .extracting(LongPointData::getValue)
                    .containsExactly(0L);
        }
        assertThat(reader.collectAllMetrics()).extracting(MetricData::getName).containsOnly("orders.response.time");
    }

    @Test
    void two_routes_have_instruments_of_one_name_and_nothing_is_recorded_after_the_end() {
        AttributeKey<String> route = AttributeKey.stringKey("route");
        MeasuredInstruments instruments =
                new MeasuredInstruments("shop", provider.get("test"), Attributes.of(route, "/orders"));
        try (GeneratorRecorder orders = GeneratorRecorder.of("orders")) {
            orders.answered(0, 0, 7 * MILLI);
            instruments.publish(orders.take());
            assertThat(reader.collectAllMetrics())
                    .allSatisfy(metric -> assertThat(metric.getData().getPoints())
                            .allSatisfy(point ->
                                    assertThat(point.getAttributes().get(route)).isEqualTo("/orders")));
            instruments.close();
            orders.answered(0, 0, 7 * MILLI);
            instruments.publish(orders.take());
        }
        assertThat(read("shop.response.time").getHistogramData().getPoints())
                .singleElement()
                .satisfies(point -> assertThat(point.getCount()).isEqualTo(1));
    }

    @Test
    void instruments_need_a_name() {
        assertThatNullPointerException()
                .isThrownBy(() -> new MeasuredInstruments(null, provider.get("test")))
                .withMessage("name");
    }

    /** The code of docs/java.md, so that it compiles. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is never cancelled
    void documented(OpenTelemetry openTelemetry, LiveRecorder orders, ScheduledExecutorService scheduler) {
        MeasuredInstruments instruments = new MeasuredInstruments("orders", openTelemetry.getMeter("orders"));
        scheduler.scheduleWithFixedDelay(() -> instruments.publish(orders.take()), 1, 1, TimeUnit.MINUTES);
    }
}
