package dev.downbeat.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Measured;
import dev.downbeat.spring.DownbeatAutoConfiguration.Snapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SnapshotsTest {
    private static Snapshots each(Duration interval, LiveRecorder orders, Consumer<Measured> listener) {
        return new Snapshots(orders, List.of(), interval, listener);
    }

    @Test
    void the_last_interval_of_a_service_is_reported_when_it_closes() {
        List<Measured> seen = new ArrayList<>();
        try (LiveRecorder orders = LiveRecorder.ofService("orders")) {
            try (Snapshots taking = each(Duration.ofHours(1), orders, seen::add)) {
                assertThat(taking.newest()).isEmpty();
                orders.request().answered();
            }
        }
        assertThat(seen)
                .singleElement()
                .satisfies(last -> assertThat(last.answered()).isEqualTo(1));
    }

    @Test
    void an_error_does_not_end_the_schedule() throws InterruptedException {
        CountDownLatch taken = new CountDownLatch(3);
        try (LiveRecorder orders = LiveRecorder.ofService("orders");
                Snapshots taking = each(Duration.ofMillis(20), orders, measured -> {
                    taken.countDown();
                    throw new NoClassDefFoundError("an optional part");
                })) {
            assertThat(taken.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(taking.newest()).isPresent();
        }
    }
}
