package dev.downbeat.record.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ServiceTimesByPosition;
import dev.downbeat.record.recorder.CorrectedRecorder.CountLog;
import dev.downbeat.record.recorder.FateRecorder.ValueCounts;
import dev.downbeat.testing.Replications;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CorrectedRecorderTest {

    /** Intended at 100, dispatched at 107, started at 130, over after the given service time. */
    private static Exchange exchange(long serviceNanos, Outcome outcome) {
        Exchange exchange = new Exchange(0);
        exchange.begin(100, 107, 130);
        exchange.completedAt = 130 + serviceNanos;
        exchange.position = 3;
        exchange.outcome = outcome;
        return exchange;
    }

    @Test
    void the_four_instants_become_four_durations() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(1);
        recorder.completed(exchange(500, Outcome.answered()));
        Recording recording = recorder.drain();

        assertThat(recording.ledger()).isEqualTo(new Ledger(1, 1, 0, 0, 0, 0, 0));
        assertThat(recording.response().maxNanos()).isEqualTo(530);
        assertThat(recording.service().maxNanos()).isEqualTo(500);
        assertThat(recording.lateness().maxNanos()).isEqualTo(7);
        assertThat(recording.backlogWait().maxNanos()).isEqualTo(23);
        assertThat(recording.times().withoutLateness().maxNanos()).isEqualTo(523);
        assertThat(recording.anatomy().byPosition().at(3).count()).isEqualTo(1);
        assertThat(recording.anatomy().byPosition().last()).isEqualTo(3);
    }

    /** More names than have buckets of their own, over several intervals. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void hundreds_of_names_are_counted_as_each_alone(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> names = IntStream.range(0, 60).mapToObj(i -> "n" + i).toList();
        CorrectedRecorder recorder = new CorrectedRecorder(names);
        CorrectedRecorder[] alone = new CorrectedRecorder[names.size()];
        Arrays.setAll(alone, i -> new CorrectedRecorder(List.of("one")));
        for (int interval = 0; interval < 2; interval++) {
            for (int i = 0; i < 5_000; i++) {
                int name = random.nextInt(names.size());
                Outcome outcome = random.nextInt(10) == 0 ? Outcome.failed("HTTP 503") : Outcome.answered();
                Exchange exchange = exchange(1L << random.nextInt(40), outcome);
                exchange.name = name;
                recorder.completed(exchange);
                exchange.name = 0;
                alone[name].completed(exchange);
            }
            Recording counted = recorder.drain();
            for (int name = 0; name < names.size(); name++) {
                assertThat(counted.named("n" + name))
                        .isEqualTo(alone[name].drain().named("one"));
            }
        }
    }

    /** Four million entries of a few buckets are joined, and nothing is lost. */
    @Test
    void a_long_log_is_joined() {
        CountLog log = new CountLog();
        ValueCounts one = log.newKey();
        ValueCounts two = log.newKey();
        int times = 5_000_000;
        for (int i = 0; i < times; i++) {
            (i % 5 == 0 ? one : two).record(1_000L * (1 + i % 3));
        }
        assertThat(one.drain().count()).isEqualTo(times / 5);
        assertThat(two.drain().count()).isEqualTo(times - times / 5);
        assertThat(two.drain().maxNanos()).isBetween(3_000L, 3_003L);
        log.clear();
        assertThat(two.drain().isEmpty()).isTrue();
    }

    @Test
    void each_name_has_its_own_counts_and_all_names_have_those_of_the_whole() {
        CorrectedRecorder recorder = new CorrectedRecorder(List.of("list", "order"));
        Exchange order = exchange(500, Outcome.answered());
        order.name = 1;
        order.status = 201;
        recorder.completed(order);
        recorder.completed(exchange(900, Outcome.failed("HTTP 503")));
        recorder.timedOut(order, 2_000);
        recorder.inFlight(order, 3_000);
        recorder.timedOutUnsent(order, 4_000);
        recorder.neverSent(exchange(0, Outcome.answered()), 5_000);
        recorder.planned(6);
        Recording recording = recorder.drain();

        assertThat(recording.byName().keySet()).containsExactly("list", "order");
        assertThat(recording.named("list").ledger()).isEqualTo(new Ledger(2, 0, 1, 0, 0, 0, 1));
        assertThat(recording.named("order").ledger()).isEqualTo(new Ledger(4, 1, 0, 2, 1, 1, 0));
        assertThat(recording.named("order").response()).isEqualTo(recording.response());
        assertThat(recording.named("order").times().withoutLateness())
                .isEqualTo(recording.times().withoutLateness());
        assertThat(recording.named("order").statuses()).isEqualTo(Map.of("201", 1L));
        assertThat(recording.named("list").failures()).isEqualTo(recording.failures());
        assertThat(recording
                        .named("list")
                        .censored()
                        .plus(recording.named("order").censored()))
                .isEqualTo(recording.censored());
        assertThat(recorder.drain().named("order")).isEqualTo(Recording.empty());
        assertThat(recording.plus(recording).named("order").ledger().answered()).isEqualTo(2);
    }

    @Test
    void in_a_starved_interval_every_wait_that_may_have_been_for_us_is_taken_off_the_lower_bound() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        Exchange exchange = exchange(500, Outcome.answered());
        exchange.unreadNanos = 300;
        exchange.stalledNanos = 20; // of 23 ns of backlog wait
        recorder.completed(exchange);
        recorder.timedOut(exchange, 1_000);
        Exchange unsent = exchange(0, Outcome.answered());
        unsent.stalledNanos = 600;
        recorder.timedOutUnsent(unsent, 1_000);
        recorder.neverSent(exchange(0, Outcome.answered()), 1_000);
        Recording starved = recorder.drain(true, () -> {});
        assertThat(starved.response().maxNanos()).isEqualTo(530);
        assertThat(starved.times().withoutLateness().maxNanos()).isEqualTo(530 - 7 - 300 - 3);
        assertThat(starved.times().censoredWithoutLateness().maxNanos()).isEqualTo(1_000 - 7 - 300 - 3);
        assertThat(starved.times().censoredWithoutLateness().minNanos()).isZero();
        assertThat(starved.times().unseenService().count())
                .as("those that were sent")
                .isEqualTo(1);
        assertThat(starved.times().unseenService().maxNanos()).isEqualTo(1_000 - 7 - 23);
        assertThat(starved.responseWithoutOwnDelay().count())
                .isEqualTo(starved.responseAtLeast().count());

        recorder.completed(exchange);
        recorder.neverSent(exchange(0, Outcome.answered()), 1_000);
        Recording calm = recorder.drain();
        assertThat(calm.times().withoutLateness().maxNanos()).isEqualTo(523);
        assertThat(calm.times().censoredWithoutLateness().maxNanos()).isEqualTo(993);
    }

    @Test
    void a_request_that_could_not_be_built_has_failed_unsent_and_has_no_time() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(2);
        recorder.completed(exchange(10, Outcome.unbuilt("no such value")));
        recorder.completed(exchange(10, Outcome.failed("HTTP 503")));
        Recording recording = recorder.drain();
        assertThat(recording.ledger()).isEqualTo(new Ledger(2, 0, 2, 0, 0, 0, 0, 1));
        assertThat(recording.failed().count()).isOne();
        assertThat(recording.backlogWait().count()).isOne();
        assertThat(recording.unbuilt()).isOne();
        assertThat(recording.failures()).containsEntry("no such value", 1L);
    }

    @Test
    void a_request_whose_connection_never_opened_was_not_sent_whatever_became_of_it() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        Exchange exchange = exchange(10, Outcome.failed("connect timed out"));
        exchange.unconnected = true;
        recorder.planned(4);
        recorder.completed(exchange);
        recorder.timedOut(exchange, 100);
        recorder.inFlight(exchange, 100);
        recorder.completed(exchange(10, Outcome.failed("HTTP 503")));
        Ledger ledger = recorder.drain().ledger();
        assertThat(ledger).isEqualTo(new Ledger(4, 0, 2, 1, 0, 1, 0, 3));
        assertThat(ledger.sent()).isOne();
        assertThat(ledger.addsUp()).isTrue();
    }

    @Test
    void a_limit_of_Downbeat_is_not_a_service_failure() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(1);
        recorder.completed(exchange(10, Outcome.ownLimit("too many open files")));
        Recording recording = recorder.drain();
        assertThat(recording.ledger()).isEqualTo(new Ledger(1, 0, 0, 0, 0, 0, 1));
        assertThat(recording.failures()).isEmpty();
        assertThat(recording.tallies().ownLimits()).containsExactly(java.util.Map.entry("too many open files", 1L));
        assertThat(recording.plus(recording).tallies().ownLimits()).containsValue(2L);
        assertThat(recorder.drain()).isEqualTo(Recording.empty());
    }

    /** Such as the second hop of a redirect: the service saw the first one, but did not fail. */
    @Test
    void a_limit_of_Downbeat_after_a_first_sending_is_among_both() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(2);
        recorder.completed(exchange(10, Outcome.ownLimit("too many open files")));
        recorder.completed(exchange(10, Outcome.ownLimitAfterSending("too many open files")));
        Recording recording = recorder.drain();
        assertThat(recording.ledger()).isEqualTo(new Ledger(2, 0, 1, 0, 0, 0, 1));
        assertThat(recording.tallies().ownLimits()).containsExactly(java.util.Map.entry("too many open files", 2L));
        assertThat(recording.tallies().failedByOwnLimit()).isOne();
    }

    @Test
    void statuses_are_counted_whether_or_not_they_are_failures() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        for (int status : new int[] {200, 200, 302, 503, 0}) {
            Exchange exchange = exchange(10, status < 400 ? Outcome.answered() : Outcome.failed("HTTP 503"));
            exchange.status = status;
            recorder.completed(exchange);
        }
        assertThat(recorder.drain().statuses()).isEqualTo(java.util.Map.of("200", 2L, "302", 1L, "503", 1L));
        assertThat(recorder.drain().statuses()).isEmpty();
    }

    @Test
    void a_failure_is_counted_by_its_reason_and_stays_out_of_the_response_times() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        Outcome reset = Outcome.failed("connection reset");
        recorder.completed(exchange(10, reset));
        recorder.completed(exchange(10, reset));
        recorder.completed(exchange(10, Outcome.failed("HTTP 503")));
        Recording recording = recorder.drain();

        assertThat(recording.failures())
                .containsOnlyKeys("HTTP 503", "connection reset")
                .containsValues(1L, 2L);
        assertThat(recording.ledger().failed()).isEqualTo(3);
        assertThat(recording.response().isEmpty()).isTrue();
        assertThat(recording.failed().count()).isEqualTo(3);
        assertThat(recorder.drain()).isEqualTo(Recording.empty());
    }

    @Test
    void the_cost_of_a_new_connection_is_separate() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        Exchange first = exchange(500, Outcome.answered());
        first.lookupNanos = 11;
        first.connectNanos = 22;
        first.handshakeNanos = 33;
        recorder.completed(first);
        recorder.completed(exchange(500, Outcome.answered()));
        Recording recording = recorder.drain();

        assertThat(recording.waits().lookup().maxNanos()).isEqualTo(11);
        assertThat(recording.waits().connect().maxNanos()).isEqualTo(22);
        assertThat(recording.waits().handshake().maxNanos()).isEqualTo(33);
        assertThat(recording.waits().connect().count()).isEqualTo(1);
    }

    @Test
    void positions_beyond_the_last_are_counted_with_it() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        Exchange late = exchange(500, Outcome.answered());
        late.position = 100_000;
        recorder.completed(late);
        assertThat(recorder.drain()
                        .anatomy()
                        .byPosition()
                        .at(ServiceTimesByPosition.LAST)
                        .count())
                .isEqualTo(1);
    }

    /** Two digits, never below what was measured. */
    @Test
    void a_time_by_position_is_rounded_up_by_less_than_a_hundredth() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        for (long nanos : new long[] {1, 2_047, 2_048, 1_000_000, 1_234_567, 7_000_000_000L}) {
            Exchange one = exchange(nanos, Outcome.answered());
            one.position = 5;
            recorder.completed(one);
            assertThat(recorder.drain().anatomy().byPosition().at(5).maxNanos())
                    .isBetween(one.serviceNanos(), one.serviceNanos() + Math.max(8, one.serviceNanos() / 100));
        }
    }

    @Test
    void a_censored_request_is_a_lower_bound_and_nothing_else() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        for (int i = 0; i < 90; i++) {
            recorder.completed(exchange(500, Outcome.answered()));
        }
        for (int i = 0; i < 10; i++) {
            recorder.timedOut(exchange(0, Outcome.timedOut()), 400);
        }
        Recording recording = recorder.drain();

        assertThat(recording.response().count()).isEqualTo(90);
        assertThat(recording.ledger().timedOut()).isEqualTo(10);
        assertThat(recording.responseAtLeast().count()).isEqualTo(100);
        // Ten lasted at least 400: had they lasted for ever, the median would be the same, the 95th percentile not.
        assertThat(recording.isKnownAt(95)).isFalse();
        assertThat(recording.isKnownAt(91)).isFalse();
    }

    @Test
    void a_percentile_below_all_that_is_censored_is_known() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        for (int i = 0; i < 90; i++) {
            recorder.completed(exchange(500, Outcome.answered()));
        }
        recorder.neverSent(exchange(0, Outcome.answered()), 1_000_000);
        recorder.inFlight(exchange(0, Outcome.answered()), 1_000_000);
        Recording recording = recorder.drain();

        assertThat(recording.isKnownAt(50)).isTrue();
        assertThat(recording.isKnownAt(99)).isFalse();
        assertThat(recording.ledger()).isEqualTo(new Ledger(0, 90, 0, 0, 0, 1, 1));
    }

    @Test
    void durations_beyond_the_range_count_at_its_end() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.completed(exchange(Long.MAX_VALUE / 2, Outcome.answered()));
        assertThat(recorder.drain().response().maxNanos()).isGreaterThanOrEqualTo(Distribution.MAX_NANOS);
    }

    static LongStream seeds() {
        return LongStream.range(0, Replications.of(50, 10));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void draining_at_any_moment_loses_nothing(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CorrectedRecorder recorder = new CorrectedRecorder();
        Histogram response = Distribution.newHistogram();
        Recording sum = Recording.empty();
        long answered = 0;
        for (int i = 0; i < 5_000; i++) {
            Exchange exchange = exchange(random.nextLong(1L << random.nextInt(1, 45)), Outcome.answered());
            exchange.position = random.nextInt(400);
            recorder.completed(exchange);
            recorder.planned(1);
            response.recordValue(exchange.responseNanos());
            answered++;
            if (random.nextInt(500) == 0) {
                sum = sum.plus(recorder.drain());
            }
        }
        sum = sum.plus(recorder.drain());

        assertThat(sum.response()).isEqualTo(Distribution.of(response));
        assertThat(sum.ledger()).isEqualTo(new Ledger(answered, answered, 0, 0, 0, 0, 0));
        assertThat(sum.service().count()).isEqualTo(answered);
    }
}
