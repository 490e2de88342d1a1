package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.load.live.LiveResponses;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.time.ManualClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that somebody else sends. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class LiveRecorderTest {
    private static final long MS = 1_000_000;

    private static final long MILLI = 1_000_000;

    @Test
    void requests_of_many_threads_are_each_counted_once_also_while_somebody_takes_them() throws InterruptedException {
        int each = 50_000;
        try (GeneratorRecorder orders = GeneratorRecorder.of("orders")) {
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
            Times response = early.response().plus(late.response());
            Times service = early.service().plus(late.service());
            assertThat(early.answered() + late.answered()).isEqualTo(4L * each);
            assertThat(response.count()).isEqualTo(4L * each);
            assertThat(service.count()).isEqualTo(4L * each);
            assertThat(response.max().toNanos()).isBetween(5 * MILLI, 5 * MILLI + 10_000);
            assertThat(service.max().toNanos()).isBetween(4 * MILLI, 4 * MILLI + 10_000);
        }
    }

    /** A thread's first thousand requests may make it a place of its own. */
    @Test
    void a_million_requests_are_each_counted_once_and_leave_nothing_on_the_heap() throws InterruptedException {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int each = 250_000;
        LongAdder bytes = new LongAdder();
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread caller = new Thread(() -> {
                    recordEach(orders, 1_000);
                    long before = threads.getCurrentThreadAllocatedBytes();
                    recordEach(orders, each - 1_000);
                    bytes.add(threads.getCurrentThreadAllocatedBytes() - before);
                });
                caller.start();
                callers.add(caller);
            }
            long answered = 0;
            long failed = 0;
            for (Thread caller : callers) {
                Measured meanwhile = orders.take();
                answered += meanwhile.answered();
                failed += meanwhile.failed();
                caller.join();
            }
            Measured last = orders.take();
            assertThat(answered + last.answered()).isEqualTo(4L * each * 7 / 8);
            assertThat(failed + last.failed()).isEqualTo(4L * each / 8);
            assertThat(last.inFlight()).isZero();
            assertThat(bytes.sum()).isLessThan(each);
        }
    }

    private static void recordEach(ServiceRecorder orders, int requests) {
        for (int i = 0; i < requests; i++) {
            long cameAt = orders.arrived();
            if (i % 8 == 0) {
                orders.failed(cameAt, "refused");
            } else {
                orders.answered(cameAt);
            }
        }
    }

    @Test
    void unfinished_requests_are_in_flight_in_every_report() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            long first = orders.arrived();
            long second = orders.arrived();
            orders.answered(first);
            Measured one = orders.take();
            assertThat(one.answered()).isOne();
            assertThat(one.inFlight()).isOne();
            assertThat(one.response().count()).isEqualTo(2);
            assertThat(one.ended().count()).as("of a service").isOne();
            assertThat(ReportAccess.of(one).result().ledger().addsUp()).isTrue();
            orders.failed(second, "lost");
            Measured two = orders.take("p50<10s", "errors<1%");
            assertThat(two.inFlight()).isZero();
            assertThat(two.failed()).isOne();
            assertThat(two.failures()).containsEntry("lost", 1L);
            assertThat(two.verdict()).isEqualTo(Verdict.MISSED);
            assertThat(two.text()).contains("orders");
        }
    }

    @Test
    void requests_in_flight_count_with_their_age() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            orders.arrived(System.nanoTime() - 400 * MS);
            orders.arrived();
            Measured one = orders.take();
            assertThat(ReportAccess.of(one).result().ledger().inFlight()).isEqualTo(2);
            assertThat(ReportAccess.of(one).result().recording().censored().maxNanos())
                    .isBetween(200 * MS, 30_000 * MS);
        }
    }

    @Test
    void an_idle_service_is_no_reason_for_doubt() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            assertThat(ReportAccess.of(orders.take()).verdict().caveats()).noneMatch(caveat -> caveat.isDoubt());
        }
    }

    /** 100/s of 2 ms, then nothing for two seconds though one is out; and a time in which nobody came. */
    @Test
    void a_stall_is_a_time_without_answers_in_which_somebody_waited() {
        LiveResponses answers = new LiveResponses(0);
        for (long at = 0; at < 5_000 * MS; at += 10 * MS) {
            answers.answered(at, at + 2 * MS);
        }
        for (long at = 5_000 * MS; at < 7_000 * MS; at += 10 * MS) {
            answers.answered(at, 7_000 * MS + at / 1_000);
        }
        for (long at = 9_000 * MS; at < 12_000 * MS; at += 10 * MS) {
            answers.answered(at, at + 2 * MS);
        }
        List<Silence> silences =
                answers.take(0, 12_000 * MS, 12_000 * MS, 1_000, List.of()).silences();
        assertThat(silences).hasSize(1);
        assertThat(silences.get(0).fromNanos()).isBetween(4_990 * MS, 5_010 * MS);
        assertThat(silences.get(0).toNanos()).isBetween(6_999 * MS, 7_010 * MS);
    }

    @Test
    void a_request_ends_once_and_one_that_is_left_without_an_end_has_failed() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            try (Request request = orders.request()) {
                request.answered();
                request.failed("too late");
            }
            assertThatThrownBy(() -> {
                        try (Request request = orders.request()) {
                            handle("a broken order");
                            request.answered();
                        }
                    })
                    .hasMessage("left by an exception: a broken order");
            try (Request request = orders.request()) {
                request.failed(new CompletionException(new TimeoutException()));
            }
            Request open = orders.request();
            Measured measured = orders.take();
            open.answered();
            assertThat(measured.answered()).isOne();
            assertThat(measured.failures()).isEqualTo(Map.of("not answered", 1L, "TimeoutException", 1L));
            assertThat(measured.inFlight()).isOne();
        }
    }

    @Test
    void a_failure_without_a_reason_is_refused_and_its_request_ends_when_it_is_closed() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            try (Request request = orders.request().named("/orders")) {
                assertThatThrownBy(() -> request.failed((String) null))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessage("reason");
            }
            long cameAt = orders.arrived();
            assertThatThrownBy(() -> orders.failed(cameAt, null)).hasMessage("reason");
            orders.failed(cameAt, "lost");
            Measured measured = orders.take();
            assertThat(measured.failures()).isEqualTo(Map.of("not answered", 1L, "lost", 1L));
            assertThat(measured.inFlight()).isZero();
        }
    }

    @Test
    void one_request_is_named_as_one() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            orders.failed(orders.arrived(), "refused");
            assertThat(orders.take().sentence()).contains("over 1 request; ", "none of 1 request succeeded");
        }
    }

    @Test
    void a_sentence_names_the_reason_of_failures_once() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (String[] objectives :
                    new String[][] {{"errors<1%"}, {"p99<10s"}, {"errors<1%", "rate>=99%"}, {"rate>=99%"}}) {
                orders.failed(orders.arrived(), "refused");
                assertThat(orders.take(objectives).sentence()).containsOnlyOnce("refused");
            }
        }
    }

    private static void handle(String order) throws IOException {
        throw new IOException("left by an exception: " + order);
    }

    @Test
    void work_that_is_measured_returns_its_result_or_throws_what_it_throws() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            assertThat(orders.call(() -> 7)).isEqualTo(7);
            assertThatThrownBy(() -> orders.callChecked(() -> {
                        throw new IOException("no");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no");
            Measured measured = orders.take();
            assertThat(measured.answered()).isOne();
            assertThat(measured.failures()).isEqualTo(Map.of("IOException", 1L));
        }
    }

    @Test
    void work_that_returns_nothing_is_measured_and_a_stage_until_it_is_complete() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            AtomicInteger done = new AtomicInteger();
            orders.call(() -> done.addAndGet(1));
            orders.measure(() -> {
                done.addAndGet(1);
            });
            assertThatThrownBy(() -> orders.measure(() -> {
                        throw new IllegalStateException("no");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            CompletableFuture<String> later = orders.call(() -> new CompletableFuture<String>());
            CompletableFuture<String> lost = orders.call(() -> new CompletableFuture<String>());
            assertThat(done).hasValue(2);
            assertThat(orders.take().inFlight()).isEqualTo(2);
            later.complete("placed");
            lost.completeExceptionally(new IOException("lost"));
            Measured measured = orders.take();
            assertThat(measured.answered()).isEqualTo(1);
            assertThat(measured.failures()).containsExactly(Map.entry("IOException", 1L));
        }
    }

    @Test
    void work_is_counted_in_the_row_that_it_names() throws IOException {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            orders.measure("/orders", () -> {});
            orders.wrap("/orders", () -> {}).run();
            assertThat(orders.call("/carts", () -> 7)).isEqualTo(7);
            assertThatThrownBy(() -> orders.callChecked("/carts", () -> {
                        throw new IOException("no");
                    }))
                    .hasMessage("no");
            assertThatThrownBy(() -> orders.measure(null, () -> {})).isInstanceOf(NullPointerException.class);
            Measured measured = orders.take(Objective.max().below(Duration.ofSeconds(10)));
            assertThat(measured.planned()).isEqualTo(4);
            assertThat(measured.response("/orders").count()).isEqualTo(2);
            assertThat(measured.response("/carts").count()).isOne();
            assertThat(measured.sentence()).contains("max < 10 s", "errors < 1 %");
        }
    }

    @Test
    void a_reading_of_another_clock_is_refused() {
        long now = System.nanoTime();
        long milliseconds =
                now - Duration.ofHours(2).toNanos(); // not currentTimeMillis(): a machine may have been up for as long
        try (ServiceRecorder service = ServiceRecorder.of("service");
                GeneratorRecorder own = GeneratorRecorder.of("own")) {
            for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                    () -> service.requestSince(milliseconds),
                    () -> service.arrived(milliseconds),
                    () -> own.request(milliseconds),
                    () -> own.request(Long.MIN_VALUE + System.nanoTime()),
                    () -> own.failed(milliseconds, "refused"))) {
                assertThatThrownBy(wrong)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(
                                "must be a reading of System.nanoTime() in this JVM, within an hour of now, but was ");
            }
            for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                    () -> own.answered(milliseconds, now, now),
                    () -> own.answered(now, milliseconds, now),
                    () -> own.answered(now, now, milliseconds),
                    () -> own.unfinished(milliseconds, now))) {
                assertThatThrownBy(wrong)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(" must be within an hour of each other, but were ");
            }
            assertThat(service.take().planned()).isZero();
            assertThat(own.take().planned()).isZero();
        }
    }

    @ParameterizedTest(name = "up for {0} minutes, {1}")
    @CsvSource({"1, 1", "29, 1", "31, 1", "45, 1", "80, 1", "29970, 1000", "30010, 1000"})
    void the_time_since_1970_is_refused_also_where_it_is_near_the_machines_uptime(long minutes, long unitsPerMilli) {
        long wall = System.currentTimeMillis() * unitsPerMilli;
        long upForNanos = Duration.ofMinutes(minutes).toNanos();
        long now = unitsPerMilli == 1
                ? upForNanos
                : wall + upForNanos - Duration.ofMinutes(29_990).toNanos();
        ManualClock clock = new ManualClock(now);
        try (ServiceRecorder service = new ServiceRecorder("service", clock, unused -> HealthMonitor.start());
                GeneratorRecorder own = new GeneratorRecorder("own", clock, unused -> HealthMonitor.start())) {
            for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                    () -> service.requestSince(wall),
                    () -> service.arrived(wall),
                    () -> service.answered(wall),
                    () -> service.failed(wall, "refused"),
                    () -> service.answered(now, now, wall),
                    () -> service.answered(now, wall, now),
                    () -> own.request(wall),
                    () -> own.failed(wall, "refused"),
                    () -> own.answered(wall, now, now),
                    () -> own.answered(now, wall, now),
                    () -> own.answered(now, now, wall),
                    () -> own.unfinished(wall, now))) {
                assertThatThrownBy(wrong).isInstanceOf(IllegalArgumentException.class);
            }
            clock.advanceNanos(MS);
            assertThat(service.take().planned()).isZero();
            assertThat(own.take().planned()).isZero();
        }
    }

    /** A JVM that runs at this moment reads the very numbers that are milliseconds since 1970. */
    @Test
    void a_reading_of_this_jvm_is_accepted_whatever_it_looks_like() {
        long wall = System.currentTimeMillis();
        ManualClock clock = new ManualClock(wall + 1_000);
        try (ServiceRecorder service = new ServiceRecorder("service", clock, unused -> HealthMonitor.start());
                GeneratorRecorder own = new GeneratorRecorder("own", clock, unused -> HealthMonitor.start())) {
            service.requestSince(wall).answered();
            service.answered(service.arrived(wall), wall, wall + 1_000);
            own.request(wall).answered();
            own.answered(wall, wall, wall);
            clock.advanceNanos(MS);
            assertThat(service.take().answered()).isEqualTo(2);
            assertThat(own.take().answered()).isEqualTo(2);
        }
    }

    @Test
    void a_request_cannot_end_before_it_came() {
        try (ServiceRecorder service = ServiceRecorder.of("service");
                GeneratorRecorder own = GeneratorRecorder.of("own")) {
            long now = service.arrived();
            long uninitialised = now - Duration.ofDays(30).toNanos();
            for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                    () -> service.answered(now, now, now - 5 * MILLI),
                    () -> service.answered(now - 9 * MILLI, now, now - 5 * MILLI),
                    () -> service.answered(now, now, now + Duration.ofHours(2).toNanos()),
                    () -> service.answered(now, uninitialised, now),
                    () -> service.answered(uninitialised),
                    () -> service.answered(now + Duration.ofMinutes(5).toNanos()),
                    () -> service.failed(uninitialised, "refused"),
                    () -> own.answered(now, now + 10 * MILLI, now + 5 * MILLI),
                    () -> own.answered(now + 5 * MILLI, now - 10 * MILLI, now))) {
                assertThatThrownBy(wrong)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageMatching("(arrived|started|completed)AtNanos must .*");
            }
            Measured measured = service.take();
            assertThat(measured.planned()).isOne();
            assertThat(measured.inFlight()).as("the request goes on").isOne();
            service.answered(now);
            assertThat(service.take().answered()).isOne();
            assertThat(own.take().planned()).isZero();
        }
    }

    /** Fifty messages a second, of which those of one second waited until its end. */
    @Test
    void a_message_counts_from_when_it_was_written() {
        try (ConsumerRecorder orders = ConsumerRecorder.of("orders")) {
            for (int i = 0; i < 1_000; i++) {
                try (Request message = orders.message(Instant.now().minusMillis(i < 20 ? 1_000 : 0))) {
                    message.answered();
                }
            }
            orders.message(Instant.now().plusSeconds(60)).answered();
            Measured measured = orders.take();
            assertThat(measured.answered()).isEqualTo(1_001);
            assertThat(measured.p(99).orElseThrow().toMillis()).isBetween(998L, 1_500L);
            assertThat(measured.p(50).orElseThrow().toMillis()).isLessThan(100);
            assertThat(measured.inFlight()).isZero();
        }
    }

    @Test
    void a_request_counts_from_when_it_was_meant_to_start_or_was_noticed() {
        try (GeneratorRecorder own = GeneratorRecorder.of("own")) {
            Request late = own.request(System.nanoTime() - 50 * MILLI);
            late.answered();
            Measured measured = own.take();
            assertThat(measured.max()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
            assertThat(measured.max().minus(measured.service().max())).isGreaterThan(Duration.ofMillis(49));
        }
        try (ServiceRecorder service = ServiceRecorder.of("service")) {
            service.requestSince(System.nanoTime() - 50 * MILLI).answered(); // as a connector stamped it
            assertThat(service.take().max()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        }
    }

    @Test
    void reasons_that_all_differ_fill_no_memory_and_lose_no_request() {
        try (GeneratorRecorder own = GeneratorRecorder.of("own")) {
            for (int order = 0; order < 10_000; order++) {
                own.failed(System.nanoTime(), "order " + order + " was refused" + "!".repeat(order % 300));
            }
            Measured measured = own.take();
            assertThat(measured.failed()).isEqualTo(10_000);
            assertThat(measured.failures()).hasSize(201).containsEntry("other reasons", 9_800L);
            assertThat(measured.failures().keySet()).allMatch(reason -> reason.length() <= 203);
            for (int i = 0; i < 50; i++) {
                own.failed(System.nanoTime(), "IOException");
                own.request(System.nanoTime()).named("/orders").failed("status 503");
            }
            assertThat(own.take().failures())
                    .as("a later take has its own reasons")
                    .isEqualTo(Map.of("IOException", 50L, "status 503", 50L));
        }
    }

    @Test
    void a_recorder_that_was_closed_has_nothing_to_take() {
        ServiceRecorder orders = ServiceRecorder.of("orders");
        orders.close();
        orders.close();
        assertThatThrownBy(orders::take)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("orders was closed");
    }

    @Test
    void recording_a_request_allocates_nothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int requests = 50_000;
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            record(orders, requests);
            long before = threads.getCurrentThreadAllocatedBytes();
            record(orders, requests);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isBetween(0L, (long) requests);
        }
    }

    private static void record(ServiceRecorder orders, int requests) {
        for (int i = 0; i < requests; i++) {
            long noticedAt = System.nanoTime();
            long cameAt = orders.arrived(noticedAt);
            orders.answered(cameAt, noticedAt, noticedAt + i);
            if (i % 8 == 0) {
                orders.failed(cameAt, "refused");
            }
        }
    }

    @Test
    void wrapped_work_counts_its_wait_in_the_executors_queue() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            Deque<Runnable> queue = new ArrayDeque<>();
            queue.add(orders.wrap(() -> {}));
            queue.add(orders.wrap(() -> {
                throw new IllegalStateException("lost");
            }));
            queue.add(orders.wrap(() -> {}));
            LockSupport.parkNanos(30_000_000);
            queue.removeFirst().run();
            assertThatThrownBy(queue.removeFirst()::run).hasMessage("lost");
            Measured measured = orders.take();
            assertThat(measured.answered()).isEqualTo(1);
            assertThat(measured.failures()).containsOnlyKeys("IllegalStateException");
            assertThat(measured.inFlight()).as("what nobody runs").isEqualTo(1);
            assertThat(measured.max()).isGreaterThanOrEqualTo(Duration.ofMillis(30));
            assertThat(measured.service().max()).isLessThan(measured.max());
        }
    }

    @Test
    void a_busy_service_whose_requests_have_names_is_read_back_as_it_was_saved(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("orders.downbeat");
        AtomicBoolean over = new AtomicBoolean();
        LongAdder sent = new LongAdder();
        List<Thread> callers = new ArrayList<>();
        long counted = 0;
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (int i = 0; i < 4; i++) {
                Thread caller = new Thread(() -> {
                    while (!over.get()) {
                        orders.request().named("/orders").answered();
                        orders.request().named("/carts").failed("refused");
                        sent.add(2);
                    }
                });
                caller.start();
                callers.add(caller);
            }
            for (int take = 0; take < 30; take++) {
                Measured taken = orders.take();
                taken.save(file);
                assertThat(RunFile.read(file).result().ledger())
                        .isEqualTo(ReportAccess.of(taken).result().ledger());
                counted += taken.answered() + taken.failed();
            }
            over.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            Measured last = orders.take();
            assertThat(counted + last.answered() + last.failed()).isEqualTo(sent.sum());
        } finally {
            over.set(true);
        }
    }

    /** Others took all rows before the first objective was known. */
    @Test
    void the_name_of_an_objective_has_a_row_once_it_is_known_however_many_names_came_before() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (int i = 0; i < 100; i++) {
                orders.measure("/u/" + i, () -> {});
            }
            orders.measure("/checkout", () -> {});
            Measured first = orders.take("/checkout: max<1h");
            assertThat(first.verdict()).isEqualTo(Verdict.UNDECIDED);
            assertThat(first.sentence()).contains("(other names) may include it");
            orders.measure("/checkout", () -> {});
            Measured second = orders.take("/checkout: max<1h");
            assertThat(second.names()).containsExactly("/checkout");
            assertThat(second.verdict()).isEqualTo(Verdict.MET);
            assertThat(orders.take("/checkout: max<1h").verdict()).isEqualTo(Verdict.UNDECIDED);
        }
    }

    @Test
    void requests_have_a_row_for_each_name() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            orders.request().named("/orders/{id}").answered();
            orders.request().named("UNKNOWN").named("/carts").answered();
            orders.request().named("/carts").failed("status 500");
            orders.request().answered();
            for (int i = 0; i < 200; i++) {
                orders.request().named("/u/" + i).answered();
            }
            Measured measured = orders.take();
            assertThat(measured.planned()).isEqualTo(204);
            assertThat(measured.response("/orders/{id}").count()).isEqualTo(1);
            assertThat(measured.names()).hasSize(101).contains("/orders/{id}", "/carts", "(other names)");
            assertThat(measured.response("/invoices").count())
                    .as("of a service none came")
                    .isZero();
            assertThat(ReportAccess.of(measured)
                            .result()
                            .recording()
                            .named("/carts")
                            .failures())
                    .containsEntry("status 500", 1L);
            assertThat(ReportAccess.of(measured).result().recording().byName())
                    .hasSize(101)
                    .containsKey("(other names)");
            assertThat(ReportAccess.of(orders.take()).result().recording().byName())
                    .isEmpty();
        }
    }
}
