package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.time.ManualClock;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A process that records requests on a virtual clock: 100/s of 4 ms, and it is paused for 1 s after 5 s. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PausedRecorderTest {
    private static final long MS = 1_000_000;
    private static final long PERIOD = 10 * MS;
    private static final long SERVICE = 4 * MS;
    private static final int BEFORE = 500;
    private static final int DURING = 100;
    private static final int AFTER = 200;

    private final ManualClock clock = new ManualClock(-3_000 * MS); // instants may be negative
    private final List<LongConsumer> woke = new ArrayList<>();

    private HealthMonitor monitor(LongConsumer listener) {
        woke.add(listener);
        return HealthMonitor.start();
    }

    private ServiceRecorder service() {
        return new ServiceRecorder("orders", clock, this::monitor);
    }

    private ConsumerRecorder consumer() {
        return new ConsumerRecorder("orders", clock, this::monitor);
    }

    private GeneratorRecorder generator() {
        return new GeneratorRecorder("orders", clock, this::monitor);
    }

    private void runs(long nanos) {
        for (long leftNanos = nanos; leftNanos > 0; leftNanos -= MS) {
            clock.advanceNanos(MS);
            woke.get(woke.size() - 1).accept(clock.nanoTime());
        }
    }

    /** Work on one request, and the time until the next. */
    private void serves(ServiceRecorder orders, int requests) {
        for (int i = 0; i < requests; i++) {
            long cameAt = orders.arrived();
            runs(SERVICE);
            orders.answered(cameAt, clock.nanoTime() - SERVICE, clock.nanoTime());
            runs(PERIOD - SERVICE);
        }
    }

    @Test
    void requests_that_came_while_a_service_was_paused_count_from_when_they_came() {
        try (ServiceRecorder orders = service()) {
            serves(orders, BEFORE);
            clock.advanceNanos(1_000 * MS);
            List<Long> came = new ArrayList<>();
            for (int i = 0; i < DURING; i++) {
                came.add(orders.arrived());
            }
            long resumedAt = clock.nanoTime();
            came.forEach(cameAt -> orders.answered(cameAt, resumedAt, resumedAt));
            runs(100 * MS);
            serves(orders, AFTER);
            Measured measured = orders.take("p50<10ms");
            assertThat(measured.verdict()).isEqualTo(Verdict.MET);
            assertThat(measured.throwUnlessMet()).isSameAs(measured);
            assertThat(measured.throwIfUnsound()).isSameAs(measured);
            Recording recording = ReportAccess.of(measured).result().recording();
            assertThat(recording.response().count()).isEqualTo(BEFORE + DURING + AFTER);
            assertThat(recording.response().maxNanos()).isBetween(970 * MS, 1_001 * MS);
            assertThat(recording.response().countAbove(100 * MS)).isBetween(85L, 91L);
            assertThat(recording.service().maxNanos()).isBetween(SERVICE, SERVICE + MS);
            assertThat(recording.backlogWait().count())
                    .as("noticed later than they came")
                    .isBetween(90L, 100L);
            assertThat(ReportAccess.of(measured).verdict().doubts())
                    .as("its callers did wait")
                    .isEmpty();
            assertThat(ReportAccess.of(measured).details())
                    .containsEntry("pauses", 1L)
                    .containsEntry("longest_pause", "1.00 s")
                    .hasEntrySatisfying(
                            "requests_that_came_meanwhile",
                            count -> assertThat((Long) count).isBetween(90L, 100L));
            List<Silence> silences =
                    ReportAccess.of(measured).result().interruptions().silences();
            assertThat(silences).hasSize(1);
            assertThat(silences.get(0).fromNanos()).isBetween(4_980 * MS, 5_010 * MS);
            assertThat(silences.get(0).toNanos()).isBetween(5_980 * MS, 6_010 * MS);
        }
    }

    @Test
    void late_wake_ups_do_not_add_up() {
        try (ServiceRecorder orders = service()) {
            for (int tick = 1; 7 * tick <= 20_000; tick++) {
                clock.advanceNanos(7 * MS);
                orders.answered(orders.arrived());
                woke.get(0).accept(clock.nanoTime());
            }
            List<Interval> intervals = ReportAccess.of(orders.take()).result().intervals();
            assertThat(intervals).hasSize(20);
            for (int i = 0; i < intervals.size(); i++) {
                assertThat(intervals.get(i).startNanos()).isBetween(i * 1_000 * MS, i * 1_000 * MS + 105 * MS);
            }
        }
    }

    @Test
    void the_lower_bound_excludes_delays_from_generator_pauses() {
        try (GeneratorRecorder orders = generator()) {
            for (int i = 0; i < BEFORE; i++) {
                long meantAt = clock.nanoTime();
                runs(SERVICE);
                orders.answered(meantAt, meantAt, clock.nanoTime());
                runs(PERIOD - SERVICE);
            }
            for (int i = 0; i < DURING; i++) {
                long meantAt = clock.nanoTime();
                clock.advanceNanos(i == 0 ? 1_000 * MS : 0);
                orders.answered("x", meantAt - i, meantAt, clock.nanoTime());
            }
            runs(MS);
            Measured measured = orders.take("max<50ms", "x: max<50ms");
            assertThat(measured.verdict()).isEqualTo(Verdict.UNDECIDED);
            ResponseBounds bounds = ReportAccess.of(measured).analysis().response();
            assertThat(bounds.atLeastNanos(100)).isBetween(1_000 * MS, 1_001 * MS);
            assertThat(bounds.ownDelayNanos(100)).isGreaterThan(900 * MS);
            assertThat(bounds.ownDelayNanos(50)).isZero();
        }
    }

    /** Half of them hang; that of an own schedule, whose start nobody reported, is in no count until it ends. */
    @Test
    void a_generators_requests_that_have_not_ended_are_in_flight_with_their_age() {
        try (GeneratorRecorder own = generator()) {
            List<Request> hung = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Request request = own.request(clock.nanoTime());
                runs(SERVICE);
                if (i < 100) {
                    request.named("look").answered();
                } else {
                    hung.add(request);
                }
                runs(PERIOD - SERVICE);
            }
            long meantAt = clock.nanoTime();
            Measured measured = own.take("p90<50ms");
            assertThat(measured.planned()).isEqualTo(200);
            assertThat(measured.inFlight()).isEqualTo(100);
            assertThat(measured.p(90).orElseThrow().toMillis()).isBetween(700L, 810L);
            assertThat(ReportAccess.of(measured).analysis().response().ownDelayNanos(90))
                    .isZero();
            assertThat(ReportAccess.of(measured).result().ledger().addsUp()).isTrue();
            hung.forEach(Request::answered);
            own.answered(meantAt, meantAt, clock.nanoTime());
            Measured next = own.take();
            assertThat(next.answered()).isEqualTo(101);
            assertThat(next.inFlight()).isZero();
        }
    }

    private static long ownDelayOfSlowestNanos(Measured measured) {
        return ReportAccess.of(measured).analysis().response().ownDelayNanos(100);
    }

    /** It may have been sent after the pause, late by all of it and behind as many that were. */
    @Test
    void a_request_that_is_open_during_a_pause_of_the_generator_may_wait_for_the_generator() {
        try (GeneratorRecorder own = generator()) {
            own.request(clock.nanoTime());
            runs(15 * PERIOD);
            clock.advanceNanos(1_000 * MS);
            runs(200 * MS);
            assertThat(ownDelayOfSlowestNanos(own.take())).as("all").isBetween(1_240 * MS, 1_360 * MS);
            runs(1_500 * MS);
            assertThat(ownDelayOfSlowestNanos(own.take())).isBetween(1_980 * MS, 2_020 * MS);
        }
    }

    @Test
    void a_request_sent_before_it_was_due_is_not_taken_for_one_of_long_ago() {
        try (GeneratorRecorder own = generator()) {
            Request early = own.request(clock.nanoTime() + 300 * MS);
            runs(PERIOD);
            Measured measured = own.take();
            assertThat(measured.inFlight()).isOne();
            assertThat(measured.max().toMillis()).isLessThan(100);
            runs(400 * MS);
            early.answered();
            assertThat(own.take().inFlight()).isZero();
        }
    }

    @Test
    void a_failure_lasted_from_when_its_request_came() {
        try (ServiceRecorder orders = service()) {
            long cameAt = orders.arrived();
            runs(7 * MS);
            new Request(orders, cameAt, cameAt).named("pay").failed("refused");
            long other = orders.arrived();
            runs(3 * MS);
            new Request(orders, other, other + MS).named("look").answered();
            Measured measured = orders.take();
            assertThat(measured.answeredPerSecond()).isEqualTo(100); // one answered of two in 10 ms
            assertThat(measured.errorShare()).isEqualTo(0.5);
            assertThat(measured.response("look").count()).isOne();
            assertThat(ReportAccess.of(measured).result().interruptions().medianGapNanos())
                    .isEqualTo(5 * MS);
            Recording recording = ReportAccess.of(measured).result().recording();
            assertThat(recording.failed().maxNanos()).isBetween(7 * MS, 7 * MS + 10_000);
            assertThat(recording.named("pay").failed().maxNanos()).isBetween(7 * MS, 7 * MS + 10_000);
            assertThat(recording.named("look").response().maxNanos()).isBetween(3 * MS, 3 * MS + 10_000);
            assertThat(recording.named("look").service().maxNanos()).isBetween(2 * MS, 2 * MS + 10_000);
            assertThat(recording.ledger().addsUp()).isTrue();
        }
    }

    @Test
    void a_request_that_a_generator_sends_too_early_lasts_from_when_it_was_sent() {
        try (GeneratorRecorder own = generator()) {
            Request answered = own.request(clock.nanoTime() + 300 * MS);
            Request failed = own.request(clock.nanoTime() + 300 * MS);
            runs(9 * MS);
            answered.answered();
            failed.named("/orders").failed("refused");
            Recording recording = ReportAccess.of(own.take()).result().recording();
            assertThat(recording.response().minNanos()).isBetween(9 * MS - 10_000, 9 * MS);
            assertThat(recording.named("/orders").failed().minNanos()).isBetween(9 * MS - 10_000, 9 * MS);
        }
    }

    @Test
    void an_unfinished_request_lasted_at_least_as_long_as_observed() {
        try (GeneratorRecorder orders = generator()) {
            orders.unfinished(clock.nanoTime(), clock.nanoTime() + 9 * MS);
            runs(9 * MS);
            Measured measured = orders.take();
            assertThat(ReportAccess.of(measured).result().recording().censored().maxNanos())
                    .isBetween(9 * MS, 9 * MS + 10_000);
            assertThat(measured.ended().count()).as("of a generator").isOne();
            assertThat(measured.isLowerBound(50)).isTrue();
            assertThat(measured.answeredPerSecond()).isZero();
        }
    }

    /** The second answers after three takes; the end of the third will never be seen. */
    @Test
    void a_sum_of_takes_has_the_end_of_each_request_of_a_generator_once() {
        try (GeneratorRecorder own = generator()) {
            own.request(clock.nanoTime()).answered();
            Request open = own.request(clock.nanoTime());
            own.unfinished(clock.nanoTime(), clock.nanoTime() + 9 * MS);
            runs(300 * MS);
            Measured first = own.take();
            assertThat(first.response().count()).isEqualTo(3);
            Times ended = first.ended();
            for (int i = 0; i < 2; i++) {
                runs(300 * MS);
                ended = ended.plus(own.take("p50<10s").judgedBy("p50<1ms").ended());
            }
            assertThat(ended.count()).isEqualTo(2);
            assertThat(ended.max().toMillis()).isEqualTo(9);
            open.answered();
            assertThat(ended.plus(own.take().ended()).count()).isEqualTo(3);
        }
    }

    @Test
    void a_message_counts_from_when_it_was_written_and_a_clock_that_is_ahead_from_now() {
        try (ConsumerRecorder orders = consumer()) {
            long writtenAt = orders.message(Instant.now().minusSeconds(2)).intendedAt();
            assertThat(clock.nanoTime() - writtenAt).isBetween(2_000 * MS, 60_000 * MS);
            assertThat(orders.message(Instant.now().plusSeconds(60)).intendedAt())
                    .isEqualTo(clock.nanoTime());
            assertThat(orders.take().inFlight()).isEqualTo(2);
        }
    }

    /** Also times that no clock shows, such as the -1 of a record without a time. */
    @Test
    void an_age_is_never_negative_nor_longer_than_a_time_that_can_be_recorded() {
        try (ConsumerRecorder orders = consumer()) {
            long longest = Distribution.MAX_NANOS;
            for (Instant old : List.of(Instant.MIN, Instant.parse("1600-01-01T00:00:00Z"), Instant.ofEpochMilli(-1))) {
                long writtenAt = orders.message(old).intendedAt();
                assertThat(clock.nanoTime() - writtenAt).isEqualTo(longest);
            }
            assertThat(orders.message(Instant.MAX).intendedAt()).isEqualTo(clock.nanoTime());
        }
    }

    /** A time in milliseconds lost what was finer, so an age by the present microsecond would be half of one too long. */
    @Test
    void the_age_of_a_message_is_as_fine_as_the_time_it_was_written() {
        try (ConsumerRecorder orders = consumer()) {
            for (int i = 0; i < 20; i++) {
                Instant milliseconds = Instant.now().minusSeconds(1).truncatedTo(ChronoUnit.MILLIS);
                assertThat((clock.nanoTime() - orders.message(milliseconds).intendedAt()) % MS)
                        .isZero();
            }
            long finerNanos = 0;
            for (int i = 0; i < 20; i++) {
                Instant finer = Instant.now()
                        .minusSeconds(1)
                        .truncatedTo(ChronoUnit.MILLIS)
                        .plusNanos(1_000);
                finerNanos +=
                        Math.floorMod(clock.nanoTime() - orders.message(finer).intendedAt(), MS);
            }
            assertThat(finerNanos).isNotEqualTo(20 * (MS - 1_000));
        }
    }

    @Test
    void a_task_that_runs_twice_ends_one_request() {
        try (ServiceRecorder orders = service()) {
            Runnable named = orders.wrap("pay", () -> {});
            Runnable plain = orders.wrap(() -> {});
            orders.wrap(() -> {});
            runs(PERIOD);
            for (Runnable task : List.of(named, named, plain, plain)) {
                task.run();
            }
            Measured measured = orders.take();
            assertThat(measured.answered()).isEqualTo(2);
            assertThat(measured.inFlight()).isOne();
        }
    }

    @Test
    void a_percentile_out_of_range_is_refused_whether_or_not_any_is_a_lower_bound() {
        try (ServiceRecorder orders = service()) {
            Measured measured = orders.take();
            for (double wrong : new double[] {101, -5, Double.NaN}) {
                assertThatThrownBy(() -> measured.isLowerBound(wrong)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    /** A hundred messages a second; the consumer takes none for a second, then all that waited. */
    @Test
    void a_stall_of_a_consumer_is_reported_in_a_consumers_words() {
        try (ConsumerRecorder orders = consumer()) {
            for (int i = 0; i < 600; i++) {
                runs(PERIOD);
                long ageNanos = i < 100 ? (100 - i) * PERIOD : 0;
                try (Request message = orders.message(Instant.now().minusNanos(ageNanos))) {
                    message.answered();
                }
            }
            Measured measured = orders.take("p99<10s");
            assertThat(measured.p(99).orElseThrow().toMillis()).isBetween(930L, 1_100L);
            assertThat(measured.text())
                    .contains("messages of a queue", "since written", "consumer took", "when a message was written")
                    .doesNotContain("callers", "server", "was sent", "late", "backlog", "0 slowest", "came meanwhile");
            assertThat(measured.text()).contains("600 taken in");
        }
    }
}
