package dev.downbeat.verdict;

import static dev.downbeat.verdict.Judged.codes;
import static dev.downbeat.verdict.Judged.only;
import static dev.downbeat.verdict.Judged.quiet;
import static dev.downbeat.verdict.Judged.verdict;
import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static dev.downbeat.verdict.RunFixture.STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.ProcessDelays;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ShardRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.Caveat.ShardCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From where on something is worth a word: just below each limit, and at it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChecksTest {
    private static ShardRun shard(int number, Instant started, String... doubts) {
        return new ShardRun(
                number,
                started,
                Optional.of(RunSpan.Ending.COMPLETE),
                20 * S,
                1,
                1,
                0,
                0,
                0,
                GeneratorHealth.IDEAL,
                1,
                List.of(doubts));
    }

    /** A run of 20 s: a twentieth of it is 1 s. */
    @ParameterizedTest(name = "full for {0} ns, busy for {1}: {2}")
    @CsvSource({
        "1_000_000_000, 900_000_000, true",
        "1_000_000_000, 899_999_999, false",
        "999_999_999, 999_999_999, false",
        "20_000_000_000, 18_000_000_000, true"
    })
    void busy_is_who_was_so_for_nine_tenths_of_a_twentieth_of_the_run(String full, String busy, boolean named) {
        RunVerdict verdict = verdict(quiet().full(nanos(full), nanos(busy)));
        assertThat(codes(verdict).contains("client_busy")).isEqualTo(named);
    }

    private static long nanos(String text) {
        return Long.parseLong(text.replace("_", ""));
    }

    @Test
    void in_a_short_run_no_connection_must_have_been_free_for_a_tenth_of_a_second() {
        assertThat(codes(verdict(quiet().ended(RunSpan.Ending.COMPLETE, S).full(100 * MS, 100 * MS))))
                .contains("client_busy");
        assertThat(codes(verdict(quiet().ended(RunSpan.Ending.COMPLETE, S).full(100 * MS - 1, 100 * MS - 1))))
                .doesNotContain("client_busy");
        OwnDelay.ClientBusy busy = only(OwnDelay.ClientBusy.class, verdict(quiet().full(4 * S, 3_800 * MS)));
        assertThat(busy.busyShare()).isEqualTo(0.95);
    }

    @Test
    void processor_waits_and_collections_beyond_a_twentieth_count_as_often_late() {
        assertThat(often(new ProcessDelays(800 * MS, 9 * S, 200 * MS + 1, 0, 0, 0)))
                .hasValue(S + 1);
        assertThat(often(new ProcessDelays(800 * MS, 9 * S, 200 * MS, 0, 0, 0))).isEmpty();
        // where the operating system does not report it how long we waited for a processor, standstills do
        assertThat(often(new ProcessDelays(-1, 800 * MS, 200 * MS + 1, 0, 0, 0)))
                .hasValue(S + 1);
        assertThat(often(new ProcessDelays(0, 9 * S, 0, 0, 0, 0))).isEmpty();
    }

    @Test
    void own_delay_never_exceeds_the_length_of_the_run() {
        RunFixture brief = new RunFixture()
                .answered(2, MS)
                .strain(new ProcessDelays(3 * S, 0, 0, 0, 0, 0))
                .until(20 * S)
                .ended(RunSpan.Ending.COMPLETE, MS);
        assertThat(only(OwnDelay.OftenLate.class, verdict(brief)).brief())
                .isEqualTo("Downbeat itself was paused, or waited for a processor, for 100 % of the time");
    }

    private static Optional<Long> often(ProcessDelays strain) {
        return verdict(quiet().until(S).strain(strain)).caveats().stream()
                .filter(OwnDelay.OftenLate.class::isInstance)
                .map(caveat -> ((OwnDelay.OftenLate) caveat).lateNanos())
                .findFirst();
    }

    @Test
    void a_shard_is_late_from_the_first_nanosecond_on_and_unsound_beyond_the_skew_that_a_merge_accepts() {
        assertThat(codes(verdict(quiet().start(STARTED)))).isEmpty();
        assertThat(codes(verdict(quiet().start(STARTED.plusNanos(1))))).isEmpty();
        for (long lateNanos : new long[] {1, 100 * MS, 100 * MS + 1}) {
            RunVerdict late = verdict(quiet().start(STARTED.minusNanos(lateNanos)));
            assertThat(only(ShardCaveat.StartedLate.class, late).lateNanos()).isEqualTo(lateNanos);
            assertThat(late.measurement())
                    .isEqualTo(lateNanos > 100 * MS ? RunVerdict.Soundness.UNSOUND : RunVerdict.Soundness.SOUND);
        }
    }

    @Test
    void a_corrected_clock_makes_no_shard_late_and_hides_no_lateness() {
        for (long lateNanos : new long[] {0, 1}) {
            RunResult result = quiet().start(STARTED.minusNanos(lateNanos)).result();
            RunVerdict own = RunVerdict.of(result, List.of());
            for (Duration by : List.of(Duration.ofSeconds(3), Duration.ofSeconds(-3))) {
                assertThat(RunVerdict.of(result.later(by), List.of()).caveats()).isEqualTo(own.caveats());
            }
        }
    }

    @Test
    void the_sum_of_shards_names_missing_and_doubtful_ones() {
        RunVerdict verdict = verdict(quiet().shards(
                        ShardRun.missing(3),
                        shard(2, STARTED, "late", "busy"),
                        shard(1, STARTED),
                        ShardRun.missing(0)));
        ShardCaveat.ShardsMissing missing = only(ShardCaveat.ShardsMissing.class, verdict);
        assertThat(missing.missing()).containsExactly(0, 3);
        assertThat(missing.count()).isEqualTo(4);
        assertThat(only(ShardCaveat.ShardsDoubtful.class, verdict))
                .isEqualTo(new ShardCaveat.ShardsDoubtful(List.of(2), 4, "late"));
        assertThat(codes(verdict(quiet().shards(shard(0, STARTED), shard(1, STARTED)))))
                .isEmpty();
    }

    @Test
    void shards_may_begin_a_tenth_of_a_second_apart() {
        assertThat(codes(verdict(quiet().shards(shard(0, STARTED.plusMillis(100)), shard(1, STARTED)))))
                .isEmpty();
        RunVerdict apart = verdict(quiet().shards(shard(0, STARTED.plusNanos(100 * MS + 1)), shard(1, STARTED)));
        assertThat(only(ShardCaveat.StartSkew.class, apart).skewNanos()).isEqualTo(100 * MS + 1);
    }

    /** One stopped before its end is in doubt; one stopped after it lacks no load, and no shard tells of it. */
    @ParameterizedTest
    @CsvSource({"0, true", "4, false", "21, true"})
    void that_a_sum_was_stopped_is_told_unless_a_shard_is_in_doubt_for_it(long seconds, boolean isTold) {
        ShardRun stopped = new ShardRun(
                1,
                STARTED,
                Optional.of(RunSpan.Ending.INTERRUPTED),
                seconds * S,
                1,
                1,
                0,
                0,
                0,
                GeneratorHealth.IDEAL,
                1,
                List.of());
        RunVerdict verdict =
                verdict(quiet().shards(shard(0, STARTED), stopped).ended(RunSpan.Ending.INTERRUPTED, 21 * S));
        assertThat(codes(verdict).contains("interrupted")).isEqualTo(isTold);
    }

    @Test
    void a_record_that_was_cut_off_says_so_once_and_of_a_merged_run_with_the_shard() {
        RunFixture alone = quiet().inFlight(7, MS).ended(RunSpan.Ending.CUT_OFF, 3 * S);
        assertThat(only(RunDefect.CutOff.class, verdict(alone))).isEqualTo(new RunDefect.CutOff(3 * S, 7));
        RunFixture merged = quiet().shards(shard(0, STARTED)).ended(RunSpan.Ending.CUT_OFF, 3 * S);
        assertThat(codes(verdict(merged))).doesNotContain("cut_off");
        assertThat(codes(verdict(quiet().ended(RunSpan.Ending.DECIDED, 3 * S)))).isEmpty();
    }

    @Test
    void a_run_that_broke_and_does_not_say_why_broke_all_the_same() {
        RunVerdict verdict = verdict(quiet().ended(RunSpan.Ending.BROKEN, 2 * S));
        assertThat(only(RunDefect.Broken.class, verdict)).isEqualTo(new RunDefect.Broken("no reason given", 2 * S));
    }

    @Test
    void without_answers_the_most_frequent_failure_and_reached_service_are_reported() {
        RunVerdict verdict = verdict(new RunFixture()
                .failedResponse(3, "HTTP 503", MS)
                .failed(5, "refused", MS)
                .failed(1, "reset", MS)
                .timedOut(2, S));
        assertThat(only(RunDefect.NothingAnswered.class, verdict))
                .isEqualTo(new RunDefect.NothingAnswered(11, 5, "refused"));
        assertThat(only(RunDefect.NothingAnswered.class, verdict(new RunFixture().inFlight(4, S))))
                .isEqualTo(new RunDefect.NothingAnswered(4, 4, ""));
        assertThat(only(
                        RunDefect.NothingAnswered.class,
                        verdict(new RunFixture().keptBy("no row left", 3).keptBy("too many open files", 9))))
                .isEqualTo(new RunDefect.NothingAnswered(12, 0, "too many open files"));
        assertThat(codes(verdict(new RunFixture()))).doesNotContain("nothing_answered");
    }

    @Test
    void a_doubt_is_named_before_a_note_however_large_its_share() {
        // at p50 a third of 0.9 ms is ours, at p99 2 ms of 12 ms
        RunFixture run = new RunFixture().answered(40_000, 300_000, 0, 600_000).answered(10_000, 2 * MS, 0, 10 * MS);
        OwnDelay.GeneratorLate late = only(OwnDelay.GeneratorLate.class, verdict(run));
        assertThat(late.percentile()).isEqualTo(90);
        assertThat(late.isDoubt()).isTrue();
    }

    @Test
    void a_doubt_stays_named_where_a_note_follows() {
        // at p50 1.5 ms of 2 ms are ours, at p90 0.6 ms of 5 ms
        RunFixture run =
                new RunFixture().answered(30_000, 1_500_000, 0, 500_000).answered(20_000, 600_000, 0, 4_400_000);
        assertThat(only(OwnDelay.GeneratorLate.class, verdict(run)).percentile())
                .isEqualTo(50);
    }

    @Test
    void of_two_doubts_the_one_with_the_greater_share_is_named_however_short_it_is() {
        // at p50 4 ms of 5 ms, at p90 30 ms of 100 ms
        RunFixture run = new RunFixture().answered(30_000, 4 * MS, 0, MS).answered(20_000, 30 * MS, 0, 70 * MS);
        assertThat(only(OwnDelay.GeneratorLate.class, verdict(run)).percentile())
                .isEqualTo(50);
    }

    @Test
    void a_duration_that_is_advised_is_in_whole_seconds_minutes_or_hours() {
        assertThat(advised(100, "p99<1s")).isEqualTo(100 * S);
        assertThat(advised(82, "p99<1s")).as("122 s").isEqualTo(180 * S);
        assertThat(advised(2, "p99<1s")).as("5,000 s").isEqualTo(84 * 60 * S);
        assertThat(advised(1, "p99<1s")).as("10,000 s").isEqualTo(3 * 3_600 * S);
    }

    private static long advised(long count, String slo) {
        return only(DataLimit.TooFewSamples.class, verdict(new RunFixture().answered(count, MS), slo))
                .longerNanos();
    }

    @Test
    void answers_of_the_kinds_2_and_4_are_no_redirects() {
        RunFixture run = new RunFixture()
                .answeredWith(200, 900, MS)
                .answeredWith(304, 10, MS)
                .answeredWith(403, 10, MS);
        assertThat(codes(verdict(run))).doesNotContain("not_followed");
        assertThat(only(DataLimit.NotFollowed.class, verdict(new RunFixture().answeredWith(301, 1, MS))))
                .isEqualTo(new DataLimit.NotFollowed(1, 1));
    }

    @Test
    void cut_off_and_timed_out_requests_are_counted_separately() {
        RunVerdict verdict = verdict(new RunFixture()
                .answered(900, MS)
                .timedOut(50, S)
                .inFlight(20, S)
                .neverSent(30, S));
        DataLimit.TailCensored censored = only(DataLimit.TailCensored.class, verdict);
        assertThat(censored.timedOut()).isEqualTo(50);
        assertThat(censored.cutOff()).isEqualTo(50);
        assertThat(censored.percentiles()).containsExactly(95.0, 99.0, 100.0);
    }
}
