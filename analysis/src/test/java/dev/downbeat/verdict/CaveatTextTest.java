package dev.downbeat.verdict;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.compare.Comparison;
import dev.downbeat.event.Incident;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Ledger;
import dev.downbeat.stats.steady.Stationarity;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.Caveat.Severity;
import dev.downbeat.verdict.caveat.Caveat.ShardCaveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import dev.downbeat.verdict.caveat.CaveatText;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import dev.downbeat.why.WhyText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a reader is told, number for number, and from where on a reason is a doubt. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CaveatTextTest {
    private static Unsteady.NotSteady change(Stationarity.Shape shape, double percentile, double change, long atNanos) {
        Stationarity.Ends ends = new Stationarity.Ends(20 * MS, 20 * MS * change);
        return new Unsteady.NotSteady(
                new Stationarity(0, shape, percentile, ends, 30, true, OptionalDouble.empty(), Optional.empty()),
                atNanos,
                30 * S);
    }

    static Stream<Arguments> texts() {
        String mixture = ". Confidence intervals are not available, and a rerun may miss objectives that this run met";
        String help = "Use a lower rate, more cores or a quieter machine";
        return Stream.of(
                Arguments.of(
                        new RunDefect.LedgerMismatch(new Ledger(1_000, 900, 50, 20, 5, 7, 3, 2)),
                        "LEDGER MISMATCH: 1,000 requests planned, 980 accounted for. This is a bug in Downbeat: please"
                                + " report it and discard this run"),
                Arguments.of(new RunDefect.Broken("no route", 0), "nothing was measured: no route"),
                Arguments.of(
                        new RunDefect.Broken("no route", 1_500 * MS),
                        "the run failed after 1.5 s: no route. The cause is on the client side, not in the service;"
                                + " the numbers cover the time before it"),
                Arguments.of(
                        new RunDefect.NothingAnswered(1_000, 0, "refused"),
                        "none of 1,000 requests succeeded, so there is no response time to show; most frequent"
                                + " reason: refused"),
                Arguments.of(
                        new RunDefect.CutOff(2_500 * MS, 1_234),
                        "the recording ends at 2.5 s: the measuring process crashed, was killed, or its disk was"
                                + " full. All numbers cover these 2.5 s, with 1,234 requests outstanding; Downbeat's own delays are"
                                + " unknown"),
                Arguments.of(
                        new RunDefect.UnaskedLines(3),
                        "workers wrote 3 lines without a request: responses may be matched to the wrong requests. Fix"
                                + " the"
                                + " worker: one line per request, anything else to stderr"),
                Arguments.of(
                        new RunDefect.WorkLeftBehind(20, true),
                        "most of 20 monitored calls returned before their work was done: the rest was not measured. Return"
                                + " its stage to runAsync, or take an Answer parameter in JUnit"),
                Arguments.of(
                        new RunDefect.WorkLeftBehind(20, false),
                        "most of 20 monitored calls may have returned before their work was done. If so, return its stage"
                                + " to runAsync, or take an Answer parameter in JUnit"),
                Arguments.of(
                        new RunDefect.MessagesOfOthers(175, 200, 30, 0, 0, false, false),
                        "the queue holds messages of other producers (30 received): the run stopped, 175 of 200"
                                + " requests were"
                                + " not completed. They were returned. Use a separate queue, or --queue-is-mine (API: queueIsMine)"
                                + " to run anyway"),
                Arguments.of(
                        new RunDefect.Interrupted(2_500 * MS),
                        "the run was stopped after 2.5 s: all numbers cover that part only"),
                Arguments.of(
                        new LoadCaveat.NotOffered(0.809, 3 * S, S),
                        "the planned load was not offered: from 3.0 s to 4.0 s only 80 % of the plan was sent in time. "
                                + help),
                Arguments.of(
                        new LoadCaveat.OwnLimit("too many open files", 3, 1_000),
                        "3 of 1,000 requests met a limit of this process or machine: too many open files. Raise it, or"
                                + " lower the rate"),
                Arguments.of(
                        new LoadCaveat.NotSent(5, 1_000),
                        "5 of 1,000 requests were still unsent when the run ended, so high percentiles are lower"
                                + " bounds. Use more connections or users, a longer drain or a lower rate"),
                Arguments.of(
                        new LoadCaveat.ConsumersFull(600, 1_000, 0),
                        "600 of 1,000 consumer polls returned a full batch: messages waited for a consumer,"
                                + " so delivery times depend on the number of consumers. Add consumers"),
                Arguments.of(
                        overloaded(9.96, 1_800),
                        "OVERLOADED: 9.96/s of 1,800/s answered. Response times grow with the length of the run and"
                                + " describe no steady state"),
                Arguments.of(
                        new LoadCaveat.BacklogGrew(1_500, 2 * S),
                        "the backlog peaked at 1,500 unsent requests at 2.0 s. Response times include this wait;"
                                + " service times do not"),
                Arguments.of(
                        new LoadCaveat.ClosedWorkload(1),
                        "closed loop: 1 virtual user waits for each response, so a slow service receives less load."
                                + " Independent users wait longer: model them with an arrival rate"),
                Arguments.of(
                        new LoadCaveat.ClosedWorkload(2_000),
                        "closed loop: 2,000 virtual users wait for each response, so a slow service receives less load."
                                + " Independent users wait longer: model them with an arrival rate"),
                Arguments.of(
                        new ShardCaveat.StartedLate(1_500 * MS),
                        "this shard missed the planned start and started 1.50 s late: its load is complete but did"
                                + " not coincide with the other shards'. Plan a later start for all"),
                Arguments.of(
                        new ShardCaveat.StartSkew(250 * MS),
                        "the shards did not start together: the last started 250 ms after the first, so the planned"
                                + " load was"
                                + " never offered as a whole"),
                Arguments.of(
                        new ShardCaveat.ShardsMissing(List.of(2, 5), 8),
                        "no result came from shards 2 and 5 of 8: the fate of their requests is unknown, and all"
                                + " numbers cover the other shards only"),
                Arguments.of(
                        new ShardCaveat.ShardsDoubtful(List.of(2), 8, "it was late"),
                        "shard 2 of 8 is unsound: it was late"),
                Arguments.of(
                        new ShardCaveat.ShardsDoubtful(List.of(2, 5), 8, "it was late"),
                        "shards 2 and 5 of 8 are unsound: shard 2: it was late"),
                Arguments.of(
                        change(Stationarity.Shape.DRIFTS, 50, 1.5, 0),
                        "response times grew throughout, from 20.0 ms to 30.0 ms (1.4 % a second): p50 does not"
                                + " describe this service" + mixture),
                Arguments.of(
                        change(Stationarity.Shape.DRIFTS, 99, 0.74, 0),
                        "p99 fell throughout, from 20.0 ms to 14.8 ms (1 % a second): p99 does not describe this"
                                + " service"
                                + mixture),
                Arguments.of(
                        new Unsteady.SlowSpell(new Stationarity.Slower(13, 18, 3.04), 13 * S, 18 * S),
                        "from 13.0 s to 18.0 s all requests were slower: their median was 3.0 times that of the rest."
                                + " It happened once, so its frequency is unknown"),
                Arguments.of(change(Stationarity.Shape.JUMPS, 90, 1, 30 * S), "p90 rose to 100 % at 30.0 s" + mixture),
                Arguments.of(change(Stationarity.Shape.JUMPS, 90, 0.5, 30 * S), "p90 fell to 50 % at 30.0 s" + mixture),
                Arguments.of(
                        change(Stationarity.Shape.NEVER_SETTLES, 50, 1, 0),
                        "response times never settle: more than the first third of the run differs from the rest"
                                + mixture),
                Arguments.of(
                        new Unsteady.WarmUp(9 * S),
                        "the first 9.0 s look like a warm-up and are included in all percentiles: add a warm-up, or"
                                + " run longer"),
                Arguments.of(
                        new OwnDelay.GeneratorLate(99, 900_000, 2 * MS, 1_100_000),
                        "p99 of 2.00 ms includes up to 900 us of Downbeat's own delay (late sends or reads); without it"
                                + " p99 is at least 1.10 ms. A quieter machine reduces it"),
                Arguments.of(
                        new OwnDelay.GeneratorLate(99, MS, 2 * MS, MS),
                        "p99 of 2.00 ms includes up to 1.00 ms of Downbeat's own delay (late sends or reads); without it"
                                + " p99 is at least 1.00 ms. " + help),
                Arguments.of(
                        new OwnDelay.HiccupDuringRun(50 * MS, 3 * S, 2 * S),
                        "Downbeat itself was paused for 50.0 ms (ending at 3.0 s)"),
                Arguments.of(
                        new OwnDelay.OftenLate(S, 10 * S),
                        "Downbeat itself was paused, or waited for a processor, for 10 % of the time: part of the"
                                + " response times is Downbeat's own delay. " + help),
                Arguments.of(
                        new OwnDelay.OftenLate(0, 0),
                        "Downbeat itself was paused, or waited for a processor, for 0 % of the time: part of the"
                                + " response times is Downbeat's own delay. " + help),
                Arguments.of(
                        new OwnDelay.ClientBusy(2 * S, 0.95),
                        "all connections were in use for 2.00 s, and Downbeat was busy for 95 % of that time, so"
                                + " response times include its own delay. " + help),
                Arguments.of(
                        new DataLimit.TailCensored(5, 5, List.of(100.0)),
                        "5 requests timed out and 5 were unfinished when the run ended: max is a lower bound"),
                Arguments.of(
                        new DataLimit.TailCensored(5, 0, List.of(99.9, 100.0)),
                        "5 requests timed out: p99.9 and max are lower bounds. A longer timeout would show more"),
                Arguments.of(
                        new DataLimit.TailCensored(0, 1_005, List.of(100.0)),
                        "1,005 requests were unfinished when the run ended: max is a lower bound"),
                Arguments.of(
                        new DataLimit.NotFollowed(90, 1_000),
                        "90 of 1,000 responses were redirects, which are not followed: times cover the redirect"
                                + " only."
                                + " Use the final URL, or follow redirects"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void a_reason_says_what_was_seen_and_what_to_do(Caveat caveat, String text) {
        assertThat(caveat.text()).isEqualTo(text);
    }

    static Stream<Arguments> severities() {
        return Stream.of(
                Arguments.of(
                        "one of our own limits, up to 5 %", new LoadCaveat.OwnLimit("x", 50, 1_000), Severity.NOTE),
                Arguments.of("and above", new LoadCaveat.OwnLimit("x", 51, 1_000), Severity.INVALIDATES),
                Arguments.of(
                        "less than a millisecond, and half",
                        new OwnDelay.GeneratorLate(99, MS / 2, MS, 1),
                        Severity.NOTE),
                Arguments.of("more than half", new OwnDelay.GeneratorLate(99, MS / 2 + 1, MS, 1), Severity.OURS),
                Arguments.of("a millisecond", new OwnDelay.GeneratorLate(99, MS, MS, 0), Severity.OURS),
                Arguments.of("a short pause", new OwnDelay.HiccupDuringRun(100 * MS - 1, S, MS), Severity.NOTE),
                Arguments.of("a long one", new OwnDelay.HiccupDuringRun(100 * MS, S, 50 * MS), Severity.OURS),
                Arguments.of(
                        "one between requests", new OwnDelay.HiccupDuringRun(100 * MS, S, 50 * MS - 1), Severity.NOTE),
                Arguments.of("a tenth of the longest", new OwnDelay.HiccupDuringRun(200 * MS, S, 2 * S), Severity.OURS),
                Arguments.of("less", new OwnDelay.HiccupDuringRun(200 * MS - 1, S, 2 * S), Severity.NOTE),
                Arguments.of("late for a twentieth of the time", new OwnDelay.OftenLate(S, 20 * S), Severity.NOTE),
                Arguments.of("for more", new OwnDelay.OftenLate(S + 1, 20 * S), Severity.OURS),
                Arguments.of(
                        "nothing was reached", new RunDefect.NothingAnswered(9, 0, "refused"), Severity.INVALIDATES),
                Arguments.of(
                        "it answered with failures", new RunDefect.NothingAnswered(9, 1, "HTTP 500"), Severity.NOTE),
                Arguments.of("stopped by somebody", new RunDefect.Interrupted(S), Severity.NOTE),
                Arguments.of("killed", new RunDefect.CutOff(S, 0), Severity.INVALIDATES),
                Arguments.of("not offered", new LoadCaveat.NotOffered(0.9, 0, S), Severity.INVALIDATES),
                Arguments.of("never sent", new LoadCaveat.NotSent(1, 9), Severity.NOTE),
                Arguments.of("full consumers", new LoadCaveat.ConsumersFull(9, 10, 0), Severity.INVALIDATES),
                Arguments.of("a drift", change(Stationarity.Shape.DRIFTS, 50, 2, 0), Severity.NOTE),
                Arguments.of("redirects", new DataLimit.NotFollowed(1, 1), Severity.NOTE),
                Arguments.of("a shard that was late", new ShardCaveat.StartedLate(100 * MS + 1), Severity.INVALIDATES),
                Arguments.of("a shard that was hardly late", new ShardCaveat.StartedLate(100 * MS), Severity.NOTE),
                Arguments.of("busy", new OwnDelay.ClientBusy(S, 1), Severity.OURS));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("severities")
    void each_reason_has_limited_consequences(String name, Caveat caveat, Severity severity) {
        assertThat(caveat.severity()).isEqualTo(severity);
        assertThat(caveat.isDoubt()).isEqualTo(severity != Severity.NOTE);
    }

    @Test
    void only_a_broken_record_voids_what_was_missed_too() {
        assertThat(new RunDefect.LedgerMismatch(Ledger.EMPTY).invalidatesMisses())
                .isTrue();
        assertThat(new RunDefect.Broken("x", 1).invalidatesMisses()).isTrue();
        assertThat(new RunDefect.CutOff(1, 1).invalidatesMisses()).isFalse();
    }

    @Test
    void consumers_are_full_if_more_than_half_of_at_least_ten_polls_were_or_they_always_worked() {
        assertThat(areFull(9, 9, 0)).isFalse();
        assertThat(areFull(5, 10, 940)).isFalse();
        assertThat(areFull(6, 10, 0)).isTrue();
        assertThat(areFull(1, 7, 950)).isTrue();
    }

    private static boolean areFull(long full, long polls, long workMillis) {
        return LoadCaveat.ConsumersFull.of(new TargetCounts(Map.of(
                        "polls",
                        polls,
                        "polls with a full batch",
                        full,
                        "consumer milliseconds",
                        1_000L,
                        "consumer milliseconds at work",
                        workMillis)))
                .isPresent();
    }

    @Test
    void rates_have_three_digits() {
        assertThat(overloaded(9.9, 10).brief()).isEqualTo("OVERLOADED: 9.9/s of 10/s answered");
        assertThat(overloaded(0.04, 0.333).brief()).isEqualTo("OVERLOADED: 0.04/s of 0.333/s answered");
        assertThat(overloaded(1_234.4, 12_345).brief()).isEqualTo("OVERLOADED: 1,234/s of 12,345/s answered");
    }

    @Test
    void shards_are_named_up_to_ten() {
        assertThat(CaveatText.shards(List.of(7), 8)).isEqualTo("shard 7 of 8");
        assertThat(CaveatText.shards(List.of(1, 2, 3), 8)).isEqualTo("shards 1, 2 and 3 of 8");
        assertThat(CaveatText.shards(IntStream.range(0, 10).boxed().toList(), 12))
                .isEqualTo("shards 0, 1, 2, 3, 4, 5, 6, 7, 8 and 9 of 12");
        assertThat(CaveatText.shards(IntStream.range(4, 15).boxed().toList(), 16))
                .isEqualTo("11 of 16 shards (the first is shard 4)");
    }

    @Test
    void an_uncertain_objective_has_a_short_reason() {
        assertThat(change(Stationarity.Shape.DRIFTS, 50, 2, 0).why()).isEqualTo("response times drift");
        assertThat(change(Stationarity.Shape.JUMPS, 50, 2, 0).why()).isEqualTo("response times jump");
        assertThat(change(Stationarity.Shape.NEVER_SETTLES, 50, 2, 0).why()).isEqualTo("response times never settle");
    }

    @Test
    void the_words_of_the_answers_are_those_of_the_results() {
        assertThat(Stream.of(RunVerdict.Soundness.values()).map(RunVerdict.Soundness::word))
                .containsExactly("sound", "partly_sound", "unsound");
        assertThat(Stream.of(RunVerdict.Service.values()).map(RunVerdict.Service::word))
                .containsExactly("met", "missed", "undecided", "none");
        assertThat(Stream.of(JudgedObjective.Status.values()).map(JudgedObjective.Status::word))
                .containsExactly("met", "missed", "undecided");
        assertThat(Stream.of(Comparison.Difference.values()).map(Comparison.Difference::word))
                .containsExactly(
                        "faster",
                        "slower",
                        "mixed",
                        "overloaded",
                        "keeps up",
                        "fails more",
                        "stalls more",
                        "the same",
                        "cannot tell");
    }

    private static Incident stall(double tailShare) {
        return new Incident(5 * S, S, 9, tailShare, 1_010 * MS, Incident.Cause.SERVICE_STALL, 0, false, false, "");
    }

    private static Incident incident(long hit, long catchUpNanos) {
        return new Incident(
                5 * S,
                1_020 * MS,
                hit,
                0.974,
                1_010 * MS,
                Incident.Cause.SERVICE_STALL,
                catchUpNanos,
                false,
                false,
                "");
    }

    @Test
    void an_incident_says_when_how_long_why_and_whom_it_hit() {
        assertThat(incident(1_512, 430 * MS).text())
                .isEqualTo(
                        "at 5.0 s for 1.02 s: the service stalled, then 430 ms to catch up; 1,512 requests hit, slowest"
                                + " 1.01 s; 97 % of requests beyond p99");
        assertThat(incident(1, 10 * MS).text())
                .isEqualTo("at 5.0 s for 1.02 s: the service stalled, then 10.0 ms to catch up; 1 request hit, slowest"
                        + " 1.01 s; 97 % of requests beyond p99");
        assertThat(stall(0.996).tail()).isEqualTo(", slowest 1.01 s; 99.6 % of requests beyond p99");
        assertThat(stall(0.003).tail()).isEqualTo(", slowest 1.01 s; 0.3 % of requests beyond p99");
        assertThat(stall(1).tail()).isEqualTo(", slowest 1.01 s; 100 % of requests beyond p99");
        assertThat(WhyText.percent(0.996)).isEqualTo("over 99 %");
        assertThat(WhyText.percent(1)).isEqualTo("100 %");
        assertThat(incident(0, 10 * MS - 1).text())
                .isEqualTo("at 5.0 s for 1.02 s: the service stalled; no answered request was hit");
        assertThat(Incident.Cause.OUR_PAUSE.code()).isEqualTo("our_pause");
    }

    @Test
    void an_overload_by_retries_is_called_that_if_the_service_could_answer_all() {
        assertThat(retried(true).brief())
                .isEqualTo("OVERLOADED BY RETRIES: 412/s of 7,279/s answered, 2.1 attempts per request");
        assertThat(retried(true).text()).doesNotContain("grow with the length of the run");
        assertThat(retried(false).brief()).isEqualTo("OVERLOADED: 412/s of 7,279/s answered, 2.1 attempts per request");
    }

    @Test
    void an_overload_by_too_few_connections_says_what_they_can_carry() {
        assertThat(limited(16, false).brief())
                .isEqualTo("OVERLOADED: 412/s of 7,279/s answered; 16 connections, always in use, carry 47/s"
                        + " at most");
        assertThat(limited(1, false).brief()).endsWith("; 1 connection, always in use, carries 47/s at most");
        assertThat(limited(2, true).brief()).endsWith("; 2 streams, always in use, carry 47/s at most");
        assertThat(limited(1, true).brief()).endsWith("; 1 stream, always in use, carries 47/s at most");
        assertThat(limited(2, true).text()).endsWith("describe no steady state. More connections may carry more");
    }

    private static LoadCaveat.Overloaded limited(long slots, boolean areStreams) {
        Optional<Overload.Limit> limit = Optional.of(new Overload.Limit(slots, areStreams, 47));
        return new LoadCaveat.Overloaded(
                List.of(new Overload(0, 5 * S, 5 * S, true, 7_279, 412, 0, limit, false, Optional.empty())));
    }

    private static LoadCaveat.Overloaded retried(boolean isCause) {
        Overload.RetriedLoad retries = new Overload.RetriedLoad(2.1, isCause);
        return new LoadCaveat.Overloaded(List.of(
                new Overload(0, 5 * S, 5 * S, true, 7_279, 412, 0, Optional.empty(), false, Optional.of(retries))));
    }

    private static LoadCaveat.Overloaded overloaded(double answeredPerSecond, double offeredPerSecond) {
        return new LoadCaveat.Overloaded(List.of(new Overload(
                0,
                20 * S,
                20 * S,
                true,
                offeredPerSecond,
                answeredPerSecond,
                0,
                Optional.empty(),
                false,
                Optional.empty())));
    }
}
