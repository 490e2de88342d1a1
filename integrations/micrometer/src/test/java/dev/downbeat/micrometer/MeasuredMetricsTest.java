package dev.downbeat.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.GeneratorRecorder;
import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.ServiceRecorder;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeasuredMetricsTest {
    private static final long MILLI = 1_000_000;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double response(String percentile) {
        return registry.get("orders.response")
                .tag("quantile", percentile)
                .timeGauge()
                .value(TimeUnit.MILLISECONDS);
    }

    private double requests(String fate) {
        return registry.get("orders.requests")
                .tag("fate", fate)
                .functionCounter()
                .count();
    }

    @Test
    void the_meters_tell_what_was_measured_last_and_how_many_requests_ended_in_all() {
        MeasuredMetrics metrics = new MeasuredMetrics("orders");
        metrics.bindTo(registry);
        assertThat(response("0.99")).isNaN();
        try (GeneratorRecorder orders = GeneratorRecorder.of("orders")) {
            for (int millis = 1; millis <= 100; millis++) {
                orders.answered(0, 0, millis * MILLI);
            }
            metrics.publish(orders.take());
            assertThat(response("0.5")).isCloseTo(50, Percentage.withPercentage(0.2));
            assertThat(response("0.95")).isCloseTo(95, Percentage.withPercentage(0.2));
            assertThat(response("0.99")).as("of 100 requests").isNaN();
            assertThat(response("1")).isCloseTo(100, Percentage.withPercentage(0.2));
            orders.answered(0, 0, 7 * MILLI);
            orders.failed(System.nanoTime(), "refused");
            metrics.publish(orders.take());
        }
        assertThat(response("1")).isCloseTo(7, Percentage.withPercentage(0.2));
        assertThat(requests("answered")).isEqualTo(101);
        assertThat(requests("failed")).isOne();
        assertThat(registry.get("orders.in.flight").gauge().value()).isZero();
    }

    @Test
    void a_request_that_lasts_from_one_measurement_into_the_next_is_in_the_histogram_once() {
        MeasuredMetrics metrics = new MeasuredMetrics("orders");
        metrics.bindTo(registry);
        Timer times = registry.get("orders.response.time").timer();
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            long cameAt = orders.arrived();
            metrics.publish(orders.take());
            assertThat(registry.get("orders.in.flight").gauge().value()).isOne();
            assertThat(times.count()).isZero();
            orders.answered(cameAt);
            metrics.publish(orders.take());
        }
        assertThat(times.count()).isOne();
        assertThat(requests("answered")).isOne();
    }

    @Test
    void the_first_registry_gets_in_all_meters_what_was_published_before_and_a_later_one_no_burst_of_it() {
        SimpleMeterRegistry later = new SimpleMeterRegistry();
        MeasuredMetrics metrics = new MeasuredMetrics("orders");
        try (GeneratorRecorder orders = GeneratorRecorder.of("orders")) {
            orders.answered(0, 0, 7 * MILLI);
            orders.answered(0, 0, 9 * MILLI);
            metrics.publish(orders.take());
            metrics.bindTo(registry);
            metrics.bindTo(later);
            orders.answered(0, 0, 7 * MILLI);
            metrics.publish(orders.take());
        }
        assertThat(requests("answered")).isEqualTo(3);
        assertThat(registry.get("orders.response.time").timer().count()).isEqualTo(3);
        assertThat(later.get("orders.response.time").timer().count()).isOne();
    }

    @Test
    void two_routes_have_meters_of_one_name() {
        for (String route : List.of("/orders", "/refunds")) {
            new MeasuredMetrics("shop", Tags.of("uri", route)).bindTo(registry);
        }
        for (String meter : List.of("response.time", "response", "requests", "in.flight")) {
            assertThat(registry.get("shop." + meter).tag("uri", "/orders").meters())
                    .hasSameSizeAs(
                            registry.get("shop." + meter).tag("uri", "/refunds").meters());
        }
    }

    @Test
    void histograms_of_two_instances_can_be_added_and_binding_twice_is_binding_once() {
        long[] within = new long[2];
        for (int instance = 0; instance < 2; instance++) {
            SimpleMeterRegistry own = new SimpleMeterRegistry();
            MeasuredMetrics metrics = new MeasuredMetrics("orders");
            metrics.bindTo(own);
            metrics.bindTo(own);
            try (GeneratorRecorder orders = GeneratorRecorder.of("orders")) {
                for (int millis = 1; millis <= 100; millis++) {
                    orders.answered(0, 0, (instance + 1) * (millis * MILLI - MILLI / 2));
                }
                metrics.publish(orders.take());
            }
            Timer times = own.get("orders.response.time").timer();
            assertThat(times.count()).isEqualTo(100);
            within[instance] = (long) Arrays.stream(times.takeSnapshot().histogramCounts())
                    .filter(bucket -> bucket.bucket(TimeUnit.MILLISECONDS) == 50)
                    .mapToDouble(CountAtBucket::count)
                    .sum();
        }
        assertThat(within).containsExactly(50, 25);
    }

    /** The code of docs/java.md, so that it compiles. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is never cancelled
    void documented(LiveRecorder orders, ScheduledExecutorService scheduler) {
        MeasuredMetrics metrics = new MeasuredMetrics("orders");
        metrics.bindTo(registry);
        scheduler.scheduleWithFixedDelay(() -> metrics.publish(orders.take()), 1, 1, TimeUnit.MINUTES);
    }
}
