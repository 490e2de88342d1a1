package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.audit.ResultCollector.Kinds;
import dev.downbeat.audit.ResultCollector.LongestRequests;
import dev.downbeat.audit.ResultCollector.LongestRequests.Kept;
import dev.downbeat.audit.ResultCollector.Pace;
import dev.downbeat.audit.ResultCollector.Users;
import dev.downbeat.record.Distribution;
import java.time.Instant;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of a file's requests, counted by hand. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResultCollectorTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000_000_000;

    @Test
    void of_more_requests_than_are_kept_the_longest_remain() {
        LongestRequests longest = new LongestRequests();
        assertThat(longest.shortestNanos()).isZero();
        for (int i = 1; i <= LongestRequests.MOST; i++) {
            assertThat(longest.shortestNanos()).isZero();
            longest.add(0, i, -1, -1);
        }
        assertThat(longest.shortestNanos()).isEqualTo(1);
        longest.add(5, 6, 0, 0);
        assertThat(longest.from(1)).as("no longer than the shortest").noneMatch(one -> one.startNanos() == 5);
        for (int more = 1; more <= 3; more++) {
            longest.add(5, 5 + LongestRequests.MOST, 0, 0);
            assertThat(longest.from(1)).hasSize(LongestRequests.MOST);
            assertThat(longest.shortestNanos()).isEqualTo(1 + more);
        }
    }

    @Test
    void kept_requests_are_found_by_their_length_and_by_a_period_that_they_cover() {
        LongestRequests longest = new LongestRequests();
        longest.add(100, 400, 1, 2);
        longest.add(200, 300, 2, -1);
        longest.add(0, 299, 3, 0);
        assertThat(longest.from(100)).extracting(Kept::user).containsExactly(3, 2, 1);
        assertThat(longest.from(101)).extracting(Kept::user).containsExactly(3, 1);
        assertThat(longest.from(301)).isEmpty();
        assertThat(longest.during(200, 300)).extracting(Kept::user).containsExactlyInAnyOrder(1, 2);
        assertThat(longest.during(199, 300)).extracting(Kept::user).containsExactly(1);
        assertThat(longest.during(200, 301)).extracting(Kept::user).containsExactly(1);
        assertThat(longest.during(0, 299)).extracting(Kept::kind).containsExactly(0);
    }

    @Test
    void a_request_is_unusual_from_five_times_the_median_of_its_kind() {
        Kinds kinds = new Kinds();
        kinds.add(-1, 1);
        assertThat(kinds.areSeveral()).isFalse();
        kinds.add(0, 10);
        kinds.add(0, 10);
        assertThat(kinds.areSeveral()).isFalse();
        assertThat(kinds.isUnusual(0, 1))
                .as("of one kind the file as a whole decides")
                .isTrue();
        kinds.add(1, 100);
        kinds.add(1, 100);
        kinds.add(1, 100);
        assertThat(kinds.areSeveral()).isTrue();
        assertThat(kinds.isUnusual(0, 1_000)).as("two are too few").isFalse();
        kinds.add(0, 10);
        assertThat(kinds.isUnusual(0, 50)).isTrue();
        assertThat(kinds.isUnusual(0, 49)).isFalse();
        assertThat(kinds.isUnusual(1, 50)).isFalse();
        assertThat(kinds.isUnusual(-1, 1)).as("of no kind").isTrue();
        assertThat(Kinds.of(200)).isEqualTo(200);
        assertThat(Kinds.of(201)).as("the rest is one kind").isEqualTo(200);
        assertThat(Kinds.of(-1)).isEqualTo(-1);
    }

    /** Starts of one user. */
    private static void starts(Users users, int user, long nanos, long... startsAt) {
        for (long at : startsAt) {
            users.add(user, at, at + nanos);
        }
    }

    @Test
    void a_user_who_waits_for_each_response_is_serial_from_the_fourth_request_on() {
        Users users = new Users();
        assertThat(users.areSerial()).isFalse();
        assertThat(users.thinkNanos(50)).isZero();
        assertThat(users.cycleNanos(50)).isZero();
        assertThat(users.longestGapOf()).isEqualTo(-1);
        starts(users, 0, 30, 0, 100, 200, 400);
        assertThat(users.areSerial()).isTrue();
        starts(users, 1, 30, 10, 110, 210);
        assertThat(users.areSerial()).isFalse();
        starts(users, 1, 30, 310);
        assertThat(users.areSerial()).isTrue();
        assertThat(users.count()).isEqualTo(2);
        assertThat(users.thinkNanos(50)).isEqualTo(70);
        assertThat(users.thinkNanos(100)).isEqualTo(170);
        assertThat(users.cycleNanos(50)).isEqualTo(100);
        assertThat(users.cycleNanos(100)).isEqualTo(200);
        assertThat(users.longestGapNanos()).isEqualTo(200);
        assertThat(users.longestGapAt()).isEqualTo(200);
        assertThat(users.longestGapOf()).isZero();
        users.add(-1, 500, 530);
        assertThat(users.areSerial()).as("one is unknown").isFalse();
    }

    @Test
    void one_in_a_hundred_may_start_before_the_last_one_ended() {
        assertThat(overlapping(100).areSerial()).isTrue();
        assertThat(overlapping(99).areSerial()).isFalse();
    }

    /** One user, whose last request starts 1 ns before the previous one ends. */
    private static Users overlapping(int followers) {
        Users users = new Users();
        for (int i = 0; i < followers; i++) {
            users.add(0, 100L * i, 100L * i + 100);
        }
        users.add(0, 100L * followers - 1, 100L * followers + 100);
        return users;
    }

    @Test
    void users_may_come_in_any_order_and_beyond_the_most_they_are_unknown() {
        Users users = new Users();
        starts(users, 200, 30, 0, 100, 200, 300);
        assertThat(users.count()).isEqualTo(201);
        assertThat(users.areSerial()).as("200 users were not seen yet").isFalse();
        starts(users, 3, 30, 0, 100);
        assertThat(users.cycleNanos(100)).isEqualTo(100);
        Users beyondTheFirst = new Users();
        beyondTheFirst.add(64, 0, 1);
        assertThat(beyondTheFirst.count()).isEqualTo(65);
        users.add(Users.MOST - 1, 0, 1);
        assertThat(users.count()).isEqualTo(Users.MOST);
        users.add(Users.MOST, 0, 1);
        assertThat(users.count()).isEqualTo(Users.MOST);
    }

    private static Pace pace(int gaps, long one, long other) {
        Pace pace = new Pace();
        long at = 0;
        pace.add(at);
        for (int i = 0; i < gaps; i++) {
            at += i % 2 == 0 ? one : other;
            pace.add(at);
        }
        return pace;
    }

    /** Half of them take 10 ns, half take so much more. */
    private static Histogram durations(long spread) {
        Histogram durations = Distribution.newHistogram();
        durations.recordValueWithCount(10, 50);
        durations.recordValueWithCount(10 + spread, 50);
        return durations;
    }

    /** Equal within a tenth and twice the resolution; a closed loop's starts would vary as much as its durations. */
    @ParameterizedTest(name = "{0} gaps of {1} and {2}, durations vary by {3}, resolution {4}: {5}")
    @CsvSource({
        "100, 1000, 1000, 1, 1, true",
        "99, 1000, 1000, 1, 1, false",
        "100, 1000, 1000, 0, 1, false",
        "100, 1000, 1102, 900, 1, true",
        "100, 1000, 1103, 900, 1, false",
        "100, 1000, 1100, 201, 1, true",
        "100, 1000, 1100, 200, 1, false",
        "100, 1000, 1000, 1, 249, true",
        "100, 1000, 1000, 1, 250, false"
    })
    void a_pace_is_constant_if_starts_vary_less_than_durations(
            int gaps, long one, long other, long spread, long resolution, boolean isConstant) {
        assertThat(pace(gaps, one, other).isConstant(resolution, durations(spread)))
                .isEqualTo(isConstant);
    }

    @Test
    void times_are_counted_from_the_first_request_of_the_file() {
        ResultCollector collected = new ResultCollector();
        collected.request(500 * MS, 20 * MS, -1, false);
        collected.request(480 * MS, 10 * MS, -1, true);
        collected.request(600 * MS, 30 * MS, -1, true);
        assertThat(collected.count()).isEqualTo(3);
        assertThat(collected.failed()).isEqualTo(2);
        assertThat(collected.firstStartNanos()).isEqualTo(-20 * MS);
        assertThat(collected.lastStartNanos()).isEqualTo(100 * MS);
        assertThat(collected.lengthNanos()).isEqualTo(150 * MS);
        assertThat(collected.timeOfDay(0)).as("half a second is no time of day").isEmpty();
    }

    @Test
    void a_start_since_the_year_2000_is_a_time_of_day() {
        long year2000 = 946_684_800L * S;
        ResultCollector collected = new ResultCollector();
        collected.request(year2000, MS, -1, false);
        assertThat(collected.timeOfDay(1_500 * MS)).contains(Instant.parse("2000-01-01T00:00:01.500Z"));
        ResultCollector before = new ResultCollector();
        before.request(year2000 - 1, MS, -1, false);
        assertThat(before.timeOfDay(0)).isEmpty();
    }

    @Test
    void impossible_requests_are_refused() {
        ResultCollector collected = new ResultCollector();
        assertThatThrownBy(() -> collected.request(0, -2_500_000, -1, false)).hasMessage("a request lasted -2.5 ms");
        assertThatThrownBy(() -> collected.request(0, Distribution.MAX_NANOS + 1, -1, false))
                .hasMessageStartingWith("a request lasted ");
        assertThatThrownBy(() -> collected.request(Long.MAX_VALUE / 2 + 1, 1, -1, false))
                .hasMessageContaining("more than a year");
        assertThat(collected.count()).isZero();
        long year = 366L * 24 * 3_600 * S;
        collected.request(0, 0, -1, false);
        collected.request(year, Distribution.MAX_NANOS, -1, false);
        collected.request(-year, 0, -1, false);
        assertThatThrownBy(() -> collected.request(year + 1, 0, -1, false))
                .hasMessage("a request started more than a year from the first one");
        assertThatThrownBy(() -> collected.request(-year - 1, 0, -1, false))
                .hasMessage("a request started more than a year from the first one");
        assertThat(collected.count()).isEqualTo(3);
    }

    @Test
    void the_first_target_and_the_first_finding_of_a_kind_count() {
        ResultCollector collected = new ResultCollector();
        collected.target("");
        collected.target("http://a/");
        collected.target("http://b/");
        assertThat(collected.target()).isEqualTo("http://a/");
        collected.dropped(0);
        assertThat(collected.findings()).isEmpty();
        collected.dropped(1);
        collected.dropped(2);
        assertThat(collected.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("dropped_iterations");
            assertThat(finding.isWeighty()).isTrue();
            assertThat(finding.text()).startsWith("1 iteration never started");
        });
        collected.resolutionNanos(-5);
        assertThat(collected.resolutionNanos()).isEqualTo(1);
    }

    /** Starts that are known to half a second only say nothing of requests that are shorter. */
    @ParameterizedTest(name = "resolution {0} ms, all take {1} ms: {2}")
    @CsvSource({"500, 499, true", "500, 500, false", "499, 400, false", "1000, 600, true"})
    void of_coarse_times_only_the_durations_are_used(long resolution, long millis, boolean isCoarse) {
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(resolution * MS);
        for (int i = 0; i < 2_000; i++) {
            collected.request(i * 10 * MS, i < 1_980 ? millis * MS : 2 * S, -1, i % 2 == 0);
        }
        List<AuditResult> audited = Audit.of("file", collected, 0.1);
        assertThat(audited).singleElement().satisfies(result -> {
            assertThat(result.plan().isEmpty()).isEqualTo(isCoarse);
            assertThat(result.count()).isEqualTo(2_000);
            assertThat(result.lengthNanos()).isEqualTo(19_990 * MS + 2 * S);
            assertThat(result.findings())
                    .anyMatch(finding ->
                            finding.code().equals("failures") && finding.text().startsWith("1,000 "));
            assertThat(result.rows().get(0).printedNanos() / MS).isBetween(millis, millis + 1);
        });
        assertThat(collected.distributions().get(0).max().orElseThrow() / MS).isBetween(2_000L, 2_001L);
        assertThat(collected.distributions().get(0).mean().orElseThrow() / MS)
                .isBetween(millis * 99 / 100 + 19, millis * 99 / 100 + 21);
    }
}
