package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.audit.AuditResult.AuditVerdict;
import dev.downbeat.audit.AuditResult.Row;
import dev.downbeat.audit.Stalls.FoundStall;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From where on a result hides something, and from where on something is worth saying: files and distributions on paper. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AuditLimitsTest {
    private static final long MS = 1_000_000;
    private static final double NANOS = 1e6;
    private static final long S = 1_000_000_000;

    // ---- the verdict

    private static Row row(double percentile, long printed, long atLeast, long atMost) {
        return new Row(percentile, printed, atLeast, OptionalLong.of(atMost), true, 0);
    }

    private static Row open(boolean isJudged) {
        return new Row(99, 1_000, 1_000, OptionalLong.empty(), isJudged, 0);
    }

    @Test
    void a_percentile_hides_what_exceeds_it_by_more_than_the_tolerance() {
        assertThat(row(99, 1_000, 1_500, 9_000).hides(0.5)).isFalse();
        assertThat(row(99, 1_000, 1_501, 9_000).hides(0.5)).isTrue();
        assertThat(row(99, 1_000, 1_000, 1_500).mayHide(0.5)).isFalse();
        assertThat(row(99, 1_000, 1_000, 1_501).mayHide(0.5)).isTrue();
        assertThat(open(true).mayHide(0.5)).isTrue();
        Row unjudged = new Row(99, 1_000, 9_000, OptionalLong.empty(), false, 0);
        assertThat(unjudged.hides(0.5)).isFalse();
        assertThat(unjudged.mayHide(0.5)).isFalse();
    }

    @Test
    void one_percentile_that_hides_something_decides() {
        Row sound = row(50, 1_000, 1_000, 1_000);
        Row hides = row(99, 1_000, 2_000, 3_000);
        assertThat(AuditVerdict.of(List.of(sound), 0.5)).isEqualTo(AuditVerdict.SOUND);
        assertThat(AuditVerdict.of(List.of(sound, open(true), hides), 0.5)).isEqualTo(AuditVerdict.HIDES);
        assertThat(AuditVerdict.of(List.of(sound, open(true)), 0.5)).isEqualTo(AuditVerdict.CANNOT_TELL);
        assertThat(AuditVerdict.of(List.of(sound, open(false)), 0.5)).isEqualTo(AuditVerdict.SOUND);
        assertThat(AuditVerdict.of(List.of(open(false)), 0.5)).isEqualTo(AuditVerdict.CANNOT_TELL);
        assertThat(AuditVerdict.of(List.of(), 0.5)).isEqualTo(AuditVerdict.CANNOT_TELL);
    }

    @Test
    void the_worst_percentile_hides_the_greatest_multiple_of_what_it_prints() {
        assertThat(result(row(50, 100, 300, 300), row(99, 1_000, 2_000, 2_000), row(90, 100, 149, 900))
                        .worst())
                .contains(row(50, 100, 300, 300));
        assertThat(result(row(50, 0, 2, 2), row(99, 100, 300, 300)).worst())
                .as("2 ns instead of none are not infinitely more")
                .contains(row(99, 100, 300, 300));
        assertThat(result(row(50, 100, 150, 900)).worst()).isEmpty();
    }

    private static AuditResult result(Row... rows) {
        return new AuditResult(
                "file",
                "tool",
                "",
                1_000,
                S,
                Optional.empty(),
                List.of(rows),
                List.of(),
                List.of(),
                AuditVerdict.HIDES,
                0.5);
    }

    // ---- stalls

    private static FoundStall stall(long starts, Optional<FoundStall.AffectedUsers> part) {
        return new FoundStall(S, 3 * S, 5, starts, 100, 120, true, part);
    }

    /** Of 100 a second 200 should have started in 2 s. */
    @Test
    void what_should_have_started_in_a_stall_and_did_not_was_omitted() {
        assertThat(stall(50, Optional.empty()).lengthNanos()).isEqualTo(2 * S);
        assertThat(stall(50, Optional.empty()).omitted()).isEqualTo(150);
        assertThat(stall(201, Optional.empty()).omitted()).isZero();
        assertThat(stall(149, Optional.empty()).isCoordinated()).isTrue();
        assertThat(stall(150, Optional.empty()).isCoordinated())
                .as("three quarters did")
                .isFalse();
        assertThat(stall(149, Optional.of(part(7.9, true))).omitted()).isEqualTo(7);
        assertThat(stall(900, Optional.of(part(7.9, true))).isCoordinated()).isTrue();
        assertThat(stall(0, Optional.of(part(7.9, false))).isCoordinated()).isFalse();
    }

    private static FoundStall.AffectedUsers part(double missing, boolean isWaiting) {
        return new FoundStall.AffectedUsers(2, 8, List.of(S, S), missing, isWaiting);
    }

    // ---- distributions without requests

    /** Of a loop of eight users for ten seconds, if they are given. */
    private static Summary.Draft summary(long count, double... percentilesAndMillis) {
        Summary.Draft draft = new Summary.Draft().count(count);
        for (int i = 0; i < percentilesAndMillis.length; i += 2) {
            draft.percentile(percentilesAndMillis[i], percentilesAndMillis[i + 1] * NANOS);
        }
        return draft;
    }

    private static AuditResult audited(Summary.Draft draft) {
        ResultCollector collected = new ResultCollector();
        collected.summary(draft.done());
        return Audit.of("file", collected, 0.1).get(0);
    }

    private static List<String> codes(AuditResult audited) {
        return audited.findings().stream().map(AuditFinding::code).toList();
    }

    @Test
    void a_maximum_of_less_than_three_medians_leaves_no_room_for_a_stall() {
        assertThat(audited(summary(10_000, 50, 20, 99, 25).max(59.9 * NANOS)).verdict())
                .isEqualTo(AuditVerdict.SOUND);
        AuditResult three = audited(summary(10_000, 50, 20, 99, 25).max(60 * NANOS));
        assertThat(three.verdict()).isEqualTo(AuditVerdict.CANNOT_TELL);
        assertThat(three.rows()).extracting(Row::atMostNanos).containsOnly(OptionalLong.of(60 * MS));
        assertThat(three.rows()).extracting(Row::atLeastNanos).containsExactly(20 * MS, 25 * MS);
        AuditResult unknown = audited(summary(10_000, 50, 20, 99, 25));
        assertThat(unknown.rows()).extracting(Row::atMostNanos).containsOnly(OptionalLong.empty());
        assertThat(audited(summary(10_000, 50, 20, 99, 25).max(60 * NANOS).corrected())
                        .verdict())
                .as("counted from the intended times")
                .isEqualTo(AuditVerdict.SOUND);
    }

    /** Ten requests of at most 1 s take up an eighth of the 80 s of eight users; a caller meets them twice as often. */
    @Test
    void a_stall_that_few_callers_can_have_met_leaves_the_lower_percentiles_sound() {
        Summary.Draft draft = summary(1_000, 50, 20, 75, 20, 76, 20, 99, 20).max(1_000 * NANOS);
        assertThat(mostMillis(draft.users(8).lengthNanos(10e9))).containsExactly(20L, 20L, 1_000L, 1_000L);
        assertThat(mostMillis(draft.users(0))).as("of nobody knows how many").containsOnly(1_000L);
        assertThat(mostMillis(draft.users(8).lengthNanos(0))).containsOnly(1_000L);
        assertThat(mostMillis(draft.count(0).lengthNanos(10e9))).containsOnly(1_000L);
    }

    /** 990 of the requests took at least 9.8 s in all, so that a mean of 15 ms leaves 5.2 s of 80 s for the others. */
    @Test
    void the_mean_bounds_the_time_of_the_slow_requests() {
        Summary.Draft draft = summary(1_000, 50, 20, 86, 20, 88, 20, 99, 20)
                .max(1_000 * NANOS)
                .users(8)
                .lengthNanos(10e9)
                .mean(15 * NANOS);
        assertThat(mostMillis(draft)).containsExactly(20L, 20L, 1_000L, 1_000L);
        assertThat(mostMillis(draft.mean(16 * NANOS))).containsExactly(20L, 1_000L, 1_000L, 1_000L);
        assertThat(mostMillis(draft.mean(9 * NANOS))).as("no time is left").containsOnly(20L);
    }

    private static List<Long> mostMillis(Summary.Draft draft) {
        return audited(draft).rows().stream()
                .map(row -> row.atMostNanos().orElseThrow() / MS)
                .toList();
    }

    @Test
    void ten_requests_beyond_make_a_percentile() {
        AuditResult enough = audited(summary(1_000, 50, 20, 99, 25).max(30 * NANOS));
        assertThat(enough.rows()).extracting(Row::isJudged).containsExactly(true, true);
        assertThat(codes(enough)).isEmpty();
        AuditResult few = audited(summary(999, 50, 20, 99, 25, 99.9, 26).max(30 * NANOS));
        assertThat(few.rows()).extracting(Row::isJudged).containsExactly(true, false, false);
        assertThat(few.findings())
                .extracting(AuditFinding::text)
                .as("the first one only")
                .containsExactly("p99 rests on 10 of 999 requests");
        AuditResult many = audited(summary(1_000_000, 99.9, 25, 99.95, 26).max(30 * NANOS));
        assertThat(many.rows()).extracting(Row::isJudged).containsExactly(true, false);
        AuditResult none = audited(summary(0, 50, 20, 99, 25).max(30 * NANOS));
        assertThat(codes(none)).containsExactly("no_count");
        assertThat(none.verdict()).isEqualTo(AuditVerdict.CANNOT_TELL);
    }

    /** 100 - 99.9 is not 0.1 in binary. */
    @Test
    void p99_9_needs_ten_thousand_requests_and_no_more() {
        AuditResult enough = audited(summary(10_000, 50, 20, 99.9, 25).max(30 * NANOS));
        assertThat(enough.rows()).extracting(Row::isJudged).containsExactly(true, true);
        assertThat(codes(enough)).isEmpty();
        AuditResult few = audited(summary(9_999, 50, 20, 99.9, 25).max(30 * NANOS));
        assertThat(few.rows()).extracting(Row::isJudged).containsExactly(true, false);
        assertThat(codes(few)).containsExactly("few_samples");
        assertThat(audited(10_000, 0, 1).rows().get(4).isJudged()).isTrue();
        assertThat(audited(9_999, 0, 1).rows().get(4).isJudged()).isFalse();
    }

    @Test
    void only_the_upper_half_of_a_distribution_is_shown() {
        assertThat(audited(summary(1_000, 0, 10, 49.9, 20, 50, 20, 99.9, 25, 100, 26)
                                .max(30 * NANOS))
                        .rows())
                .extracting(Row::percentile)
                .containsExactly(50.0, 99.9);
    }

    /** A maximum of more than ten times the highest percentile from p90 to p99.9. */
    @ParameterizedTest(name = "p{0} of 20 ms, a maximum of {1} ms: {2}")
    @CsvSource({
        "99, 200, false",
        "99, 200.001, true",
        "90, 200.001, true",
        "89.9, 900, false",
        "99.9, 200.001, true",
        "99.91, 900, false"
    })
    void a_maximum_far_beyond_the_percentiles_is_typical_of_a_stall(double percentile, double max, boolean isNamed) {
        Summary.Draft draft = summary(100_000, percentile, 20).max(max * NANOS);
        assertThat(codes(audited(draft)).contains("vertical_rise")).isEqualTo(isNamed);
        assertThat(codes(audited(draft.corrected())))
                .doesNotContain("vertical_rise")
                .contains("already_corrected");
    }

    @Test
    void a_rise_says_how_steep_it_is() {
        AuditResult audited = audited(summary(100_000, 50, 10, 99.9, 20).max(1_010 * NANOS));
        assertThat(audited.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.isWeighty()).isTrue();
            assertThat(finding.text()).startsWith("the maximum, 1.01 s, is 51 times p99.9, ");
        });
    }

    /** The stall of a file with p99.9 is between p99 and p99.9. */
    @Test
    void a_rise_below_the_last_percentile_is_named_too() {
        AuditResult audited =
                audited(summary(100_000, 50, 10, 99, 20, 99.9, 1_000).max(1_010 * NANOS));
        assertThat(audited.findings().get(0).text()).startsWith("the maximum, 1.01 s, is 51 times p99, ");
        assertThat(codes(audited(
                        summary(100_000, 50, 10, 90, 12, 99, 100, 99.9, 900).max(1_010 * NANOS))))
                .doesNotContain("vertical_rise");
        assertThat(codes(audited(summary(100_000, 50, 10, 99, 200).max(210 * NANOS))))
                .as("below p90")
                .doesNotContain("vertical_rise");
    }

    @Test
    void percentiles_that_fall_or_exceed_the_maximum_are_impossible() {
        assertThat(codes(audited(summary(1_000, 50, 20, 90, 20).max(20 * NANOS))))
                .isEmpty();
        AuditResult falls = audited(summary(1_000, 50, 20, 90, 19).max(20 * NANOS));
        assertThat(falls.verdict()).isEqualTo(AuditVerdict.CANNOT_TELL);
        assertThat(falls.findings().get(0).text()).startsWith("p90 is 19.0 ms and p50 is 20.0 ms: ");
        // 0.2 % and a microsecond may come of rounding
        assertThat(codes(audited(summary(1_000, 90, 100.2009).max(100 * NANOS))))
                .isEmpty();
        AuditResult beyond = audited(summary(1_000, 90, 100.2011).max(100 * NANOS));
        assertThat(beyond.findings().get(0).text()).startsWith("p90 is 100 ms, more than the maximum of 100 ms: ");
        assertThat(beyond.verdict()).isEqualTo(AuditVerdict.CANNOT_TELL);
        Summary.Draft mean = summary(1_000, 50, 20).max(100 * NANOS);
        assertThat(codes(audited(mean.mean(100.2009 * NANOS)))).isEmpty();
        assertThat(codes(audited(mean.mean(100.2011 * NANOS)))).containsExactly("impossible_percentiles");
    }

    @Test
    void failures_of_a_distribution_are_noted() {
        AuditResult audited = audited(summary(1_000, 50, 20).max(30 * NANOS).failed(1));
        assertThat(codes(audited)).containsExactly("failures");
        assertThat(audited.findings().get(0).text()).startsWith("1 request failed");
    }

    /** A distribution of more than fifteen percentiles is shown by those that are usual. */
    @Test
    void of_many_percentiles_the_usual_are_shown() {
        Summary.Draft draft = summary(100_000, 50, 20, 99, 20);
        for (int percentile = 51; percentile <= 63; percentile++) {
            draft.percentile(percentile, 20 * NANOS);
        }
        draft.max(30 * NANOS);
        assertThat(audited(draft).rows()).hasSize(15);
        assertThat(audited(draft.percentile(64, 20 * NANOS)).rows())
                .extracting(Row::percentile)
                .containsExactly(50.0, 99.0);
    }

    // ---- files with requests

    /** One request every 10 ms, each of which takes 5 ms and a little. */
    private static ResultCollector evenly(int count, int failed, long resolutionNanos) {
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(resolutionNanos);
        for (int i = 0; i < count; i++) {
            collected.request(i * 10 * MS, 5 * MS + i * 7 % 11 * 10_000, -1, i < failed);
        }
        return collected;
    }

    private static AuditResult audited(int count, int failed, long resolutionNanos) {
        return Audit.of("file", evenly(count, failed, resolutionNanos), 0.1).get(0);
    }

    @Test
    void failures_are_noted_from_one_in_a_hundred_on() {
        assertThat(codes(audited(2_000, 19, 1))).doesNotContain("failures");
        assertThat(audited(2_000, 20, 1).findings())
                .extracting(AuditFinding::text)
                .contains("20 of 2,000 requests failed; their times are among the percentiles");
    }

    @Test
    void p99_needs_a_thousand_requests() {
        assertThat(codes(audited(1_000, 0, 1))).doesNotContain("few_samples");
        assertThat(audited(999, 0, 1).findings())
                .extracting(AuditFinding::text)
                .contains("p99 needs 1,000 requests, but the file has 999");
        assertThat(audited(1_000, 0, 1).rows().get(3).isJudged()).isTrue();
        assertThat(audited(999, 0, 1).rows().get(3).isJudged()).isFalse();
    }

    @Test
    void steps_of_more_than_a_tenth_of_the_median_are_named() {
        assertThat(codes(audited(2_000, 0, MS / 2))).doesNotContain("resolution");
        assertThat(audited(2_000, 0, MS).findings())
                .extracting(AuditFinding::text)
                .anyMatch(text -> text.startsWith("times have a resolution of only 1.00 ms; the median is 5.0"));
    }

    @Test
    void of_an_even_load_nothing_is_hidden() {
        AuditResult audited = audited(2_000, 0, 1);
        assertThat(audited.verdict()).isEqualTo(AuditVerdict.SOUND);
        assertThat(audited.rows()).allSatisfy(row -> {
            assertThat(row.atLeastNanos()).isEqualTo(row.printedNanos());
            assertThat(row.atMostNanos()).hasValue(row.printedNanos());
        });
    }

    /** Eight users whose requests take 1.4 ms, in a file of whole milliseconds. */
    @Test
    void whole_milliseconds_bound_a_fast_service_to_a_millisecond() {
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(MS);
        collected.durationResolutionNanos(MS);
        for (int i = 0; i < 4_000; i++) {
            collected.request((long) (1.4 * i) * MS, MS, i % 8, false);
        }
        AuditResult audited = Audit.of("file", collected, 0.1).get(0);
        assertThat(audited.verdict()).isEqualTo(AuditVerdict.SOUND);
        Row median = audited.rows().get(0);
        assertThat(median.printedNanos()).isCloseTo(MS, within(MS / 1_000));
        assertThat(1_400_000L)
                .isBetween(median.atLeastNanos(), median.atMostNanos().orElseThrow());
        assertThat(median.isRough(0.1)).isTrue();
        assertThat(median.isRough(1.1)).isFalse();
    }

    @Test
    void only_what_exceeds_tolerance_and_rounding_may_be_hidden() {
        Row rounded = new Row(50, MS, 0, OptionalLong.of(2 * MS), true, MS);
        assertThat(rounded.mayHide(0.1)).isFalse();
        assertThat(new Row(50, MS, 0, OptionalLong.of(2 * MS + 1), true, MS).mayHide(0.1))
                .isTrue();
        assertThat(new Row(50, 100 * MS, 99 * MS, OptionalLong.of(110 * MS), true, MS).mayHide(0.1))
                .isFalse();
        assertThat(new Row(50, 100 * MS, 99 * MS, OptionalLong.of(111 * MS), true, MS).mayHide(0.1))
                .isTrue();
    }

    /** Four users, all of whom wait for a second, six times. */
    @Test
    void of_many_stalls_the_first_five_are_named_and_the_others_counted() {
        ResultCollector collected = new ResultCollector();
        for (int round = 0; round < 7; round++) {
            long begin = round * 3_000L;
            for (long at = begin; at < begin + 2_000; at += 10) {
                boolean isStuck = round < 6 && at == begin + 1_990;
                long length = isStuck ? 1_010 + round : 9;
                for (int user = 0; user < 4; user++) {
                    collected.request(at * MS + user, length * MS - user, user, false);
                }
            }
        }
        AuditResult audited = Audit.of("file", collected, 0.1).get(0);
        assertThat(audited.stalls()).hasSize(6);
        assertThat(audited.findings())
                .filteredOn(finding -> finding.code().equals("omitted_requests"))
                .hasSize(5);
        assertThat(audited.findings())
                .filteredOn(finding -> finding.code().equals("more_stalls"))
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.text()).startsWith("1 more stall was found; the longest of all took 1.0"));
    }
}
