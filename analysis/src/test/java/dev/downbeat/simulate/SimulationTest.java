package dev.downbeat.simulate;

import static dev.downbeat.simulate.Cases.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.event.RunEvents;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.testing.Simulated;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SimulationTest {
    private static final ServiceLaw MILLISECOND = ServiceLaw.parse("exp:1ms");

    private static RunPlan.Builder plan(long perSecond, int seconds) {
        return Cases.plan(Cases.poisson(Rate.perSecond(perSecond), 7)).duration(Duration.ofSeconds(seconds));
    }

    private static RunPlan.Builder even(long perSecond, int seconds) {
        return Cases.plan(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .duration(Duration.ofSeconds(seconds));
    }

    @Test
    void the_same_seed_gives_the_same_result_interval_by_interval() {
        RunPlan plan = plan(700, 30).build();
        Simulation.Simulated one = Cases.run(plan, MILLISECOND, RetryPolicy.none(), 3);
        Simulation.Simulated again = Cases.run(plan, MILLISECOND, RetryPolicy.none(), 3);
        Simulation.Simulated other = Cases.run(plan, MILLISECOND, RetryPolicy.none(), 4);
        assertThat(again.result().recording().response())
                .isEqualTo(one.result().recording().response());
        assertThat(again.queue()).isEqualTo(one.queue());
        assertThat(again.result().intervals().stream()
                        .map(interval -> interval.recording().response()))
                .containsExactlyElementsOf(one.result().intervals().stream()
                        .map(interval -> interval.recording().response())
                        .toList());
        assertThat(again.result().intervals()).hasSizeGreaterThanOrEqualTo(30);
        assertThat(other.result().recording().response())
                .isNotEqualTo(one.result().recording().response());
    }

    @Test
    void nothing_is_late_in_virtual_time_and_littles_law_holds() {
        Simulation.Simulated simulated = Cases.run(plan(800, 120).build(), MILLISECOND, RetryPolicy.none(), 1);
        RunResult result = simulated.result();
        assertThat(result.recording().lateness().maxNanos()).isZero();
        assertThat(result.lanes().peakBacklog()).isZero();
        double waitSeconds = (result.recording().response().meanNanos() - MS) / 1e9;
        double perSecond = result.ledger().planned() / 120.0;
        assertThat(simulated.queue().mean()).isCloseTo(perSecond * waitSeconds, within(0.15));
    }

    @Test
    void several_servers_share_one_queue_as_in_Erlangs_formula() {
        // M/M/4 at 80 %: a request waits with probability 0.5964, and then 1.25 ms on average
        RunPlan plan = Cases.plan(Cases.poisson(Rate.perSecond(3_200), 5))
                .maxRequests(400_000)
                .build();
        Simulation.Simulated simulated =
                Cases.run(plan, SimulatedService.of(MILLISECOND).servers(4), RetryPolicy.none(), 6);
        double waitMillis = simulated.result().recording().response().meanNanos() / 1e6 - 1;
        assertThat(waitMillis).isCloseTo(0.5964 * 1.25, within(0.04));
    }

    @Test
    void sessions_are_partly_open() {
        Workload sessions =
                new Workload.PartlyOpen(new Poisson(Rate.perSecond(50), 1), 5, new ThinkTime.Exponential(100 * MS, 2));
        Simulation.Simulated simulated = Cases.run(
                Cases.plan(sessions).duration(Duration.ofSeconds(20)).build(), MILLISECOND, RetryPolicy.none(), 1);
        assertThat(simulated.result().ledger().addsUp()).isTrue();
        assertThat(simulated.result().ledger().answered()).isBetween(4_400L, 5_400L);
    }

    /** A request without a response keeps the later ones of its session from being planned. */
    @ParameterizedTest(name = "each request takes {0}: {1} overloads")
    @CsvSource({"exp:2500us, 1", "exp:1600us, 0"})
    void sessions_that_ask_for_more_than_a_service_carries_overload_it(String law, int overloads) {
        Workload sessions =
                new Workload.PartlyOpen(new Poisson(Rate.perSecond(50), 1), 10, new ThinkTime.Exponential(10 * MS, 2));
        Simulation.Simulated simulated = Cases.run(
                Cases.plan(sessions).duration(Duration.ofSeconds(30)).build(),
                ServiceLaw.parse(law),
                RetryPolicy.none(),
                1);
        List<Overload> found = RunEvents.overloads(simulated.result());
        assertThat(found).hasSize(overloads);
        assertThat(found).allSatisfy(overload -> {
            assertThat(overload.offeredPerSecond()).as("of 500/s asked for").isBetween(460.0, 540.0);
            assertThat(overload.answeredPerSecond()).isBetween(380.0, 430.0);
        });
    }

    @Test
    void a_full_queue_refuses_and_the_refused_are_failures() {
        SimulatedService small = new SimulatedService(ServiceLaw.parse("10ms"), 1, 2, List.of(), false);
        Simulation.Simulated simulated = Cases.run(even(200, 10).build(), small, RetryPolicy.none(), 1);
        assertThat(simulated.result().ledger().answered()).isBetween(1_000L, 1_004L);
        assertThat(simulated.result().ledger().failed()).isBetween(996L, 1_000L);
        assertThat(simulated.result().recording().failures()).containsKey("refused: the queue was full");
        assertThat(simulated.result().recording().response().maxNanos()).isLessThanOrEqualTo(31 * MS);
    }

    @Test
    void after_a_timeout_the_service_continues_the_abandoned_request() {
        RunPlan plan = even(200, 10).timeout(Duration.ofMillis(50)).build();
        Simulation.Simulated simulated = Cases.run(plan, ServiceLaw.parse("10ms"), RetryPolicy.none(), 1);
        assertThat(simulated.result().ledger().addsUp()).isTrue();
        assertThat(simulated.result().ledger().timedOut()).isGreaterThan(1_900);
        assertThat(simulated.result().counts().count("answers that came too late"))
                .isPositive();
    }

    @Test
    void a_limit_of_connections_makes_requests_wait_with_us() {
        Simulation.Simulated simulated = new Simulation(
                        even(200, 10).build(),
                        SimulatedService.of(ServiceLaw.parse("10ms")).servers(100),
                        RetryPolicy.none(),
                        1,
                        1)
                .run(Progress.none());
        assertThat(simulated.queue().most()).isZero();
        assertThat(simulated.result().lanes().peakBacklog()).isBetween(990L, 1_000L);
        assertThat(simulated.result().recording().service().maxNanos()).isLessThan(11 * MS);
    }

    @Test
    void a_queue_beyond_the_capacity_grows_by_the_difference() {
        Simulation.Simulated simulated =
                Cases.run(even(1_500, 20).drain(Duration.ZERO).build(), ServiceLaw.parse("1ms"), RetryPolicy.none(), 1);
        assertThat(simulated.queue().growthPerSecond()).isCloseTo(500, within(5.0));
        assertThat(simulated.queue().grows(20_000 * MS)).isTrue();
        assertThat(simulated.queue().stretches()).hasSizeBetween(500, 1_024);
    }

    @Test
    void stalls_that_come_back_take_their_share() {
        SimulatedService stalling =
                SimulatedService.of(ServiceLaw.parse("1ms")).stall(Stall.parse("every 1s for 500ms"));
        assertThat(stalling.endOfWork(990 * MS, 20 * MS)).isEqualTo(1_510 * MS);
        assertThat(stalling.endOfWork(1_000 * MS, MS)).isEqualTo(1_501 * MS);
        assertThat(stalling.endOfWork(1_900 * MS, 1_000 * MS)).isEqualTo(3_900 * MS);
        assertThat(stalling.perSecond()).isCloseTo(500, within(1e-9));
        assertThat(stalling.stall(Stall.parse("1s@1200ms")).endOfWork(1_100 * MS, MS))
                .isEqualTo(2_501 * MS);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        2ms                      | 2
        exp:2ms                  | 2
        hyperexp:100us,10ms,0.1% | 0.1099
        bimodal:1ms,50ms,1%      | 1.49
        lognormal:2ms,0.5        | 2.26630
        pareto:1ms,3.0           | 1.5
        """)
    void laws_are_read_written_and_have_their_means(String text, double meanMillis) {
        ServiceLaw law = ServiceLaw.parse(text);
        assertThat(law.describe()).isEqualTo(text);
        assertThat(law.meanNanos() / 1e6).isCloseTo(meanMillis, within(1e-4));
        SplittableRandom random = new SplittableRandom(1);
        double sum = 0;
        for (int i = 0; i < 300_000; i++) {
            sum += law.nextNanos(random);
        }
        assertThat(sum / 300_000 / 1e6).isCloseTo(meanMillis, within(0.03 * meanMillis));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "2s; 1 server, 2s (at most 0.5/s)",
                "exp:3150ms; 1 server, exp:3.15s (at most 0.317/s)",
                "110ms; 1 server, 110ms (at most 9.09/s)",
                "100us; 1 server, 100us (at most 10,000/s)"
            })
    void the_capacity_of_a_service_has_three_digits(String law, String text) {
        assertThat(SimulatedService.of(ServiceLaw.parse(law)).describe()).isEqualTo("simulated service: " + text);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"", "fast", "2", "exp:", "exp:1ms,2ms", "bimodal:1ms,2ms,3", "pareto:1ms,0", "lognormal:1ms,x"})
    void an_invalid_distribution_is_refused_with_the_accepted_forms(String text) {
        assertThatThrownBy(() -> ServiceLaw.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a law of service times is like 2ms, exp:2ms")
                .hasMessageContaining("but was '" + text + "'");
    }

    @Test
    void a_caller_that_gives_up_its_attempts_does_not_end_the_silence() {
        SimulatedService service = SimulatedService.of(MILLISECOND).stall(Stall.parse("1s@2s"));
        RunResult run = Cases.run(plan(200, 5).build(), service, RetryPolicy.of(3, 100 * MS), 1)
                .result();
        assertThat(run.interruptions().silences())
                .singleElement()
                .satisfies(silence ->
                        assertThat(silence.toNanos() - silence.fromNanos()).isCloseTo(1_000 * MS, within(30 * MS)));
    }

    @Test
    void contradictory_options_are_refused() {
        SimulatedService service = SimulatedService.of(MILLISECOND);
        assertThatThrownBy(() -> service.servers(0)).hasMessageContaining("servers must be at least 1");
        assertThatThrownBy(() -> service.stall(new Stall(0, 6, 10)).stall(new Stall(0, 6, 10)))
                .hasMessageContaining("must leave time between them");
        assertThatThrownBy(() -> Stall.parse("1s")).hasMessageContaining("a stall is like 1s@5s");
        RunPlan plan = plan(1, 1).build();
        assertThatThrownBy(() -> new Simulation(plan, service, RetryPolicy.none(), 1, 0))
                .hasMessage("connections must be from 1 to 1000000, but was 0");
        SimulatedService refusing = new SimulatedService(MILLISECOND, 1, 0, List.of(), false);
        assertThatThrownBy(() -> new Simulation(plan, refusing, RetryPolicy.of(Integer.MAX_VALUE, 1), 1))
                .hasMessageContaining("attempts without end against a queue that refuses need a pause");
        assertThatThrownBy(() -> RetryPolicy.of(0, 1)).hasMessageContaining("attempts and attemptTimeoutNanos");
    }
}
