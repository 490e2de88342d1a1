package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.verdict.Verdict;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that somebody else sends. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class LiveRecorderTest {
    private static final long MILLI = 1_000_000;

    @Test
    void requests_of_many_threads_are_each_counted_once_also_while_somebody_takes_them() throws InterruptedException {
        int each = 50_000;
        try (LiveRecorder orders = LiveRecorder.ofGenerator("orders")) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> {
                    for (int request = 0; request < each; request++) {
                        orders.answered(0, MILLI, request % 2 == 0 ? 3 * MILLI : 5 * MILLI);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            Measured early = orders.take();
            for (Thread thread : threads) {
                thread.join();
            }
            Measured late = orders.take();
            Distribution response = early.response().plus(late.response());
            Distribution service = early.service().plus(late.service());
            assertThat(early.ledger().answered() + late.ledger().answered()).isEqualTo(4L * each);
            assertThat(response.count()).isEqualTo(4L * each);
            assertThat(service.count()).isEqualTo(4L * each);
            assertThat(response.maxNanos()).isBetween(5 * MILLI, 5 * MILLI + 10_000);
            assertThat(service.maxNanos()).isBetween(4 * MILLI, 4 * MILLI + 10_000);
        }
    }

    @Test
    void what_has_arrived_and_not_ended_is_in_flight_in_each_report_until_it_ends() {
        try (LiveRecorder orders = LiveRecorder.ofService("orders")) {
            long first = orders.arrived();
            long second = orders.arrived();
            orders.answered(first);
            Measured one = orders.take();
            assertThat(one.ledger().answered()).isOne();
            assertThat(one.ledger().inFlight()).isOne();
            assertThat(one.ledger().addsUp()).isTrue();
            orders.failed(second, "lost");
            Measured two = orders.take("p50<10s", "errors<1%");
            assertThat(two.ledger().inFlight()).isZero();
            assertThat(two.ledger().failed()).isOne();
            assertThat(two.report().result().recording().failures()).containsEntry("lost", 1L);
            assertThat(two.verdict().service()).isEqualTo(Verdict.Service.MISSED);
            assertThat(two.text()).contains("orders");
        }
    }

    @Test
    void a_standstill_of_this_process_is_what_callers_waited() {
        try (LiveRecorder orders = LiveRecorder.ofService("orders")) {
            long noticedAt = System.nanoTime();
            orders.answered(orders.arrived(noticedAt), noticedAt, noticedAt + MILLI);
            assertThat(orders.take().verdict().caveats()).noneMatch(caveat -> caveat.isDoubt());
        }
    }

    @Test
    void recording_a_request_allocates_nothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int requests = 50_000;
        try (LiveRecorder orders = LiveRecorder.ofService("orders")) {
            record(orders, requests);
            long before = threads.getCurrentThreadAllocatedBytes();
            record(orders, requests);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isBetween(0L, (long) requests);
        }
    }

    private static void record(LiveRecorder orders, int requests) {
        for (int i = 0; i < requests; i++) {
            long noticedAt = System.nanoTime();
            long cameAt = orders.arrived(noticedAt);
            orders.answered(cameAt, noticedAt, noticedAt + i);
            if (i % 8 == 0) {
                orders.failed(cameAt, "refused");
            }
        }
    }
}
