package dev.downbeat.record.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.KeptRequests.Opening;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestKeeperTest {
    private static Exchange exchange(long index, long intendedAt, long responseNanos) {
        Exchange exchange = new Exchange(0);
        exchange.index = index;
        exchange.begin(intendedAt, intendedAt + 1, intendedAt + 2);
        exchange.completedAt = intendedAt + responseNanos;
        exchange.firstByteAt = exchange.completedAt - 1;
        exchange.position = 7;
        return exchange;
    }

    private static RequestKeeper keeper(int most, long seed, long[] times) {
        RequestKeeper keeper = new RequestKeeper(most, seed);
        keeper.startsAt(1_000);
        for (int i = 0; i < times.length; i++) {
            Exchange exchange = exchange(i, 1_000 + 10L * i, times[i]);
            keeper.ended(exchange, exchange.completedAt, true);
        }
        return keeper;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void the_slowest_are_those_that_sorting_finds(long seed) {
        Random random = new Random(seed);
        long[] times = LongStream.generate(() -> 10 + random.nextInt(5_000))
                .limit(20_000)
                .toArray();
        KeptRequests kept = keeper(700, seed, times).kept();
        assertThat(kept.slowest().stream().map(KeptRequest::responseNanos))
                .isEqualTo(LongStream.of(times)
                        .boxed()
                        .sorted(Comparator.reverseOrder())
                        .limit(700)
                        .toList());
    }

    @Test
    void whatever_is_slower_than_the_quickest_kept_replaces_it() {
        assertThat(keeper(3, 1, new long[] {10, 30, 20, 25}).kept().slowest().stream()
                        .map(KeptRequest::responseNanos))
                .containsExactly(30L, 25L, 20L);
    }

    @Test
    void each_request_is_as_likely_in_the_sample_as_any_other() {
        int most = 50;
        long[] times = LongStream.range(10, 1_010).toArray();
        int[] taken = new int[10];
        for (int seed = 0; seed < 400; seed++) {
            List<KeptRequest> sample = keeper(most, seed, times).kept().controls();
            assertThat(sample).hasSize(most);
            sample.forEach(one -> taken[(int) (one.index() / 100)]++);
        }
        for (int tenth : taken) { // 2,000 expected, deviation 41
            assertThat(tenth).isBetween(1_800, 2_200);
        }
    }

    @Test
    void kept_requests_count_from_the_start_and_have_all_instants() {
        RequestKeeper keeper = keeper(10, 1, new long[] {500});
        assertThat(keeper.considered()).isEqualTo(1);
        assertThat(keeper.kept().slowest()).containsExactly(new KeptRequest(0, 0, 0, 1, 2, 499, 500, 0, 7, true));
    }

    @Test
    void a_request_whose_connection_did_not_open_waited_for_it_until_the_end() {
        RequestKeeper keeper = new RequestKeeper(10, 1);
        keeper.startsAt(0);
        Exchange exchange = new Exchange(0);
        exchange.begin(0, 1, 2);
        exchange.lookupNanos = 3;
        keeper.ended(exchange, 400, false);
        exchange.unconnected = true;
        exchange.lookupNanos = 0;
        keeper.ended(exchange, 500, false);
        assertThat(keeper.kept().slowest())
                .extracting(KeptRequest::opening)
                .containsExactly(Opening.unknown(498), Opening.of(3, 0, 0));
    }

    @Test
    void instants_are_rounded_to_a_thousandth_of_the_response_time_at_most_to_a_microsecond() {
        assertThat(keeper(10, 1, new long[] {9_999}).kept().slowest().get(0).responseNanos())
                .isEqualTo(9_999);
        assertThat(keeper(10, 1, new long[] {654_321}).kept().slowest().get(0).responseNanos())
                .isEqualTo(654_300);
        assertThat(keeper(10, 1, new long[] {7_654_321}).kept().slowest().get(0).responseNanos())
                .isEqualTo(7_654_000);
        assertThat(keeper(10, 1, new long[] {987_654_321})
                        .kept()
                        .slowest()
                        .get(0)
                        .responseNanos())
                .isEqualTo(987_654_000);
    }

    @Test
    void the_time_in_which_there_was_nothing_to_answer_with_is_no_response_time() {
        RequestKeeper keeper = new RequestKeeper(10, 1);
        Exchange exchange = exchange(0, 0, 1_000);
        exchange.idleNanos = 900;
        keeper.ended(exchange, 1_000, true);
        KeptRequest kept = keeper.kept().slowest().get(0);
        assertThat(kept.responseNanos()).isEqualTo(100);
        assertThat(kept.intendedNanos()).isEqualTo(900);
    }

    @Test
    void a_request_that_timed_out_is_kept_with_its_age_whenever_its_answer_came() {
        RequestKeeper keeper = new RequestKeeper(10, 1);
        keeper.ended(exchange(0, 0, 5_000), 2_000, false);
        KeptRequest kept = keeper.kept().slowest().get(0);
        assertThat(kept.responseNanos()).isEqualTo(2_000);
        assertThat(kept.firstByteNanos()).isLessThanOrEqualTo(kept.completedNanos());
        assertThat(kept.isAnswered()).isFalse();
    }

    @Test
    void the_number_seen_is_known_without_counting() {
        for (int count = 0; count < 300; count++) {
            assertThat(keeper(20, 3, new long[count]).considered()).isEqualTo(count);
        }
    }

    @Test
    void two_parts_of_a_run_together_keep_the_slowest_of_all_and_a_sample_of_all() {
        long[] quick = LongStream.range(0, 3_000).toArray();
        long[] slow = LongStream.range(2_000, 3_000).toArray();
        KeptRequests both =
                keeper(600, 1, quick).kept().plus(keeper(600, 2, slow).kept(), 3_000, 1_000);
        List<Long> expected = new ArrayList<>();
        for (long nanos = 2_999; nanos >= 2_400; nanos--) {
            expected.add(nanos);
            expected.add(nanos);
        }
        assertThat(both.slowest().stream().map(KeptRequest::responseNanos)).isEqualTo(expected);
        assertThat(both.controls()).hasSize(800); // all of the 600 of 3,000, and 200 of 1,000
        assertThat(both).isEqualTo(KeptRequests.of(both.slowest(), both.controls()));
    }
}
