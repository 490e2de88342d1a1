package dev.downbeat.verdict.caveat;

import static dev.downbeat.verdict.Judged.codes;
import static dev.downbeat.verdict.Judged.only;
import static dev.downbeat.verdict.Judged.quiet;
import static dev.downbeat.verdict.Judged.verdict;
import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.VirtualService;
import dev.downbeat.run.Workload;
import dev.downbeat.testing.Replications;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.RunVerdict.Soundness;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoadCaveatTest {
    /** Of 800 requests a second 177 are answered. */
    private static RunFixture overloaded() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(177, second * 500L * MS).timedOut(623, 30 * S).until(second * S);
        }
        return run.backlog(9_000, 20 * S);
    }

    @Test
    void an_overload_has_a_name_and_meets_nothing_on_times() {
        RunVerdict verdict = verdict(overloaded(), "p50<1h", "rate>=10%");
        assertThat(verdict.measurement()).isEqualTo(Soundness.SOUND);
        assertThat(verdict.overload().orElseThrow().brief())
                .isEqualTo("OVERLOADED: 177/s of 800/s answered, 77.9 % timed out");
        assertThat(verdict.objectives())
                .extracting(JudgedObjective::status)
                .containsExactly(JudgedObjective.Status.UNDECIDED, JudgedObjective.Status.MET);
    }

    @Test
    void no_overload_is_reported_if_Downbeat_may_have_been_slow() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(177, second * 500L * MS, 0, MS).timedOut(623, 30 * S).until(second * S);
        }
        assertThat(codes(verdict(run.backlog(9_000, 20 * S)))).contains("overloaded");
        RunFixture ours = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            ours.answered(700, second * 500L * MS, 0, MS).inFlight(100, MS).until(second * S);
        }
        assertThat(codes(verdict(ours.backlog(9_000, 20 * S)))).doesNotContain("overloaded");
    }

    @Test
    void a_service_that_takes_half_of_the_run_for_each_answer_is_slow_and_not_overloaded() {
        for (long seed = 1; seed <= Replications.of(20, 2); seed++) {
            RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(20), seed)))
                    .duration(Duration.ofSeconds(5))
                    .build();
            RunResult slow = VirtualService.run(plan, 1_000, 1_000, index -> 3 * S);
            assertThat(RunVerdict.of(slow, List.of()).overload()).isEmpty();
            RunResult full = VirtualService.run(plan, 1_000, 1, index -> S / 10);
            assertThat(RunVerdict.of(full, List.of()).overload()).isPresent();
        }
    }

    @Test
    void a_service_that_never_answers_a_tenth_of_its_requests_and_the_others_at_once_is_not_overloaded() {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(100), 1)))
                .duration(Duration.ofSeconds(10))
                .timeout(Duration.ofSeconds(1))
                .build();
        RunResult losing = VirtualService.run(plan, 1_000, 1_000, index -> index % 10 == 0 ? 1_000 * S : 5 * MS);
        assertThat(losing.ledger().timedOut()).isGreaterThan(losing.ledger().planned() / 20);
        assertThat(RunVerdict.of(losing, List.of()).overload()).isEmpty();
        RunFixture full = new RunFixture().warmedUp();
        for (int second = 1; second <= 20; second++) {
            full.answered(60, 25 * S).timedOut(40, 30 * S).until(second * S);
        }
        assertThat(verdict(full).overload()).isPresent();
    }

    @Test
    void a_stall_at_the_end_is_no_overload() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run = second <= 15 ? run.answered(1_000, MS) : run.inFlight(1_000, S);
            run.until(second * S);
        }
        assertThat(codes(verdict(run))).doesNotContain("overloaded");
    }

    @Test
    void a_load_that_we_could_not_keep_up_with_was_not_offered() {
        RunFixture behind = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            behind.answered(900, second * 100L * MS, 0, MS).until(second * S);
        }
        RunVerdict verdict = verdict(behind, "p50<10s");
        assertThat(codes(verdict)).contains("not_offered");
        assertThat(verdict.measurement()).isEqualTo(Soundness.UNSOUND);
        assertThat(verdict.objectives().get(0).reason()).endsWith(", but the planned load was not offered");
    }

    @Test
    void a_few_late_requests_of_a_second_in_which_the_service_stalled_say_nothing_of_its_load() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            if (second == 9) {
                run.answered(3, 90 * MS, 0, MS).inFlight(900, S);
            } else {
                run.answered(1_000, MS);
            }
            run.until(second * S);
        }
        assertThat(codes(verdict(run))).doesNotContain("not_offered");
    }

    @Test
    void a_pause_that_is_caught_up_within_a_second_is_no_load_that_was_not_offered() {
        RunFixture paused = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            paused.answered(second == 7 ? 800 : 1_000, MS);
            if (second == 7) {
                paused.answered(200, 200 * MS, 0, MS);
            }
            paused.until(second * S);
        }
        assertThat(codes(verdict(paused))).doesNotContain("not_offered");
    }

    @Test
    void requests_without_a_free_connection_are_reported_but_do_not_discredit_the_measurement() {
        LoadCaveat.NotSent notSent = only(
                LoadCaveat.NotSent.class,
                verdict(new RunFixture().answered(15_064, MS).neverSent(4_936, S)));
        assertThat(notSent.isDoubt()).isFalse();
        assertThat(notSent.text()).startsWith("4,936 of 20,000 requests were still unsent when the run ended");
    }

    @Test
    void consumers_without_time_to_wait_are_what_was_measured() {
        RunFixture run = new RunFixture().answered(20_000, MS);
        Map<String, Long> counts = Map.of("polls", 100L, "polls with a full batch", 60L);
        RunVerdict verdict = verdict(run.counts(new TargetCounts(counts)), "p50<10s");
        assertThat(only(LoadCaveat.ConsumersFull.class, verdict).text())
                .startsWith("60 of 100 consumer polls returned a full batch");
        assertThat(verdict.objectives().get(0).reason()).endsWith(", but messages waited for a consumer");
        Map<String, Long> few = Map.of("polls", 100L, "polls with a full batch", 50L);
        assertThat(codes(verdict(new RunFixture().answered(20_000, MS).counts(new TargetCounts(few)))))
                .doesNotContain("consumers_full");
    }

    /** A consumer with a long processing time polls seldom, and its first and last polls find little. */
    @Test
    void consumers_that_always_worked_are_what_was_measured_however_few_polls_were_full() {
        Map<String, Long> counts = Map.of(
                "polls",
                7L,
                "polls with a full batch",
                1L,
                "consumer milliseconds",
                60_000L,
                "consumer milliseconds at work",
                59_500L);
        RunVerdict verdict = verdict(new RunFixture().answered(20_000, MS).counts(new TargetCounts(counts)), "p50<1us");
        assertThat(verdict.objectives().get(0).reason())
                .as("neither is the service to blame for a miss")
                .endsWith(", but messages waited for a consumer");
        assertThat(only(LoadCaveat.ConsumersFull.class, verdict).text())
                .isEqualTo("the consumers were at work 99 % of the time: messages waited for a consumer, so delivery"
                        + " times depend on the number of consumers. Add consumers");
    }

    private static RunFixture busy(RunFixture run) {
        return run.counts(
                new TargetCounts(Map.of("consumer milliseconds", 60_000L, "consumer milliseconds at work", 59_500L)));
    }

    /** More consumers would not have delivered what the queue refused. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"errors<1%", "errors<=25%", "rate>=99%", "rate>75%"})
    void requests_that_the_queue_refused_are_missed_however_busy_the_consumers_were(String slo) {
        RunFixture refused = busy(new RunFixture());
        for (int second = 1; second <= 20; second++) {
            refused.answered(140, 2 * MS).failed(60, "HTTP 403", MS).until(second * S);
        }
        for (boolean isSure : List.of(false, true)) {
            assertThat(status(refused, slo, isSure)).isEqualTo(JudgedObjective.Status.MISSED);
        }
        RunVerdict ofTimes = verdict(refused, "p99<1ms", "mean<1ms");
        assertThat(ofTimes.objectives())
                .extracting(JudgedObjective::status)
                .containsOnly(JudgedObjective.Status.UNDECIDED);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"errors<10%", "errors<=9.9%", "rate>=91%", "rate>90%"})
    void refused_requests_within_the_limit_and_messages_that_waited_too_long_are_undecided(String slo) {
        RunFixture late = busy(new RunFixture()
                .answered(700, 2 * MS)
                .failed(90, "HTTP 403", MS)
                .timedOut(210, S));
        assertThat(status(late, slo, false)).isEqualTo(JudgedObjective.Status.UNDECIDED);
    }

    private static JudgedObjective.Status status(RunFixture run, String slo, boolean isSure) {
        return RunVerdict.of(
                        Observations.of(run.result()),
                        List.of(ServiceLevelObjective.parse(slo)),
                        new RequiredCertainty(isSure, false))
                .objectives()
                .get(0)
                .status();
    }

    @Test
    void a_run_that_meets_foreign_messages_stops_and_judges_nothing() {
        Map<String, Long> counts =
                Map.of("requests ended by messages of others", 175L, "messages of others, given back", 30L);
        RunFixture run = new RunFixture().answered(25, MS).keptBy("messages of others are in the queue", 175);
        RunVerdict verdict = verdict(run.counts(new TargetCounts(counts)), "p99<1us", "errors<1%");
        assertThat(only(RunDefect.MessagesOfOthers.class, verdict))
                .isEqualTo(new RunDefect.MessagesOfOthers(175, 200, 30, 0, 0, false, false));
        assertThat(codes(verdict)).doesNotContain("own_limit");
        assertThat(verdict.service()).isEqualTo(RunVerdict.Service.UNDECIDED);
    }

    @Test
    void
            foreign_messages_that_are_nearly_dead_letters_are_noted_in_a_complete_run_and_invalidate_one_that_they_stopped() {
        Map<String, Long> nearly =
                Map.of("messages of others, given back", 30L, "messages of others with one receive left", 29L);
        RunVerdict complete = verdict(quiet().counts(new TargetCounts(nearly)));
        assertThat(only(RunDefect.MessagesOfOthers.class, complete).text())
                .isEqualTo("29 messages of other producers can be received only once more before the dead-letter queue."
                        + " They were returned. Use a separate queue");
        assertThat(complete.measurement()).isEqualTo(Soundness.SOUND);

        Map<String, Long> spared = Map.of(
                "messages of others, given back", 1L,
                "messages of others without a receive left", 1L,
                "stops to spare messages of others", 1L);
        RunVerdict cleanedUp = verdict(quiet().counts(new TargetCounts(spared)));
        assertThat(only(RunDefect.MessagesOfOthers.class, cleanedUp).text())
                .as("no request was left to stop")
                .isEqualTo("1 message of other producers moves to the dead-letter queue when received next. It was"
                        + " returned. Use a separate queue");
        assertThat(cleanedUp.measurement()).isEqualTo(Soundness.SOUND);

        Map<String, Long> ended = new HashMap<>(spared);
        ended.put("requests ended by messages of others", 175L);
        RunFixture run = new RunFixture().answered(25, MS).keptBy("they might move", 175);
        RunVerdict stopped = verdict(run.counts(new TargetCounts(ended)));
        assertThat(only(RunDefect.MessagesOfOthers.class, stopped).brief())
                .isEqualTo("1 message of other producers moves to the dead-letter queue when received next: the run"
                        + " stopped, 175 of 200 requests were not completed");
        assertThat(stopped.measurement()).isEqualTo(Soundness.UNSOUND);

        ended.put("refusals to hide messages of others", 1L);
        ended.remove("messages of others without a receive left");
        assertThat(only(RunDefect.MessagesOfOthers.class, verdict(run.counts(new TargetCounts(ended))))
                        .text())
                .isEqualTo(
                        "the queue holds messages of other producers (1 received): the run stopped, 175 of 200"
                                + " requests were not completed. ChangeMessageVisibility was refused, so messages return only"
                                + " after their visibility timeout: allow sqs:ChangeMessageVisibility, or use a separate queue");

        Map<String, Long> often = Map.of("messages of others, given back", 30L);
        assertThat(codes(verdict(quiet().counts(new TargetCounts(often))))).isEmpty();
    }

    @Test
    void a_backlog_is_noted_with_its_peak() {
        RunVerdict verdict = verdict(quiet().backlog(2_569, 32_400 * MS));
        assertThat(only(LoadCaveat.BacklogGrew.class, verdict).text()).contains("2,569 unsent requests", "at 32.4 s");
        assertThat(verdict.measurement()).isEqualTo(Soundness.SOUND);
        assertThat(codes(verdict(quiet().backlog(9, S)))).isEmpty();
    }

    @Test
    void a_closed_workload_is_noted() {
        RunFixture run = quiet().workload(new Workload.Closed(1, ThinkTime.none()), Duration.ofSeconds(20));
        LoadCaveat.ClosedWorkload closed = only(LoadCaveat.ClosedWorkload.class, verdict(run));
        assertThat(closed.text()).contains("1 virtual user waits");
        assertThat(closed.isDoubt()).isFalse();
        assertThat(new LoadCaveat.ClosedWorkload(10).text()).contains("10 virtual users wait");
    }
}
