package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Recording.Anatomy;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.record.recorder.RequestKeeper;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a run together: each kind with its own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecordSumsTest {
    private static Distribution times(long... nanos) {
        return Distribution.of(nanos, LongStream.of(nanos).map(each -> 1).toArray());
    }

    private static Recording answered(long... nanos) {
        return Recording.of(Ledger.EMPTY, ResponseTimes.ofAnswered(times(nanos)), OutcomeCounts.NONE);
    }

    private static Recording unfinished(long nanos) {
        Distribution none = Distribution.empty();
        return Recording.of(
                Ledger.EMPTY, new ResponseTimes(none, none, none, none, times(nanos), none, none), OutcomeCounts.NONE);
    }

    @Test
    void a_percentile_is_known_where_what_never_ended_cannot_move_it() {
        Recording ended = answered(10, 20, 30, 40);
        assertThat(ended.isKnownAt(100)).isTrue();
        Recording open = ended.plus(unfinished(40));
        assertThat(open.isKnownAt(40)).isTrue();
        assertThat(open.isKnownAt(80)).as("the 4th of 5, wherever the 5th is").isTrue();
        assertThat(open.isKnownAt(81)).isFalse();
        assertThat(ended.plus(unfinished(5)).isKnownAt(40))
                .as("it may have been the quickest or the slowest")
                .isFalse();
    }

    @Test
    void the_distribution_without_own_delay_includes_unfinished_requests() {
        Distribution none = Distribution.empty();
        ResponseTimes told = new ResponseTimes(times(10), none, times(9), none, times(50), times(45), none);
        Recording recording = Recording.of(Ledger.EMPTY, told, OutcomeCounts.NONE);
        assertThat(recording.responseWithoutOwnDelay()).isEqualTo(times(9, 45));
        assertThat(recording.responseAtLeast()).isEqualTo(times(10, 50));
        ResponseTimes untold = new ResponseTimes(times(10), none, times(9), none, times(50), none, none);
        assertThat(Recording.of(Ledger.EMPTY, untold, OutcomeCounts.NONE).responseWithoutOwnDelay())
                .isEqualTo(times(9, 50));
    }

    @Test
    void a_rank_is_the_nearest_and_never_beyond_the_first_and_the_last() {
        assertThat(Distribution.rankOf(0, 10)).isEqualTo(1);
        assertThat(Distribution.rankOf(50, 10)).isEqualTo(5);
        assertThat(Distribution.rankOf(50.1, 10)).isEqualTo(6);
        assertThat(Distribution.rankOf(100, 10)).isEqualTo(10);
        assertThatThrownBy(() -> Distribution.rankOf(-0.1, 10)).hasMessageContaining("but was -0.1");
        assertThatThrownBy(() -> Distribution.rankOf(Double.NaN, 10)).hasMessageContaining("but was NaN");
        assertThat(times(7, 9).valueAtRank(3)).isEqualTo(9);
        assertThat(times(7, 9).countAbove(7)).isEqualTo(1);
        assertThat(times(7, 9).toString()).isEqualTo("Distribution[count=2, p50=7 ns, max=9 ns]");
    }

    @Test
    void a_keeper_keeps_at_least_one_and_no_more_than_may_be_kept() {
        assertThat(new RequestKeeper(1, 0).kept().isEmpty()).isTrue();
        assertThat(new RequestKeeper(KeptRequests.MOST, 0).kept().isEmpty()).isTrue();
        assertThatThrownBy(() -> new RequestKeeper(0, 0)).hasMessage("most must be from 1 to 10000, but was 0");
        assertThatThrownBy(() -> new RequestKeeper(10_001, 0))
                .hasMessage("most must be from 1 to 10000, but was 10001");
    }

    private static Recording drawn(Random random) {
        long[] nanos = random.longs(50, 0, 2_000).distinct().sorted().toArray();
        Distribution response = times(nanos);
        Recording one = Recording.of(
                new Ledger(nanos.length, nanos.length - 1, 1, 0, 0, 0, 0),
                ResponseTimes.ofAnswered(response),
                OutcomeCounts.ofFailures(Map.of("reason " + random.nextInt(3), 1L)));
        return one.withWaits(WaitTimes.of(times(random.nextInt(9)), Distribution.empty()))
                .withNames(Map.of("name " + random.nextInt(3), one));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void a_delta_is_the_sum_minus_the_previous_one(long seed) {
        Random random = new Random(seed);
        Recording before = drawn(random).plus(drawn(random));
        Recording since = drawn(random);
        assertThat(before.plus(since).since(before)).isEqualTo(since);
        assertThat(since.since(Recording.empty())).isEqualTo(since);
        assertThat(before.since(before)).isEqualTo(Recording.empty());
    }

    /** All that a recorder counts: names, positions, parts and examples among it. */
    private static Recording recorded(Random random) {
        CorrectedRecorder recorder = new CorrectedRecorder(List.of("a", "b"));
        Exchange exchange = new Exchange(0);
        for (int left = random.nextInt(20); left > 0; left--) {
            recorder.planned(1);
            exchange.begin(0, random.nextInt(1_000), 1_000 + random.nextInt(1_000));
            exchange.name = random.nextInt(2);
            exchange.position = random.nextInt(4);
            exchange.firstByteAt = 2_000 + random.nextInt(100_000);
            exchange.completedAt = exchange.firstByteAt + random.nextInt(1_000);
            recorder.completed(exchange);
        }
        return recorder.drain();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 4, 5})
    void several_at_once_are_what_they_are_one_after_the_other(long seed) {
        Random random = new Random(seed);
        List<Recording> parts =
                Stream.generate(() -> recorded(random)).limit(3 * seed).toList();
        assertThat(Recording.sum(parts)).isEqualTo(parts.stream().reduce(Recording.empty(), Recording::plus));
    }

    @Test
    void a_running_sum_is_that_of_all_parts_however_often_it_is_asked_and_begins_again_when_taken() {
        RecordingSum sum = new RecordingSum();
        assertThat(sum.total()).isEqualTo(Recording.empty());
        Recording expected = Recording.empty();
        for (int part = 1; part <= 40; part++) {
            sum.add(answered(part));
            expected = expected.plus(answered(part));
            if (part % 7 == 0) {
                assertThat(sum.total()).isEqualTo(expected);
            }
        }
        assertThat(sum.take()).isEqualTo(expected);
        assertThat(sum.total()).isEqualTo(Recording.empty());
        sum.add(answered(5));
        assertThat(sum.take()).isEqualTo(answered(5));
    }

    private static Exemplar exemplar(long index, long responseNanos) {
        return new Exemplar(index, 0, responseNanos, 1, Map.of(Part.READING, responseNanos));
    }

    @Test
    void of_two_parts_the_eight_slowest_of_each_doubling_are_kept_slowest_first() {
        List<Exemplar> some =
                LongStream.range(0, 10).mapToObj(i -> exemplar(i, 1_500 - i)).toList();
        List<Exemplar> kept =
                Exemplars.slowest(Stream.concat(Stream.of(exemplar(99, 1_500), exemplar(20, 3_000)), some.stream())
                        .toList());
        assertThat(kept).hasSize(9).startsWith(exemplar(20, 3_000), exemplar(0, 1_500), exemplar(99, 1_500));
        assertThat(kept.get(8)).isEqualTo(exemplar(6, 1_494));
        assertThat(kept.get(8).partsNanos()).hasSize(Part.values().length).containsEntry(Part.CONNECT, 0L);
        Anatomy anatomy = new Anatomy(ServiceTimesByPosition.empty(), Attribution.empty(), some);
        assertThat(anatomy.plus(Anatomy.NONE).exemplars()).hasSize(8);
        assertThat(Anatomy.NONE.plus(Anatomy.NONE)).isEqualTo(Anatomy.NONE);
    }

    @Test
    void counts_by_word_add_up() {
        OutcomeCounts one = new OutcomeCounts(Map.of("reset", 2L), 1, Map.of("500", 3L), Map.of());
        OutcomeCounts other =
                new OutcomeCounts(Map.of("reset", 5L, "refused", 1L), 2, Map.of(), Map.of("no connection", 4L));
        assertThat(one.plus(other))
                .isEqualTo(new OutcomeCounts(
                        Map.of("reset", 7L, "refused", 1L), 3, Map.of("500", 3L), Map.of("no connection", 4L)));
    }

    @Test
    void waits_add_up_each_with_its_kind_and_a_timeline_has_those_that_tell_of_load() {
        WaitTimes one = new WaitTimes(times(1), times(2), times(3), times(4), times(5), times(6));
        WaitTimes other = new WaitTimes(times(11), times(12), times(13), times(14), times(15), times(16));
        assertThat(one.plus(other))
                .isEqualTo(new WaitTimes(
                        times(1, 11), times(2, 12), times(3, 13), times(4, 14), times(5, 15), times(6, 16)));
        Distribution none = Distribution.empty();
        assertThat(one.forTimeline()).isEqualTo(new WaitTimes(times(1), times(2), none, times(4), none, none));
        ResponseTimes times = new ResponseTimes(times(1), times(2), times(3), times(4), times(5), times(6), times(7));
        ResponseTimes more =
                new ResponseTimes(times(11), times(12), times(13), times(14), times(15), times(16), times(17));
        assertThat(times.plus(more))
                .isEqualTo(new ResponseTimes(
                        times(1, 11),
                        times(2, 12),
                        times(3, 13),
                        times(4, 14),
                        times(5, 15),
                        times(6, 16),
                        times(7, 17)));
    }
}
