package dev.downbeat.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.VirtualService;
import dev.downbeat.run.Workload;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Begin, length and cause of what interrupts a run, in virtual time: within 5 % or 20 ms. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StallsTest {
    private static final long MS = 1_000_000L;
    private static final long SECOND = 1_000 * MS;

    private static ArrivalProcess arrivals(String law, long perSecond) {
        return law.equals("constant")
                ? new Constant(Rate.perSecond(perSecond))
                : new Poisson(Rate.perSecond(perSecond), 7);
    }

    private static RunPlan.Builder plan(String law, long perSecond) {
        return RunPlan.builder(new Workload.Open(arrivals(law, perSecond))).duration(Duration.ofSeconds(20));
    }

    private static LongUnaryOperator exponential(double meanNanos) {
        SplittableRandom random = new SplittableRandom(3);
        return index -> Math.round(random.nextExponential() * meanNanos);
    }

    private static Pause span(long fromMillis, long lengthMillis) {
        return new Pause(fromMillis * MS, (fromMillis + lengthMillis) * MS);
    }

    private static List<Incident> incidents(RunPlan plan, List<Pause> ofTheService, List<Pause> ofTheClient) {
        return RunEvents.incidents(VirtualService.interrupted(plan, 64, exponential(2e6), ofTheService, ofTheClient));
    }

    private static void assertIs(Incident incident, Incident.Cause cause, Pause truth) {
        long tolerance = Math.max(20 * MS, truth.lengthNanos() / 20);
        assertThat(incident.cause()).isEqualTo(cause);
        assertThat(incident.startNanos())
                .as("begin")
                .isBetween(truth.fromNanos() - tolerance, truth.fromNanos() + tolerance);
        assertThat(incident.lengthNanos())
                .as("length")
                .isBetween(truth.lengthNanos() - tolerance, truth.lengthNanos() + tolerance);
    }

    @ParameterizedTest(name = "{0}, frozen for {1} ms")
    @CsvSource({
        "constant, 300", "constant, 1000", "constant, 2700", "constant, 4200",
        "poisson, 300", "poisson, 1000", "poisson, 2700", "poisson, 4200"
    })
    void a_freeze_is_one_stall_of_its_length(String law, long millis) {
        Pause truth = span(8_123, millis);
        List<Incident> found = incidents(plan(law, 500).build(), List.of(truth), List.of());
        assertThat(found).hasSize(1);
        assertIs(found.get(0), Incident.Cause.SERVICE_STALL, truth);
        assertThat(found.get(0).requestsHit()).isBetween(millis * 4 / 10, millis * 6 / 10 + 64);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"constant", "poisson"})
    void two_freezes_are_two(String law) {
        List<Pause> truth = List.of(span(4_000, 2_000), span(10_000, 3_000));
        List<Incident> found = incidents(plan(law, 500).build(), truth, List.of());
        assertThat(found).hasSize(2);
        assertIs(found.get(0), Incident.Cause.SERVICE_STALL, truth.get(0));
        assertIs(found.get(1), Incident.Cause.SERVICE_STALL, truth.get(1));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"constant", "poisson"})
    void a_freeze_all_of_whose_requests_time_out_is_one(String law) {
        Pause truth = span(8_000, 5_000);
        RunPlan plan = plan(law, 500).timeout(Duration.ofSeconds(1)).build();
        List<Incident> found = incidents(plan, List.of(truth), List.of());
        assertThat(found).hasSize(1);
        assertIs(found.get(0), Incident.Cause.SERVICE_STALL, truth);
    }

    @Test
    void a_freeze_that_hits_few_and_has_no_part_in_the_tail_is_one() {
        Pause truth = span(9_000, 300);
        RunPlan plan = plan("constant", 100).build();
        LongUnaryOperator oneInTenIsSlow = index -> index % 10 == 3 ? 900 * MS : 2 * MS;
        List<Incident> found =
                RunEvents.incidents(VirtualService.interrupted(plan, 64, oneInTenIsSlow, List.of(truth), List.of()));
        assertThat(found).hasSize(1);
        assertIs(found.get(0), Incident.Cause.SERVICE_STALL, truth);
    }

    @Test
    void a_pause_of_Downbeat_is_distinguished_from_a_freeze() {
        Pause ours = span(4_000, 1_000);
        Pause theirs = span(9_000, 2_000);
        List<Incident> found = incidents(plan("poisson", 500).build(), List.of(theirs), List.of(ours));
        assertThat(found).hasSize(2);
        assertIs(found.get(0), Incident.Cause.OUR_PAUSE, ours);
        assertIs(found.get(1), Incident.Cause.SERVICE_STALL, theirs);
    }

    @Test
    void a_pause_of_Downbeat_within_a_freeze_is_reported_too() {
        Pause ours = span(8_000, 2_000);
        Pause theirs = span(6_000, 6_000);
        List<Incident> found = incidents(plan("constant", 500).build(), List.of(theirs), List.of(ours));
        assertThat(found).hasSize(2);
        assertIs(found.get(0), Incident.Cause.SERVICE_STALL, theirs);
        assertIs(found.get(1), Incident.Cause.OUR_PAUSE, ours);
    }

    @Test
    void a_freeze_at_the_start_is_the_services_since_this_client_is_ready_before_it_begins() {
        Pause truth = span(0, 1_500);
        List<Incident> found = incidents(plan("constant", 500).build(), List.of(truth), List.of());
        assertThat(found).hasSize(1);
        assertIs(found.get(0), Incident.Cause.SERVICE_STALL, truth);
    }

    @Test
    void a_freeze_that_outlasts_the_run_is_one() {
        RunPlan plan = plan("constant", 500).drain(Duration.ofSeconds(2)).build();
        List<Incident> found = incidents(plan, List.of(span(15_000, 100_000)), List.of());
        assertThat(found).hasSize(1);
        assertIs(found.get(0), Incident.Cause.SERVICE_STALL, span(15_000, 7_000));
    }

    @Test
    void the_backlog_after_a_stall_is_reported_separately() {
        RunPlan plan = plan("constant", 500).build();
        RunResult run = VirtualService.frozen(plan, 2, index -> 2 * MS, 8 * SECOND, 9 * SECOND);
        List<Incident> found = RunEvents.incidents(run);
        assertThat(found).hasSize(1);
        assertIs(found.get(0), Incident.Cause.SERVICE_STALL, span(8_000, 1_000));
        // two places of 2 ms carry 1,000/s: 500 have piled up, and 500 a second come
        assertThat(found.get(0).catchUpNanos()).isBetween(950 * MS, 1_050 * MS);
        assertThat(found.get(0).text()).contains("the service stalled, then ").contains("to catch up");
    }

    /** Seldom answers, slow ones, bursts: nobody stalls. */
    @Test
    @Tag("slow")
    void healthy_services_have_no_stalls() {
        List<String> accused = new ArrayList<>();
        for (int seed = 0; seed < Replications.of(40, 16); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long perSecond = new long[] {1, 5, 50, 500}[seed % 4];
            double meanNanos = new double[] {2e6, 50e6, 400e6, 2e6}[seed / 4 % 4];
            boolean oneInTenIsSlow = seed % 3 == 0;
            RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(perSecond), seed)))
                    .duration(Duration.ofSeconds(perSecond >= 50 ? 40 : 120))
                    .build();
            RunResult run = VirtualService.run(
                    plan,
                    2_000,
                    2_000,
                    index -> Math.round(
                            (oneInTenIsSlow && index % 10 == 0 ? 500e6 : 0) + random.nextExponential() * meanNanos));
            for (Incident incident : RunEvents.incidents(run)) {
                accused.add(seed + ": " + incident.text());
            }
        }
        assertThat(accused).isEmpty();
    }
}
