package dev.downbeat.event;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.event.Incident.Cause;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From where on something is an incident, where it begins and ends, and whom it hit: made-up runs of twenty seconds. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IncidentLimitsTest {
    private static final long END = 20 * S;

    /** Twenty seconds of 200 requests, and what is added to a second, by its number from 0. */
    private static RunFixture run(long serviceNanos, ObjIntConsumer<RunFixture> more) {
        return run(20, serviceNanos, more);
    }

    private static RunFixture run(int seconds, long serviceNanos, ObjIntConsumer<RunFixture> more) {
        RunFixture run = new RunFixture();
        for (int second = 0; second < seconds; second++) {
            run.answered(200, serviceNanos);
            more.accept(run, second);
            run.until((second + 1) * S);
        }
        return run;
    }

    private static RunResult calm(long serviceNanos) {
        return run(serviceNanos, (run, second) -> {}).result();
    }

    private static Silence silence(long fromNanos, long toNanos) {
        return new Silence(fromNanos, fromNanos, toNanos, toNanos);
    }

    private static Pause pause(long fromMillis, long toMillis) {
        return new Pause(fromMillis * MS, toMillis * MS);
    }

    private static List<Incident> incidents(RunResult run, long medianGapNanos, Silence silence, Pause... pauses) {
        return RunEvents.incidents(
                run.with(new Interruptions(true, List.of(silence), List.of(), List.of(pauses), medianGapNanos, 0)));
    }

    private static List<Incident> withPauses(RunResult run, Pause... pauses) {
        return RunEvents.incidents(run.with(new Interruptions(true, List.of(), List.of(), List.of(pauses), MS, 0)));
    }

    /** A quarter of a second at least, and twenty times as long as it usually is from one answer to the next. */
    @ParameterizedTest(name = "usually {0} ms between two, nothing for {1} us: {2}")
    @CsvSource({
        "1, 250_000, true",
        "1, 249_999, false",
        "50, 1_000_000, true",
        "50, 999_999, false",
        "12, 250_000, true",
        "13, 250_000, false"
    })
    void a_stall_is_much_longer_than_what_lies_between_two_answers(long gapMillis, String micros, boolean named) {
        long length = Long.parseLong(micros.replace("_", "")) * 1_000;
        List<Incident> found = incidents(calm(2 * MS), gapMillis * MS, silence(5 * S, 5 * S + length));
        assertThat(found).hasSize(named ? 1 : 0).allSatisfy(incident -> {
            assertThat(incident.cause()).isEqualTo(Cause.SERVICE_STALL);
            assertThat(incident.lengthNanos()).isEqualTo(length);
        });
    }

    /** The last answers of all are slow ones: after the load, a silence is one in which answers were to be expected. */
    @Test
    void after_the_end_of_the_load_a_stall_keeps_many_from_their_answer() {
        assertThat(incidents(calm(600 * MS), MS, silence(20_700 * MS, 21_900 * MS)))
                .isEmpty();
        assertThat(incidents(calm(600 * MS), MS, silence(19_900 * MS, 21_100 * MS)))
                .hasSize(1);
        assertThat(incidents(calm(2 * MS), MS, silence(19_900 * MS, 20_149 * MS)))
                .isEmpty();
        assertThat(incidents(calm(2 * MS), MS, silence(19_700 * MS, 20_150 * MS)))
                .hasSize(1);
    }

    /** A plan of 20 s whose requests were all planned in the first ten, and take a second. */
    @Test
    void after_the_last_request_that_was_planned_no_answers_are_missing() {
        RunFixture ten = run(10, S, (run, second) -> {});
        RunResult run = ten.until(15 * S).until(END).result();
        assertThat(incidents(run, MS, silence(9_750 * MS, 11 * S))).hasSize(1);
        assertThat(incidents(run, MS, silence(11_100 * MS, 14 * S))).isEmpty();
    }

    /** The usual gap is that of the load at that time, not that of its thick parts. */
    @Test
    void where_few_requests_are_due_a_silence_is_chance() {
        RunFixture thin = new RunFixture();
        for (int i = 1; i <= 20; i++) {
            thin.answered(i == 10 ? 5 : 200, 2 * MS).until(i * S);
        }
        assertThat(incidents(thin.result(), MS, silence(8_050 * MS, 8_950 * MS)))
                .hasSize(1);
        assertThat(incidents(thin.result(), MS, silence(9_050 * MS, 9_950 * MS)))
                .isEmpty();
    }

    /** After some hours, intervals are joined. */
    @Test
    void a_stall_that_is_a_small_part_of_its_interval_is_found_wherever_it_lies() {
        RunFixture hours = new RunFixture();
        for (int i = 1; i <= 20; i++) {
            hours.answered(3_200, 20 * MS).until(i * 16 * S);
        }
        for (long from = 32_100; from < 34_000; from += 300) {
            assertThat(incidents(hours.result(), MS, silence(from * MS, (from + 300) * MS)))
                    .hasSize(1);
        }
    }

    private static RunResult kept(RunFixture run, int count, long fromNanos, long stepNanos, long lastingNanos) {
        List<KeptRequest> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = fromNanos + i * stepNanos;
            requests.add(new KeptRequest(i, 0, at, at, at, at, at + lastingNanos, 0, 1, false));
        }
        return run.result().with(KeptRequests.of(requests, List.of()));
    }

    @Test
    void a_service_that_hangs_after_its_first_answers_does_not_explain_itself() {
        RunFixture hangs = new RunFixture();
        hangs.answered(8, MS).timedOut(200, 2 * S).until(5 * S);
        assertThat(incidents(kept(hangs, 200, 100 * MS, 10 * MS, 2 * S), 10 * MS, silence(90 * MS, 4_100 * MS)))
                .extracting(Incident::cause)
                .containsExactly(Cause.SERVICE_STALL);
    }

    /** Of a hundred thousand that wait in vain, ten thousand are kept. */
    @Test
    void a_service_that_hangs_for_more_requests_than_are_kept_does_not_explain_itself() {
        RunFixture hangs = new RunFixture().answered(100, MS).until(S);
        for (int second = 2; second <= 1_001; second++) {
            hangs.timedOut(100, 2 * S).until(second * S);
        }
        hangs.workload(new Workload.Open(new Constant(Rate.perSecond(100))), Duration.ofSeconds(1_001))
                .timeout(Duration.ofSeconds(2))
                .ended(RunSpan.Ending.COMPLETE, 1_001 * S);
        assertThat(incidents(kept(hangs, 10_000, S, 100 * MS, 2 * S), 10 * MS, silence(S, 1_001 * S)))
                .extracting(Incident::cause)
                .containsExactly(Cause.SERVICE_STALL);
    }

    /** Files of older versions lack how long requests without an answer lasted. */
    @Test
    void a_hang_is_no_chance_because_its_times_are_unknown() {
        RunFixture hangs = new RunFixture();
        hangs.answered(300, MS).until(5 * S).timedOut(500, 2 * S).until(15 * S);
        RunResult run = kept(hangs, 500, 5 * S, 10 * MS, 2 * S);
        List<Interval> older = run.intervals().stream()
                .map(interval -> interval.with(withoutUnseen(interval.recording())))
                .toList();
        assertThat(incidents(run.with(withoutUnseen(run.recording()), older), 10 * MS, silence(5 * S, 12 * S)))
                .extracting(Incident::cause)
                .containsExactly(Cause.SERVICE_STALL);
    }

    private static Recording withoutUnseen(Recording of) {
        ResponseTimes times = of.times();
        return of.with(new ResponseTimes(
                times.response(),
                times.service(),
                times.withoutLateness(),
                times.failed(),
                times.censored(),
                times.censoredWithoutLateness(),
                Distribution.empty()));
    }

    /** Those in flight are of all names: one name's times do not tell whether they are slow by chance. */
    @Test
    void a_gap_is_a_stall_for_one_name_only_if_it_is_one_for_all() {
        RunFixture quick = new RunFixture();
        RunFixture slow = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            quick.answered(15, MS).until(second * S);
            slow.answered(4, 5 * S).until(second * S);
        }
        RunResult one = quick.result();
        RunResult other = slow.result();
        List<Interval> both = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            both.add(one.intervals()
                    .get(i)
                    .with(named(one.intervals().get(i), other.intervals().get(i))));
        }
        Recording all = Recording.sum(both.stream().map(Interval::recording).toList());
        List<KeptRequest> kept = new ArrayList<>();
        for (int i = 0; i < 380; i++) {
            long at = i < 80 ? i * 250 * MS + 100 * MS : (i - 80) * S / 15;
            kept.add(new KeptRequest(i, i < 80 ? 1 : 0, at, at, at, at, at + (i < 80 ? 5 * S : MS), 0, 1, true));
        }
        RunResult run = one.with(all, both)
                .with(KeptRequests.of(kept, List.of()))
                .with(new Interruptions(
                        true, List.of(silence(10_020 * MS, 10_540 * MS)), List.of(), List.of(), 10 * MS, 0));
        assertThat(Observations.of(run).events()).isEmpty();
        assertThat(Observations.of(run).named("quick").events()).isEmpty();
    }

    /** Of several services one may be slow alone; of 21 requests that were all hit but one, that one is chance. */
    @ParameterizedTest
    @CsvSource({"20, false, true", "20, true, false", "1, false, false"})
    void an_incident_that_hit_requests_of_one_name_says_which(int others, boolean isOfBoth, boolean isNamed) {
        RunFixture quick = new RunFixture();
        RunFixture slow = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            quick.answered(others, isOfBoth && second == 10 ? 900 * MS : MS).until(second * S);
            slow.answered(20, second == 10 ? 900 * MS : 5 * MS).until(second * S);
        }
        RunResult one = quick.result();
        RunResult other = slow.result();
        List<Interval> both = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Interval own = one.intervals().get(i);
            both.add(own.with(named(own, other.intervals().get(i))));
        }
        Recording all = Recording.sum(both.stream().map(Interval::recording).toList());
        assertThat(RunEvents.incidents(one.with(all, both))).singleElement().satisfies(incident -> {
            assertThat(incident.cause().isOfService()).isTrue();
            assertThat(incident.name()).isEqualTo(isNamed ? "slow" : "");
            assertThat(incident.brief())
                    .endsWith((isOfBoth ? "; 40" : "; 20") + " requests hit" + (isNamed ? ", all of slow" : ""));
        });
    }

    private static Recording named(Interval quick, Interval slow) {
        return quick.recording()
                .plus(slow.recording())
                .withNames(Map.of("quick", quick.recording(), "slow", slow.recording()));
    }

    @Test
    void refused_connections_are_no_chance_however_few_they_are_of_all() {
        RunFixture restarts = new RunFixture();
        for (int second = 0; second < 60; second++) {
            boolean isDown = second >= 30 && second < 33;
            (isDown ? restarts.unconnected(100, 100, "connection refused", MS / 10) : restarts.answered(100, 2 * MS))
                    .until((second + 1) * S);
        }
        assertThat(incidents(kept(restarts, 300, 30 * S, 10 * MS, MS / 10), 10 * MS, silence(30 * S, 33 * S)))
                .extracting(Incident::cause)
                .contains(Cause.UNREACHABLE);
    }

    @ParameterizedTest(name = "nothing from 5,000 to 6,500, a pause of ours from {0} to {1}: a stall from {2} to {3}")
    @CsvSource({
        "5000, 5500, 5500, 6500", "5100, 5500, 5500, 6500", "5101, 5500, 5000, 6500", "4000, 5200, 5200, 6500",
        "6000, 6500, 5000, 6000", "6000, 6400, 5000, 6000", "6000, 6399, 5000, 6500", "6300, 7000, 5000, 6300",
        "3000, 4000, 5000, 6500", "7000, 8000, 5000, 6500", "5500, 6000, 5000, 6500"
    })
    void own_pauses_at_the_start_or_end_are_not_part_of_a_stall(long from, long to, long begin, long end) {
        List<Incident> stalls = incidents(calm(2 * MS), MS, silence(5 * S, 6_500 * MS), pause(from, to)).stream()
                .filter(incident -> incident.cause() == Cause.SERVICE_STALL)
                .toList();
        assertThat(stalls).hasSize(1);
        assertThat(stalls.get(0).startNanos()).isEqualTo(begin * MS);
        assertThat(stalls.get(0).lengthNanos()).isEqualTo((end - begin) * MS);
    }

    @Test
    void short_pauses_that_follow_each_other_are_all_taken_off() {
        Silence silence = silence(5 * S, 6_500 * MS);
        List<Incident> begin = incidents(calm(2 * MS), MS, silence, pause(5_000, 5_200), pause(5_300, 5_500));
        assertThat(begin).singleElement().extracting(Incident::startNanos).isEqualTo(5_500 * MS);
        List<Incident> end = incidents(calm(2 * MS), MS, silence, pause(6_000, 6_200), pause(6_260, 6_500));
        assertThat(end).singleElement().extracting(Incident::lengthNanos).isEqualTo(S);
        assertThat(incidents(calm(2 * MS), MS, silence, pause(4_900, 6_600)))
                .extracting(Incident::cause)
                .containsExactly(Cause.OUR_PAUSE);
    }

    @Test
    void a_pause_of_Downbeat_counts_from_a_quarter_of_a_second_during_the_run() {
        assertThat(withPauses(calm(2 * MS), pause(5_000, 5_249))).isEmpty();
        assertThat(withPauses(calm(2 * MS), pause(20_000, 21_000))).isEmpty();
        assertThat(withPauses(calm(2 * MS), pause(19_999, 21_000))).hasSize(1);
        assertThat(withPauses(calm(2 * MS), pause(5_000, 5_250)))
                .singleElement()
                .satisfies(incident -> {
                    assertThat(incident.cause()).isEqualTo(Cause.OUR_PAUSE);
                    assertThat(incident.startNanos()).isEqualTo(5 * S);
                    assertThat(incident.lengthNanos()).isEqualTo(250 * MS);
                    assertThat(incident.catchUpNanos()).isZero();
                });
    }

    @Test
    void before_the_first_response_a_starting_client_looks_like_a_stall() {
        assertThat(starting(250 * MS)).singleElement().satisfies(incident -> {
            assertThat(incident.cause()).isEqualTo(Cause.STARTING);
            assertThat(incident.startNanos()).isZero();
            assertThat(incident.lengthNanos()).isEqualTo(250 * MS);
        });
        assertThat(starting(250 * MS - 1)).isEmpty();
        // a stall begins where we were ready
        Silence fromTheStart = new Silence(0, 0, 3 * S, 3 * S);
        List<Incident> found = RunEvents.incidents(
                calm(2 * MS).with(new Interruptions(true, List.of(fromTheStart), List.of(), List.of(), MS, S)));
        assertThat(found).extracting(Incident::cause).containsExactly(Cause.STARTING, Cause.SERVICE_STALL);
        assertThat(found.get(1).startNanos()).isEqualTo(S);
        assertThat(incidents(calm(200 * MS), MS, fromTheStart).get(0).startNanos())
                .isZero();
        Silence first = new Silence(0, 0, 320 * MS, 320 * MS);
        assertThat(incidents(calm(300 * MS), MS, first))
                .as("no answer can come sooner")
                .isEmpty();
    }

    private static List<Incident> starting(long nanos) {
        return RunEvents.incidents(
                calm(2 * MS).with(new Interruptions(true, List.of(), List.of(), List.of(), MS, nanos)));
    }

    /** Those that ended from its begin until the service had caught up, and took twice the usual time. */
    @Test
    void a_stall_has_hit_what_ended_late_until_the_service_had_caught_up() {
        RunResult run = run(
                        2 * MS,
                        (second, i) -> second.answered(
                                i == 4 ? 1 : i == 5 ? 10 : i == 6 ? 9 : i == 7 ? 8 : i == 8 ? 3 : 0, 50 * MS))
                .result();
        Silence stall = new Silence(5 * S, 5 * S, 6 * S, 7 * S);
        assertThat(incidents(run, MS, stall)).singleElement().satisfies(incident -> {
            assertThat(incident.requestsHit()).isEqualTo(27);
            assertThat(incident.catchUpNanos()).isEqualTo(S);
            assertThat(incident.slowestNanos() / 1e6).isCloseTo(50, within(0.1));
            // of 31 slow ones
            assertThat(incident.tailShare()).isCloseTo(27 / 31.0, within(1e-9));
        });
    }

    @Test
    void where_answers_are_slow_a_quarter_of_a_short_stall_is_late() {
        RunResult run = run(90 * MS, (second, i) -> second.answered(i == 5 ? 7 : 0, 130 * MS))
                .result();
        assertThat(incidents(run, MS, silence(5_200 * MS, 5_600 * MS)))
                .singleElement()
                .extracting(Incident::requestsHit)
                .isEqualTo(7L);
    }

    /** With more than one in a hundred hit p99 itself is one of them, and nothing lies beyond. */
    @Test
    void an_event_that_hit_the_whole_tail_gets_all_of_it() {
        RunResult run = run(2 * MS, (second, i) -> second.answered(i == 5 ? 100 : 0, 50 * MS))
                .result();
        assertThat(incidents(run, MS, silence(5 * S, 5_900 * MS)))
                .singleElement()
                .extracting(Incident::tailShare)
                .isEqualTo(1.0);
        assertThat(RunEvents.incidents(run))
                .as("slow without a stall")
                .singleElement()
                .extracting(Incident::tailShare)
                .isEqualTo(1.0);
    }

    @Test
    void slow_requests_of_a_stall_are_no_second_incident_and_those_of_another_second_are() {
        RunResult run = run(2 * MS, (second, i) -> second.answered(i == 5 || i == 12 ? 20 : 0, 60 * MS))
                .result();
        List<Incident> found = incidents(run, MS, silence(5 * S, 5_900 * MS));
        assertThat(found).extracting(Incident::cause).containsExactly(Cause.SERVICE_STALL, Cause.SERVICE_SLOW);
        assertThat(found.get(1).startNanos() / 1e9).isCloseTo(12.94, within(0.001));
    }

    @Test
    void slow_requests_while_a_service_catches_up_are_part_of_its_stall() {
        RunResult run = run(2 * MS, (second, i) -> second.answered(i == 7 ? 20 : 0, 60 * MS))
                .result();
        assertThat(incidents(run, MS, new Silence(5 * S, 5 * S, 6 * S, 7_500 * MS)))
                .extracting(Incident::cause)
                .containsExactly(Cause.SERVICE_STALL);
    }

    @Test
    void incidents_are_reported_in_order_of_time() {
        assertThat(incidents(calm(2 * MS), MS, silence(5 * S, 6 * S), pause(12_000, 12_500)))
                .extracting(Incident::cause)
                .containsExactly(Cause.SERVICE_STALL, Cause.OUR_PAUSE);
    }

    // ---- slow requests that came together, with answers all the time

    private static List<Incident> spells(long serviceNanos, ObjIntConsumer<RunFixture> more) {
        return RunEvents.incidents(run(serviceNanos, more).result());
    }

    @ParameterizedTest(name = "{0} requests of {1} us among those of 2 ms: {2}")
    @CsvSource({"5, 60000, true", "4, 60000, false", "20, 10200, true", "20, 9900, false"})
    void five_requests_five_times_as_slow_as_usual_are_an_incident(int count, long micros, boolean named) {
        assertThat(spells(2 * MS, (run, i) -> run.answered(i == 9 ? count : 0, micros * 1_000)))
                .hasSize(named ? 1 : 0);
    }

    /** Seconds whose slowest take 2 and b ms in turns; the limit is eight deviations of the logarithm, fifteen times at most. */
    @ParameterizedTest(name = "seconds of 2 and {0} us, a slow one of {1} us: {2}")
    @CsvSource({
        "3000, 26000, false",
        "3000, 29000, true",
        "4000, 41000, false",
        "4000, 44000, true",
        "2200, 10300, false",
        "2200, 10700, true"
    })
    void the_more_the_seconds_scatter_the_slower_an_incident_is(long otherMicros, long slowMicros, boolean named) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            run.answered(200, (i % 2 == 0 ? 2_000 : otherMicros) * 1_000);
            run.answered(i == 9 ? 10 : 0, slowMicros * 1_000).until((i + 1) * S);
        }
        assertThat(RunEvents.incidents(run.result())).hasSize(named ? 1 : 0);
    }

    @Test
    void fewer_than_eight_seconds_have_no_usual_level() {
        assertThat(RunEvents.incidents(cut(8))).hasSize(1);
        assertThat(RunEvents.incidents(cut(7))).isEmpty();
    }

    private static RunResult cut(int seconds) {
        return run(seconds, 2 * MS, (run, i) -> run.answered(i == 3 ? 9 : 0, 60 * MS))
                .workload(calm(MS).plan().workload(), Duration.ofSeconds(seconds))
                .until(END) // seconds without an answer do not count
                .result();
    }

    @Test
    void a_request_beyond_twice_the_usual_time_is_hit() {
        assertThat(spells(
                        2 * MS,
                        (run, i) -> run.answered(i == 9 ? 1 : 0, 60 * MS).answered(i == 9 ? 10 : 0, 5 * MS)))
                .singleElement()
                .extracting(Incident::requestsHit)
                .isEqualTo(11L);
        assertThat(spells(
                        2 * MS,
                        (run, i) -> run.answered(i == 9 ? 1 : 0, 60 * MS).answered(i == 9 ? 10 : 0, 3 * MS)))
                .isEmpty();
    }

    @Test
    void seconds_that_follow_and_hit_are_part_of_it_and_a_second_without_a_hit_ends_it() {
        List<Incident> found = spells(2 * MS, (run, i) -> {
            if (i == 5) {
                run.answered(30, 5 * MS); // not slow: no begin
            }
            if (i == 9 || i == 13 || i == 19) {
                run.answeredAt(i * S + 400 * MS, 9, 60 * MS);
            }
            if (i == 10) {
                run.answered(6, 5 * MS); // goes on
            }
        });
        assertThat(found).extracting(Incident::requestsHit).containsExactly(15L, 9L, 9L);
        assertThat(found).extracting(Incident::startNanos).containsExactly(9_400 * MS, 13_400 * MS, 19_400 * MS);
        assertThat(found.get(0).lengthNanos()).isEqualTo(11 * S - 9_400 * MS);
        assertThat(found.get(1).lengthNanos() / 1e6).isCloseTo(60, within(0.1));
        assertThat(found.get(1).tailShare()).isCloseTo(9 / 27.0, within(0.3));
    }

    /** The slowest itself was not kept: another that was due at 9.1 s does not say when the slowest was. */
    @Test
    void an_example_that_is_much_quicker_than_the_slowest_is_none_of_it() {
        List<Incident> found = spells(2 * MS, (run, i) -> {
            if (i == 9) {
                run.answeredAt(9_100 * MS, 1, 20 * MS).answered(9, 60 * MS);
            }
        });
        assertThat(found)
                .singleElement()
                .satisfies(incident -> assertThat(incident.startNanos() / 1e9).isCloseTo(9.94, within(0.001)));
    }

    @Test
    void events_outside_the_tail_are_no_cause() {
        List<Incident> found = spells(2 * MS, (run, i) -> {
            run.answered(i == 9 ? 560 : 0, 5 * S).answered(i == 9 ? 40 : 0, 10 * S);
            run.answered(i == 15 ? 5 : 0, 60 * MS);
        });
        assertThat(found).singleElement().satisfies(incident -> {
            assertThat(incident.requestsHit()).isEqualTo(600);
            assertThat(incident.tailShare()).isEqualTo(1);
        });
    }

    private static Cause cause(RunFixture run) {
        List<Incident> found = RunEvents.incidents(run.result());
        assertThat(found).hasSize(1);
        return found.get(0).cause();
    }

    @Test
    void half_of_the_slowest_time_decides_the_cause() {
        assertThat(cause(run(2 * MS, (run, i) -> run.answered(i == 9 ? 9 : 0, 40 * MS, 0, 20 * MS))))
                .isEqualTo(Cause.OUR_PAUSE);
        assertThat(cause(run(2 * MS, (run, i) -> run.answered(i == 9 ? 9 : 0, 0, 40 * MS, 20 * MS))))
                .isEqualTo(Cause.BACKLOG);
        assertThat(cause(run(2 * MS, (run, i) -> run.answered(i == 9 ? 9 : 0, 0, 20 * MS, 40 * MS))))
                .isEqualTo(Cause.SERVICE_STALL);
        assertThat(cause(run(2 * MS, (run, i) -> run.answered(i == 9 ? 9 : 0, 22 * MS, 22 * MS, 20 * MS))))
                .isEqualTo(Cause.UNKNOWN);
        assertThat(cause(run(2 * MS, (run, i) -> run.timedOut(i == 9 ? 9 : 0, 60 * MS))))
                .isEqualTo(Cause.SERVICE_STALL);
    }

    /** A standstill that ends at 5 s; slow requests of 60 ms that were due at some time. */
    @ParameterizedTest(name = "due at {0} ms, a standstill of {1} ms: {2}")
    @CsvSource({
        "4900, 40, OUR_PAUSE",
        "4930, 29, SERVICE_STALL",
        "4100, 40, SERVICE_STALL",
        "5200, 40, SERVICE_STALL",
        "4930, 60, OUR_PAUSE",
        "4200, 800, OUR_PAUSE"
    })
    void a_pause_of_Downbeat_is_the_cause_if_it_coincides_and_is_long_enough(long due, long millis, Cause cause) {
        RunFixture run = run(2 * MS, (second, i) -> {
            if (i == due / 1_000) {
                second.answeredAt(due * MS, 9, 60 * MS);
            }
        });
        assertThat(cause(run.health(RunFixture.stoodStillFor(millis * MS)))).isEqualTo(cause);
    }

    @Test
    void connections_that_were_opened_again_are_the_cause_if_they_took_half_of_the_time() {
        Stream.of(40L, 20L).forEach(handshakeMillis -> {
            RunFixture run = run(2 * MS, (second, i) -> {
                if (i == 9) {
                    second.reconnected(9, handshakeMillis * MS, 60 * MS - handshakeMillis * MS);
                }
            });
            assertThat(cause(run)).isEqualTo(handshakeMillis == 40 ? Cause.CONNECTION_CHURN : Cause.SERVICE_STALL);
        });
    }

    /** A live recorder plans what ends: requests that began before the first second are due in none of them. */
    @Test
    void slow_requests_of_the_first_seconds_of_a_live_service_are_no_stall() {
        RunFixture run = new RunFixture().workload(Workload.External.ofCallers(), Duration.ofSeconds(60));
        for (int second = 0; second < 60; second++) {
            run.answered(99, 10 * MS)
                    .answered(1, second < 5 || second % 3 == 0 ? 20 * S : 10 * MS)
                    .until((second + 1) * S);
        }
        assertThat(RunEvents.incidents(
                        run.ended(RunSpan.Ending.COMPLETE, 60 * S).result()))
                .isEmpty();
    }
}
