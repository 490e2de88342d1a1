package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.RecordedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.WaitTimes;
import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.run.RunSpan.Ending;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What follows from the numbers of a run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunResultTest {
    private static final long MS = 1_000_000;
    private static final Workload LOAD = new Workload.Open(new Constant(Rate.perSecond(100)));
    private static final RunPlan PLAN =
            RunPlan.builder(LOAD).duration(Duration.ofSeconds(1)).build();

    private static Recording answered(long... nanos) {
        Ledger ledger = new Ledger(nanos.length, nanos.length, 0, 0, 0, 0, 0);
        return Recording.of(
                ledger,
                ResponseTimes.ofAnswered(Distribution.of(LongStream.of(nanos))),
                OutcomeCounts.ofFailures(Map.of()));
    }

    private static RunResult result(RunPlan plan, RunSpan span, Recording recording, GeneratorHealth health) {
        return new RunResult(plan, "service", span, recording, List.of(), LaneCounts.NONE, health);
    }

    private static RunResult ended(RunPlan plan, Ending ending, Recording recording) {
        return result(plan, RunSpan.of(Instant.EPOCH, 0, 1_000 * MS, ending), recording, GeneratorHealth.IDEAL);
    }

    @Test
    void an_intermediate_result_lasts_until_the_end_of_its_last_interval() {
        List<Interval> intervals = List.of(new Interval(0, 400, answered(1)), new Interval(400, 900, answered(2)));
        RunResult soFar = RunResult.soFar(PLAN, answered(1, 2), intervals);
        assertThat(soFar.durationNanos()).isEqualTo(900);
        assertThat(soFar.ledger().answered()).isEqualTo(2);
        assertThat(soFar.intervals()).isEqualTo(intervals);
        assertThat(soFar.isComplete()).isFalse();
    }

    @Test
    void a_run_that_never_started_says_why() {
        RunResult nothing = RunResult.nothing(PLAN, "http://u:p@h/", Instant.EPOCH, "connection refused");
        assertThat(nothing.isNothing()).isTrue();
        assertThat(nothing.wasNothingDue()).isFalse();
        assertThat(nothing.whyNothing()).isEqualTo("connection refused");
        assertThat(nothing.target()).isEqualTo("http://***@h/");
        assertThat(nothing.durationNanos()).isZero();
        assertThat(ended(PLAN, Ending.INTERRUPTED, Recording.empty()).whyNothing())
                .isEqualTo("interrupted before the first request");
        assertThat(ended(PLAN, Ending.COMPLETE, Recording.empty()).whyNothing()).isEqualTo("no request was due");
    }

    @Test
    void a_part_of_a_run_and_a_recorder_may_have_no_request_without_a_fault() {
        RunPlan part = RunPlan.builder(LOAD)
                .duration(Duration.ofSeconds(1))
                .shard(new Shard(1, 2))
                .build();
        RunPlan recorder = RunPlan.builder(Workload.External.ofCallers())
                .duration(Duration.ofSeconds(1))
                .build();
        assertThat(ended(PLAN, Ending.COMPLETE, Recording.empty()).isNothing()).isTrue();
        assertThat(ended(PLAN, Ending.COMPLETE, Recording.empty()).wasNothingDue())
                .isTrue();
        assertThat(ended(PLAN, Ending.INTERRUPTED, Recording.empty()).wasNothingDue())
                .isFalse();
        assertThat(ended(PLAN, Ending.COMPLETE, answered(1)).isNothing()).isFalse();
        assertThat(ended(PLAN, Ending.CUT_OFF, Recording.empty()).isNothing()).isFalse();
        for (RunPlan plan : List.of(part, recorder)) {
            assertThat(ended(plan, Ending.COMPLETE, Recording.empty()).isNothing())
                    .isFalse();
            assertThat(ended(plan, Ending.BROKEN, Recording.empty()).isNothing())
                    .isTrue();
        }
    }

    @Test
    void the_load_lasts_as_planned_or_as_long_as_the_run_or_until_one_more_request_would_be_due() {
        assertThat(ended(PLAN, Ending.COMPLETE, answered(1)).windowNanos()).isEqualTo(1_000 * MS);
        RunPlan longer = RunPlan.builder(LOAD).duration(Duration.ofSeconds(9)).build();
        assertThat(ended(longer, Ending.INTERRUPTED, answered(1)).windowNanos()).isEqualTo(1_000 * MS);
        assertThat(ended(longer, Ending.COMPLETE, answered(1)).windowNanos())
                .as("the time after the last response, too")
                .isEqualTo(9_000 * MS);
        RunPlan thinking = RunPlan.builder(new Workload.Closed(1, ThinkTime.none()))
                .duration(Duration.ofSeconds(9))
                .build();
        assertThat(ended(thinking, Ending.COMPLETE, answered(1)).windowNanos()).isEqualTo(9_000 * MS);
        assertThat(ended(thinking, Ending.INTERRUPTED, answered(1)).windowNanos())
                .isEqualTo(1_000 * MS);
        RunPlan three = RunPlan.builder(LOAD).maxRequests(3).build();
        assertThat(ended(three, Ending.COMPLETE, answered(1, 2, 3)).windowNanos())
                .isEqualTo(30 * MS);
        assertThat(ended(three, Ending.COMPLETE, answered(1, 2, 3)).intendedPerSecond())
                .isEqualTo(100);
        assertThat(ended(three, Ending.INTERRUPTED, answered(1, 2)).windowNanos())
                .isEqualTo(1_000 * MS);
        RunPlan clients = RunPlan.builder(new Workload.Closed(1, ThinkTime.none()))
                .maxRequests(3)
                .build();
        assertThat(ended(clients, Ending.COMPLETE, answered(1, 2, 3)).windowNanos())
                .isEqualTo(1_000 * MS);
        assertThat(RunResult.nothing(PLAN, "", Instant.EPOCH, "why").intendedPerSecond())
                .isZero();
    }

    private static RunResult replayed(RunPlan.Builder plan, long... answeredNanos) {
        return ended(plan.build(), Ending.COMPLETE, answered(answeredNanos));
    }

    private static RunPlan.Builder replay() {
        return RunPlan.builder(new Workload.Open(Replay.of(0, 5 * MS, 10 * MS)));
    }

    /** The last response comes after a second. */
    @Test
    void a_load_that_ends_with_its_number_lasts_as_long_as_its_requests_however_late_the_last_response() {
        RunPlan.Builder constant = RunPlan.builder(LOAD).maxRequests(3);
        assertThat(replayed(constant.duration(Duration.ofSeconds(9)), 1, 2, 3).windowNanos())
                .isEqualTo(30 * MS);
        assertThat(replayed(constant.duration(Duration.ofMillis(25)), 1, 2, 3).windowNanos())
                .isEqualTo(25 * MS);
        assertThat(replayed(replay().maxRequests(3), 1, 2, 3).windowNanos())
                .as("the last, and a mean gap")
                .isEqualTo(15 * MS);
        assertThat(replayed(replay().duration(Duration.ofSeconds(9)), 1, 2, 3).windowNanos())
                .isEqualTo(15 * MS);
        assertThat(replayed(replay().maxRequests(2), 1, 2).windowNanos()).isEqualTo(10 * MS);
        assertThat(replayed(replay().duration(Duration.ofMillis(8)), 1, 2).windowNanos())
                .isEqualTo(8 * MS);
        RunPlan.Builder atOnce = RunPlan.builder(new Workload.Open(Replay.of(0, 0)));
        assertThat(replayed(atOnce.maxRequests(2), 1, 2).windowNanos())
                .as("without a gap")
                .isEqualTo(1_000 * MS);
    }

    @Test
    void sessions_that_end_with_their_number_last_as_long_as_their_requests_were_due() {
        List<Interval> intervals = List.of(
                new Interval(0, 200 * MS, answered(1, 2)),
                new Interval(200 * MS, 400 * MS, answered(3)),
                new Interval(400 * MS, 1_000 * MS, Recording.empty()));
        Workload sessions = new Workload.PartlyOpen(new Constant(Rate.perSecond(5)), 2, ThinkTime.none());
        RunPlan.Builder plan = RunPlan.builder(sessions).duration(Duration.ofSeconds(9));
        RunResult byTime = ended(plan.build(), Ending.COMPLETE, answered(1, 2, 3));
        assertThat(byTime.with(byTime.recording(), intervals).windowNanos()).isEqualTo(9_000 * MS);
        RunResult byNumber = ended(plan.maxRequests(3).build(), Ending.COMPLETE, answered(1, 2, 3));
        assertThat(byNumber.windowNanos()).as("without intervals").isEqualTo(1_000 * MS);
        assertThat(byNumber.with(byNumber.recording(), intervals).windowNanos())
                .as("half as many in the last interval as before it")
                .isEqualTo(300 * MS);
        RunResult shorter = ended(plan.duration(Duration.ofMillis(250)).build(), Ending.COMPLETE, answered(1, 2, 3));
        assertThat(shorter.with(shorter.recording(), intervals).windowNanos()).isEqualTo(250 * MS);
    }

    private static Recording due(long count) {
        return Recording.of(
                new Ledger(count, count, 0, 0, 0, 0, 0), ResponseTimes.NONE, OutcomeCounts.ofFailures(Map.of()));
    }

    private static long windowMillis(Workload load, long... dueInIntervals) {
        List<Interval> intervals = new ArrayList<>();
        for (int i = 0; i < dueInIntervals.length; i++) {
            intervals.add(new Interval(i * 200 * MS, (i + 1) * 200 * MS, due(dueInIntervals[i])));
        }
        long all = LongStream.of(dueInIntervals).sum();
        RunPlan plan = RunPlan.builder(load).maxRequests(all).build();
        return ended(plan, Ending.COMPLETE, due(all)).with(due(all), intervals).windowNanos() / MS;
    }

    /** To draw the times of all again for each use would take a second for each output. */
    @Test
    void a_load_of_many_requests_lasts_until_its_last_interval_with_one_ends_at_the_rate_before_it() {
        assertThat(windowMillis(LOAD, 50_000, 50_000)).as("drawn").isEqualTo(1_000_000);
        assertThat(windowMillis(LOAD, 50_000, 50_001)).isEqualTo(400);
        assertThat(windowMillis(LOAD, 90_000, 90_000, 45_000, 0, 0)).isEqualTo(500);
        assertThat(windowMillis(LOAD, 90_000, 110_000, 0)).as("never after it").isEqualTo(400);
        assertThat(windowMillis(LOAD, 0, 200_000, 0))
                .as("without a rate before it: drawn")
                .isEqualTo(2_000_000);
        Workload log = new Workload.Open(Replay.of(new RecordedTimes.Elsewhere(150, 0)));
        assertThat(windowMillis(log, 100, 50, 0))
                .as("of a log whose times are elsewhere")
                .isEqualTo(300);
    }

    private static GeneratorHealth hiccup(long nanos, long endNanos) {
        return new GeneratorHealth(1, 1, nanos, endNanos, nanos, 0, 0, 0, 0);
    }

    private static Pause longest(GeneratorHealth health, boolean isWatched, Pause... pauses) {
        return result(PLAN, RunSpan.of(Instant.EPOCH, 0, 1_000 * MS, Ending.COMPLETE), answered(1), health)
                .with(new Interruptions(isWatched, List.of(), List.of(), List.of(pauses), 0, 0))
                .longestPause();
    }

    @Test
    void the_longest_pause_is_that_of_the_generators_or_a_short_one_of_the_process() {
        Pause one = new Pause(100 * MS, 160 * MS);
        Pause longer = new Pause(300 * MS, 400 * MS);
        assertThat(longest(hiccup(70 * MS, 800 * MS), true, one, longer)).isEqualTo(longer);
        assertThat(longest(hiccup(70 * MS, 800 * MS), false)).isEqualTo(new Pause(730 * MS, 800 * MS));
        assertThat(longest(hiccup(50 * MS - 1, 800 * MS), true)).isEqualTo(new Pause(750 * MS + 1, 800 * MS));
        assertThat(longest(hiccup(50 * MS, 800 * MS), true))
                .as("only the monitor was late")
                .isEqualTo(new Pause(0, 0));
        assertThat(longest(GeneratorHealth.IDEAL, true, longer).lengthNanos())
                .as("where pauses are not the instrument's fault")
                .isZero();
    }

    @Test
    void a_later_part_adds_its_events_and_the_longer_of_two_backlogs_counts() {
        ConnectionCounts connections = new ConnectionCounts(1, 0, 0, 0, 0, 0, 1, 1);
        LaneCounts one =
                new LaneCounts(connections, new TargetCounts(Map.of("logins", 1L)), 5, 70, new Saturation(10, 4));
        LaneCounts less =
                new LaneCounts(connections, new TargetCounts(Map.of("logins", 2L)), 5, 30, new Saturation(20, 0));
        assertThat(one.then(less, 100))
                .isEqualTo(new LaneCounts(
                        connections.then(connections),
                        new TargetCounts(Map.of("logins", 3L)),
                        5,
                        70,
                        new Saturation(30, 4)));
        LaneCounts more = new LaneCounts(connections, TargetCounts.NONE, 6, 30, new Saturation(20, -1));
        assertThat(one.then(more, 100).peakBacklog()).isEqualTo(6);
        assertThat(one.then(more, 100).peakBacklogAtNanos()).isEqualTo(130);
        assertThat(one.then(more, 100).saturation()).isEqualTo(new Saturation(30, -1));
        assertThat(more.saturation().plus(one.saturation())).isEqualTo(new Saturation(30, -1));
        assertThat(less.saturation().plus(one.saturation())).isEqualTo(new Saturation(30, 4));
    }

    @ParameterizedTest(name = "{0} ns and {1} ns: {2} ns")
    @CsvSource({"-1, -1, -1", "-1, 5, 5", "5, -1, 5", "5, 9, 5", "0, 9, 0", "-1, 0, 0"})
    void generators_are_silent_since_the_last_response_of_any(long one, long other, long both) {
        assertThat(new RunSnapshot(1, 2, 3, 4, one).plus(new RunSnapshot(10, 20, 30, 40, other)))
                .isEqualTo(new RunSnapshot(11, 22, 33, 40, both));
        assertThat(new RunSnapshot(1, 2, 3, 40, one).plus(RunSnapshot.NONE).behindNanos())
                .isEqualTo(40);
    }

    private static KeptRequest kept(long intendedNanos) {
        return new KeptRequest(
                intendedNanos,
                0,
                intendedNanos,
                intendedNanos,
                intendedNanos,
                intendedNanos,
                intendedNanos + 9,
                0,
                1,
                true);
    }

    private static RunResult slice(Ending ending, String failure, long peakBacklog) {
        return new RunResult(
                        PLAN,
                        "service",
                        new RunSpan(
                                Instant.EPOCH.plusSeconds(peakBacklog),
                                peakBacklog,
                                1_000 * MS,
                                ending,
                                Optional.of(failure).filter(text -> !text.isEmpty())),
                        answered(5 * MS),
                        List.of(new Interval(0, 1_000 * MS, answered(5 * MS))),
                        new LaneCounts(ConnectionCounts.NONE, TargetCounts.NONE, peakBacklog, 7, Saturation.NONE),
                        hiccup(peakBacklog, 40))
                .with(new Interruptions(
                        true,
                        List.of(new Silence(0, 10 * MS, 900 * MS, 900 * MS)),
                        List.of(),
                        List.of(new Pause(5 * MS, 6 * MS)),
                        peakBacklog,
                        0))
                .with(KeptRequests.of(List.of(kept(3)), List.of(kept(3))));
    }

    @Test
    void slices_are_placed_end_to_end_on_one_clock() {
        RunResult whole = RunResult.ofSlices(
                PLAN,
                List.of(slice(Ending.COMPLETE, "", 1), slice(Ending.COMPLETE, "", 3), slice(Ending.COMPLETE, "", 2)));
        assertThat(whole.durationNanos()).isEqualTo(3_000 * MS);
        assertThat(whole.ledger().answered()).isEqualTo(3);
        assertThat(whole.intervals()).extracting(Interval::startNanos).containsExactly(0L, 1_000 * MS, 2_000 * MS);
        assertThat(whole.interruptions().pauses())
                .extracting(Pause::fromNanos)
                .containsExactly(5 * MS, 1_005 * MS, 2_005 * MS);
        assertThat(whole.interruptions().silences())
                .extracting(Silence::toNanos)
                .containsExactly(900 * MS, 1_900 * MS, 2_900 * MS);
        assertThat(whole.kept().controls())
                .extracting(KeptRequest::intendedNanos)
                .containsExactly(3L, 1_000 * MS + 3, 2_000 * MS + 3);
        assertThat(whole.lanes().peakBacklogAtNanos()).isEqualTo(1_000 * MS + 7);
        assertThat(whole.health().largestHiccupNanos()).isEqualTo(3);
        assertThat(whole.started()).isEqualTo(Instant.EPOCH.plusSeconds(1));
        assertThat(whole.span().startAt()).isOne();
        assertThat(whole.isComplete()).isTrue();
        assertThat(RunResult.ofSlices(PLAN, List.of(slice(Ending.COMPLETE, "", 1)))
                        .durationNanos())
                .isEqualTo(1_000 * MS);
    }

    @Test
    void one_slice_that_was_cut_short_makes_the_whole_so() {
        RunResult whole = RunResult.ofSlices(
                PLAN,
                List.of(slice(Ending.COMPLETE, "", 1), slice(Ending.BROKEN, "no", 3), slice(Ending.COMPLETE, "", 2)));
        assertThat(whole.ending()).isEqualTo(Ending.BROKEN);
        assertThat(whole.failure()).contains("no");
    }

    @Test
    void copies_differ_only_in_what_was_asked_for() {
        RunResult one = slice(Ending.COMPLETE, "", 1);
        RunResult named = one.with(one.recording().withNames(Map.of("pay", answered(8 * MS))), one.intervals());
        assertThat(named.named("pay").recording().response())
                .isEqualTo(answered(8 * MS).response());
        assertThat(named.named("pay").intervals().get(0).recording().ledger()).isEqualTo(Ledger.EMPTY);
        assertThat(named.ofNames().intervals()).isEqualTo(one.intervals());
        assertThat(one.later(Duration.ofSeconds(5)).started())
                .isEqualTo(one.started().plusSeconds(5));
        assertThat(one.later(Duration.ofSeconds(5)).durationNanos()).isEqualTo(one.durationNanos());
    }

    @Test
    void a_shard_is_described_by_its_own_numbers() {
        Distribution lateness = Distribution.of(LongStream.rangeClosed(1, 200));
        RunPlan plan = RunPlan.builder(LOAD)
                .duration(Duration.ofSeconds(1))
                .shard(new Shard(1, 2))
                .build();
        Recording recording = answered(1, 2, 3)
                .withLedger(new Ledger(5, 3, 2, 0, 0, 0, 0))
                .withWaits(WaitTimes.of(lateness, Distribution.empty()));
        MergedRun merged = new MergedRun();
        merged.add(ended(plan, Ending.INTERRUPTED, recording), 4, List.of("late"));
        ShardRun row = merged.result().shards().get(0);
        assertThat(row)
                .isEqualTo(new ShardRun(
                        1,
                        Instant.EPOCH,
                        Optional.of(Ending.INTERRUPTED),
                        1_000 * MS,
                        5,
                        3,
                        198,
                        200,
                        0,
                        GeneratorHealth.IDEAL,
                        4,
                        List.of("late")));
        assertThat(row.isMissing()).isFalse();
        assertThat(ShardRun.missing(7).isMissing()).isTrue();
        assertThat(ShardRun.missing(7).shard()).isEqualTo(7);
    }
}
