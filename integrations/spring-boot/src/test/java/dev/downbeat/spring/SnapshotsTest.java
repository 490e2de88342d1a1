package dev.downbeat.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Measured;
import dev.downbeat.load.ServiceRecorder;
import dev.downbeat.spring.DownbeatAutoConfiguration.Snapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SnapshotsTest {
    private static Snapshots each(Duration interval, LiveRecorder orders, MeasuredListener... listeners) {
        return new Snapshots(orders, List.of(), interval, () -> Stream.of(listeners));
    }

    @Test
    void the_last_interval_of_a_service_is_reported_when_it_closes() {
        List<Measured> seen = new ArrayList<>();
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
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
        try (ServiceRecorder orders = ServiceRecorder.of("orders");
                Snapshots taking = each(Duration.ofMillis(20), orders, measured -> {
                    taken.countDown();
                    throw new NoClassDefFoundError("an optional part");
                })) {
            assertThat(taken.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(taking.newest()).isPresent();
        }
    }

    @Test
    void a_listener_that_throws_takes_nothing_from_the_others() {
        List<Measured> seen = new ArrayList<>();
        MeasuredListener throwing = measured -> {
            throw new NoClassDefFoundError("a pager");
        };
        try (ServiceRecorder orders = ServiceRecorder.of("orders");
                Snapshots taking = each(Duration.ofHours(1), orders, throwing, seen::add)) {
            taking.take();
        }
        assertThat(seen).hasSize(2);
    }

    @Test
    void a_pause_is_not_made_up_for_by_empty_measurements() throws InterruptedException {
        BlockingQueue<Long> at = new LinkedBlockingQueue<>();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        try (ServiceRecorder orders = ServiceRecorder.of("orders");
                Snapshots taking = each(Duration.ofMillis(200), orders, measured -> {
                    if (isFirst.getAndSet(false)) {
                        LockSupport.parkNanos(500_000_000);
                    }
                    at.add(System.nanoTime());
                })) {
            Long pauseEndedAt = at.poll(10, TimeUnit.SECONDS);
            Long nextAt = at.poll(10, TimeUnit.SECONDS);
            assertThat(nextAt - pauseEndedAt).isGreaterThan(100_000_000);
            assertThat(taking.newest()).isPresent();
        }
    }

    @Test
    void a_recorder_that_was_closed_first_is_not_reported() {
        List<Measured> seen = new ArrayList<>();
        ServiceRecorder orders = ServiceRecorder.of("orders");
        try (Snapshots taking = each(Duration.ofHours(1), orders, seen::add)) {
            orders.close();
            taking.take();
            assertThat(taking.newest()).isEmpty();
        }
        assertThat(seen).isEmpty();
    }
}
