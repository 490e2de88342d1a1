package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Interruptions.LongestSpans;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.KeptRequests.KeptRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of a run adds up, moves in time and comes back as it was written. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecordValuesTest {
    private static final long MS = 1_000_000;

    private static Distribution times(long... nanos) {
        return Distribution.of(nanos, LongStream.of(nanos).map(each -> 1).toArray());
    }

    private static Recording answered(long... nanos) {
        Ledger ledger = new Ledger(nanos.length, nanos.length, 0, 0, 0, 0, 0);
        return Recording.of(ledger, ResponseTimes.ofAnswered(times(nanos)), OutcomeCounts.ofFailures(Map.of()));
    }

    @Test
    void a_ledger_adds_up_only_if_each_part_is_part_of_its_whole() {
        Ledger ledger = new Ledger(75, 10, 20, 15, 4, 25, 5, 3);
        assertThat(ledger.accounted()).isEqualTo(75);
        assertThat(ledger.addsUp()).isTrue();
        assertThat(ledger.sent()).isEqualTo(75 - 5 - 4 - 3);
        assertThat(ledger.plus(new Ledger(1, 2, 3, 4, 5, 6, 7, 8)))
                .isEqualTo(new Ledger(76, 12, 23, 19, 9, 31, 12, 11));
        assertThat(new Ledger(76, 10, 20, 15, 4, 25, 5, 3).addsUp()).isFalse();
        assertThat(new Ledger(75, 10, 20, 15, 15, 25, 5, 45).addsUp()).isTrue();
        assertThat(new Ledger(75, 10, 20, 15, 15, 25, 5, 46).addsUp()).isFalse();
        assertThat(new Ledger(75, 10, 20, 15, 16, 25, 5, 0).addsUp()).isFalse();
    }

    @Test
    void intervals_follow_each_other_and_move() {
        Interval one = new Interval(10, 30, answered(5), ConnectionCounts.NONE, new ProcessDelays(1, 0, 0, 0, 0, 0));
        Interval next =
                new Interval(30, 60, answered(6, 7), ConnectionCounts.NONE, new ProcessDelays(2, 0, 0, 0, 0, 0));
        Interval both = one.then(next);
        assertThat(both.startNanos()).isEqualTo(10);
        assertThat(both.lengthNanos()).isEqualTo(50);
        assertThat(both.recording().ledger().answered()).isEqualTo(3);
        assertThat(both.strain().runDelayNanos()).isEqualTo(3);
        Interval later = one.later(100);
        assertThat(List.of(later.startNanos(), later.endNanos())).containsExactly(110L, 130L);
        assertThat(later.recording()).isEqualTo(one.recording());
        assertThat(one.forTimeline().recording()).isEqualTo(one.recording().forTimeline());
        assertThatThrownBy(() -> next.then(one)).hasMessage("next must begin at 60, but began at 10");
        assertThatThrownBy(() -> new Interval(2, 1, Recording.empty()))
                .hasMessage("endNanos must be at least 2, but was 1");
        assertThat(new Interval(2, 2, Recording.empty()).lengthNanos()).isZero();
    }

    @Test
    void a_course_joins_neighbours_and_loses_none() {
        IntervalTimeline course = new IntervalTimeline();
        for (int second = 0; second <= IntervalTimeline.MOST; second++) {
            course.add(new Interval(second, second + 1, answered(5)));
        }
        List<Interval> kept = course.intervals();
        assertThat(kept).hasSize(IntervalTimeline.MOST / 2 + 1);
        assertThat(kept.get(0).lengthNanos()).isEqualTo(2);
        assertThat(kept.get(kept.size() - 1).endNanos()).isEqualTo(IntervalTimeline.MOST + 1);
        assertThat(kept.stream().mapToLong(each -> each.recording().ledger().answered()))
                .hasSize(kept.size())
                .allMatch(count -> count > 0);
        assertThat(kept.stream()
                        .mapToLong(each -> each.recording().ledger().answered())
                        .sum())
                .isEqualTo(IntervalTimeline.MOST + 1);
        IntervalTimeline full = new IntervalTimeline();
        for (int second = 0; second < IntervalTimeline.MOST; second++) {
            full.add(new Interval(second, second + 1, Recording.empty()));
        }
        assertThat(full.intervals()).hasSize(IntervalTimeline.MOST);
    }

    @Test
    void names_that_are_many_are_kept_for_longer_intervals_and_none_is_lost() {
        int names = 2_000;
        int seconds = 100;
        IntervalTimeline course = new IntervalTimeline();
        for (int second = 0; second < seconds; second++) {
            Map<String, Recording> own = new LinkedHashMap<>();
            for (int name = 0; name < names; name++) {
                own.put("n" + name, answered(name));
            }
            course.add(new Interval(second, second + 1, answered(5).withNames(own)));
        }
        List<Interval> kept = course.intervals();
        assertThat(kept).hasSize(seconds);
        assertThat(kept.stream()
                        .mapToInt(each -> each.recording().byName().size())
                        .sum())
                .isBetween(IntervalTimeline.MOST_NAMES / 4, IntervalTimeline.MOST_NAMES);
        List<Interval> ofNames = IntervalTimeline.ofNames(kept);
        assertThat(ofNames.get(0).startNanos()).isZero();
        assertThat(ofNames.get(ofNames.size() - 1).endNanos()).isEqualTo(seconds);
        assertThat(ofNames)
                .hasSizeGreaterThanOrEqualTo(IntervalTimeline.MOST_NAMES / names / 4)
                .allMatch(each -> each.named("n7").recording().ledger().answered() == each.lengthNanos());
        assertThat(IntervalTimeline.ofNames(ofNames)).isEqualTo(ofNames);
    }

    @Test
    void intervals_after_the_last_with_names_stay_as_they_are() {
        Recording named = answered(5).withNames(Map.of("list", answered(5)));
        List<Interval> all = List.of(
                new Interval(0, 1, answered(1)),
                new Interval(1, 2, named),
                new Interval(2, 3, named),
                new Interval(3, 4, answered(2)),
                new Interval(4, 5, answered(3)));
        List<Interval> ofNames = IntervalTimeline.ofNames(all);
        assertThat(ofNames).hasSize(4);
        assertThat(ofNames.get(0))
                .isEqualTo(new Interval(0, 2, Recording.empty().withNames(Map.of("list", answered(5)))));
        assertThat(ofNames.subList(1, 4)).isEqualTo(all.subList(2, 5));
        assertThat(IntervalTimeline.ofNames(all.subList(3, 5))).isEqualTo(all.subList(3, 5));
    }

    @Test
    void silences_move_and_what_never_ended_does_not() {
        assertThat(new Silence(1, 2, 3, 4).later(10)).isEqualTo(new Silence(11, 12, 13, 14));
        assertThat(new Silence(1, 2, Long.MAX_VALUE, Long.MAX_VALUE).later(10))
                .isEqualTo(new Silence(11, 12, Long.MAX_VALUE, Long.MAX_VALUE));
        assertThat(new Silence(10, 20, 50, 60).intersection(new Silence(15, 18, 40, 45)))
                .isEqualTo(new Silence(15, 18, 40, 60));
        assertThat(new Silence(10, 20, 50, 60).intersection(new Silence(30, 35, 70, 75)))
                .isEqualTo(new Silence(30, 30, 50, 60));
        assertThat(new Silence(10, 20, 50, Long.MAX_VALUE).intersection(new Silence(10, 20, 70, 75)))
                .isEqualTo(new Silence(10, 20, 50, 50));
        assertThat(new Pause(3, 8).lengthNanos()).isEqualTo(5);
        assertThat(new Pause(3, 3).lengthNanos()).isZero();
    }

    @Test
    void of_many_spans_the_longest_are_kept() {
        LongestSpans spans = new LongestSpans();
        for (int i = 0; i < 128; i++) {
            assertThat(spans.add(0, 1_000L * i, 1_000L * i + 10 + i, 10 + i)).isEqualTo(i);
        }
        assertThat(spans.add(0, 1, 11, 10)).as("no longer than the shortest").isEqualTo(-1);
        assertThat(spans.add(7, 500_000, 500_011, 11))
                .as("in the place of the shortest")
                .isZero();
        spans.caughtUp(0, 500_020);
        assertThat(spans.silences(5)).hasSize(128).startsWith(new Silence(2, 499_995, 500_006, 500_015));
        assertThat(spans.add(0, 600_000, 600_012, 12)).isIn(0, 1);
    }

    @Test
    void pauses_count_from_the_start_and_those_before_it_do_not() {
        LongestSpans spans = new LongestSpans();
        spans.add(10, 100);
        spans.add(80, 120);
        spans.add(150, 170);
        assertThat(spans.pauses(100)).containsExactly(new Pause(0, 20), new Pause(50, 70));
    }

    private static KeptRequest kept(long index, long responseNanos) {
        return new KeptRequest(
                index,
                1,
                10 * index,
                10 * index + 1,
                10 * index + 2,
                10 * index + 3,
                10 * index + responseNanos,
                4,
                5,
                true);
    }

    @Test
    void kept_requests_move_as_a_whole() {
        KeptRequests kept = KeptRequests.of(List.of(kept(1, 50), kept(2, 90)), List.of(kept(4, 9), kept(3, 8)));
        assertThat(kept.slowest()).containsExactly(kept(2, 90), kept(1, 50));
        assertThat(kept.controls()).containsExactly(kept(3, 8), kept(4, 9));
        KeptRequests later = kept.later(1_000);
        assertThat(later.slowest().get(0))
                .isEqualTo(new KeptRequest(2, 1, 1_020, 1_021, 1_022, 1_023, 1_110, 4, 5, true));
        assertThat(later.controls().get(1).intendedNanos()).isEqualTo(1_040);
        assertThat(kept.isEmpty()).isFalse();
        assertThat(new KeptRequests(List.of(), List.of(kept(1, 2))).isEmpty()).isFalse();
        assertThat(new KeptRequests(List.of(kept(1, 2)), List.of()).isEmpty()).isFalse();
        assertThat(KeptRequests.NONE.isEmpty()).isTrue();
    }

    @Test
    void of_many_shards_each_keeps_fewer() {
        assertThat(KeptRequests.mostOf(1)).isEqualTo(10_000);
        assertThat(KeptRequests.mostOf(2)).isEqualTo(10_000);
        assertThat(KeptRequests.mostOf(4)).isEqualTo(5_000);
        assertThat(KeptRequests.mostOf(1_000)).isEqualTo(500);
    }

    @Test
    void two_parts_keep_what_each_surely_had_and_controls_by_their_requests() {
        List<KeptRequest> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(kept(i, 100 + i));
        }
        KeptRequests whole = KeptRequests.of(all, all);
        assertThat(whole.plus(KeptRequests.NONE, 100, 0)).isSameAs(whole);
        assertThat(KeptRequests.NONE.plus(whole, 0, 100)).isSameAs(whole);
        // half of its requests were kept: those from 150 on, and every second control
        KeptRequests half = KeptRequests.of(all.subList(50, 100), all.subList(0, 50));
        KeptRequests sum = whole.plus(half, 100, 100);
        assertThat(sum.slowest()).hasSize(100).allMatch(each -> each.responseNanos() >= 150);
        assertThat(sum.slowest()).isSortedAccordingTo((a, b) -> Long.compare(b.responseNanos(), a.responseNanos()));
        assertThat(sum.controls()).hasSize(100);
        assertThat(sum.controls()).isSortedAccordingTo((a, b) -> Long.compare(a.intendedNanos(), b.intendedNanos()));
        assertThat(half.plus(whole, 100, 100)).isEqualTo(sum);
        assertThat(whole.plus(half, 100, 100)).as("the same each time").isEqualTo(sum);
        assertThat(whole.plus(whole, 100, 100).slowest()).hasSize(200);
        assertThat(whole.plus(half, 100, 300).controls()).hasSize(17 + 50);
    }

    @Test
    void a_sum_keeps_no_more_than_a_run() {
        List<KeptRequest> slow = new ArrayList<>();
        List<KeptRequest> controls = new ArrayList<>();
        for (int i = 0; i < KeptRequests.MOST; i++) {
            controls.add(kept(i, 100));
            if (i < 6_000) {
                slow.add(kept(i, 1_000 + i));
            }
        }
        KeptRequests part = KeptRequests.of(slow, controls);
        KeptRequests sum = part.plus(part, 20_000, 20_000);
        assertThat(sum.slowest()).hasSize(KeptRequests.MOST).allMatch(each -> each.responseNanos() >= 2_000);
        assertThat(sum.controls()).hasSize(KeptRequests.MOST);
    }

    @Test
    void the_composition_of_response_times_is_restored_from_bands() {
        List<Double> nine = List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
        Attribution.Band first = new Attribution.Band(3, 2, nine);
        Attribution.Band second = new Attribution.Band(9, 1, nine.subList(0, 7));
        assertThat(second.sumsNanos()).hasSize(9).endsWith(7.0, 0.0, 0.0);
        assertThat(Attribution.of(List.of(first, second)).bands()).containsExactly(first, second);
        assertThat(Attribution.of(List.of())).isSameAs(Attribution.empty());
        assertThatThrownBy(() -> Attribution.of(List.of(second, first)))
                .hasMessage("bands must ascend, but 3 followed 9");
        assertThatThrownBy(() -> Attribution.of(List.of(first, first)))
                .hasMessage("bands must ascend, but 3 followed 3");
        assertThat(new Attribution.Band(0, 1, nine).band()).isZero();
        assertThatThrownBy(() -> new Attribution.Band(-1, 1, nine)).hasMessageContaining("but had -1, 1 and 9");
        assertThatThrownBy(() -> new Attribution.Band(0, 0, nine)).hasMessageContaining("but had 0, 0 and 9");
        assertThatThrownBy(() -> new Attribution.Band(0, 1, Collections.nCopies(8, 1.0)))
                .hasMessageContaining("but had 0, 1 and 8");
    }

    @Test
    void a_distribution_is_made_of_durations_that_ascend_and_are_counted() {
        Distribution two = Distribution.of(new long[] {0, 5 * MS}, new long[] {3, 1});
        assertThat(two.count()).isEqualTo(4);
        assertThat(two.minNanos()).isZero();
        assertThat(two.maxNanos()).isBetween(5 * MS, 5 * MS + 5_000);
        assertThat(Distribution.of(new long[] {Distribution.MAX_NANOS}, new long[] {1})
                        .count())
                .isEqualTo(1);
        assertThat(Distribution.of(new long[0], new long[0])).isSameAs(Distribution.empty());
        for (long[] wrong : new long[][] {{5, 5}, {5, 4}, {-1, 5}, {5, Long.MAX_VALUE}}) {
            assertThatThrownBy(() -> Distribution.of(wrong, new long[] {1, 1}))
                    .hasMessageStartingWith("durations must ascend from 0 to " + Distribution.MAX_NANOS);
        }
        assertThatThrownBy(() -> Distribution.of(new long[] {5}, new long[] {0}))
                .hasMessageEndingWith("but there was 5 x 0");
    }

    @Test
    void positions_add_up_place_by_place() {
        ServiceTimesByPosition one = new ServiceTimesByPosition(List.of(times(5), times(6, 7)));
        ServiceTimesByPosition other = new ServiceTimesByPosition(List.of(times(8)));
        ServiceTimesByPosition sum = ServiceTimesByPosition.sum(List.of(one, other));
        assertThat(sum)
                .isEqualTo(ServiceTimesByPosition.sum(List.of(other, one)))
                .isNotEqualTo(one);
        assertThat(sum.all()).containsExactly(times(5, 8), times(6, 7));
        assertThat(sum.last()).isEqualTo(2);
        assertThat(ServiceTimesByPosition.sum(List.of(one, ServiceTimesByPosition.empty())))
                .isEqualTo(one);
        assertThat(one.at(ServiceTimesByPosition.LAST).isEmpty()).isTrue();
        assertThat(one).hasSameHashCodeAs(new ServiceTimesByPosition(List.of(times(5), times(6, 7))));
        List<Distribution> many = Collections.nCopies(ServiceTimesByPosition.LAST + 1, Distribution.empty());
        assertThat(new ServiceTimesByPosition(many.subList(1, many.size())).last())
                .isEqualTo(ServiceTimesByPosition.LAST);
        assertThatThrownBy(() -> new ServiceTimesByPosition(many))
                .hasMessage("positions must be at most 256, but were 257");
        assertThatThrownBy(() -> one.at(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> one.at(ServiceTimesByPosition.LAST + 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void later_positions_are_all_but_the_first() {
        assertThat(new ServiceTimesByPosition(List.of(times(5), times(6), times(7, 8))).afterFirst())
                .isEqualTo(times(6, 7, 8));
        assertThat(ServiceTimesByPosition.empty().afterFirst().isEmpty()).isTrue();
        assertThatThrownBy(() -> new Pause(4, 3)).hasMessage("toNanos must be at least 4, but was 3");
        assertThat(new Ledger(0, 1, 20, 300, 0, 4_000, 50_000).ended()).isEqualTo(321);
    }

    @Test
    void a_redirect_is_a_status_of_three_hundred_but_for_not_modified() {
        OutcomeCounts statuses =
                new OutcomeCounts(Map.of(), 0, Map.of("200", 1L, "302", 20L, "304", 300L, "308", 4_000L), Map.of());
        assertThat(statuses.redirects(4_321)).isEqualTo(4_020);
        assertThat(statuses.redirects(301)).as("none could be followed").isZero();
        assertThat(statuses.redirects(4_000)).as("others failed a check").isEqualTo(3_699);
        assertThat(statuses.redirects(5_000)).as("others were expected").isEqualTo(4_020);
        assertThat(statuses.redirects(0)).isZero();
        assertThat(statuses.isAllSuccess()).isFalse();
        assertThat(new OutcomeCounts(Map.of(), 0, Map.of("200", 1L, "204", 1L), Map.of()).isAllSuccess())
                .isTrue();
        assertThat(Recording.isOfSeveral("(session)")).isTrue();
        assertThat(Recording.isOfSeveral("(group) a")).isTrue();
        assertThat(Recording.isOfSeveral("group")).isFalse();
    }

    /** Of responses that 16 threads record at the same moment, each may lack its other half. */
    @ParameterizedTest(name = "{0} responses, of {1} of which Downbeat's delay is known: {2}")
    @CsvSource({
        "0, 0, true",
        "1, 1, true",
        "1, 0, false",
        "2, 1, true",
        "32, 16, true",
        "32, 15, false",
        "33, 16, false",
        "10000, 9884, true",
        "10000, 9883, false"
    })
    void the_own_delay_is_known_of_99_percent_but_for_one_response_of_each_thread(int all, int known, boolean isKnown) {
        Distribution none = Distribution.empty();
        Distribution response = Distribution.of(LongStream.range(0, all));
        Distribution theirs = Distribution.of(LongStream.range(0, known));
        assertThat(new ResponseTimes(response, none, theirs, none, none, none, none).isOwnDelayKnown())
                .isEqualTo(isKnown);
    }

    @Test
    void a_recording_changes_only_in_what_it_is_asked_to() {
        Recording plain = answered(5, 6);
        Ledger other = new Ledger(3, 2, 0, 0, 0, 1, 0);
        assertThat(plain.withLedger(other).ledger()).isEqualTo(other);
        assertThat(plain.withLedger(other).times()).isEqualTo(plain.times());
        WaitTimes waits = WaitTimes.of(times(1), times(2));
        assertThat(plain.withWaits(waits).waits()).isEqualTo(waits);
        assertThat(plain.withWaits(waits).forTimeline().waits()).isEqualTo(waits);
        Recording named = plain.withNames(Map.of("list", answered(5), "pay", answered(6)));
        assertThat(named.named("pay").response()).isEqualTo(times(6));
        assertThat(named.named("none")).isSameAs(Recording.empty());
        Recording sum = named.plus(answered(7).withNames(Map.of("pay", answered(7))));
        assertThat(sum.named("pay").response()).isEqualTo(times(6, 7));
        assertThat(sum.named("list").response()).isEqualTo(times(5));
        assertThat(plain.plus(named).named("list").response()).isEqualTo(times(5));
    }
}
