package dev.downbeat.run;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.selfcheck.DelayTotals;
import dev.downbeat.testing.Replications;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every intended request has exactly one fate, on every path by which a run can end. All in virtual time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LedgerTest {
    private static final String[] ONLY_OF_THE_WHOLE_RUN = {"waits.lookup", "waits.handshake", "anatomy"};

    private static RunPlan.Builder open(ArrivalProcess arrivals) {
        return RunPlan.builder(new Workload.Open(arrivals)).duration(Duration.ofSeconds(20));
    }

    private static final ArrivalProcess THOUSAND = new Constant(Rate.perSecond(1_000));

    @Test
    void a_run_that_is_stopped_accounts_for_what_was_meant_to_start_before_the_stop() {
        VirtualRun[] run = new VirtualRun[1];
        run[0] = new VirtualRun(open(THOUSAND).build())
                .trouble(lane -> lane.freeze(2 * SECOND, 3_600 * SECOND).callAt(3 * SECOND, () -> run[0].stop()));
        RunResult result = run[0].result();

        assertThat(result.ending()).isEqualTo(RunSpan.Ending.INTERRUPTED);
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().planned()).isBetween(3_000L, 3_012L);
        assertThat(result.ledger().inFlight()).isEqualTo(64);
        assertThat(result.ledger().answered()).isBetween(1_990L, 2_000L);
        assertThat(result.durationNanos()).isLessThan(3_500 * MILLI);
    }

    @Test
    void a_target_whose_code_breaks_leaves_a_partial_result() {
        RunResult result = new VirtualRun(open(THOUSAND).build())
                .trouble(lane -> lane.breakAt(5 * SECOND))
                .result();

        assertThat(result.ending()).isEqualTo(RunSpan.Ending.BROKEN);
        assertThat(result.failure()).hasValueSatisfying(text -> assertThat(text).contains("the target's code broke"));
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().answered()).isBetween(4_990L, 5_000L);
    }

    /** What a generator's thread needs before its first request fails too when memory does. */
    @Test
    @Timeout(20)
    void a_generator_that_cannot_begin_ends_the_run() {
        VirtualRun run = new VirtualRun(open(THOUSAND).generators(2).build());
        run.ownTime(new DelayTotals() {
            @Override
            public long runDelayNanos() {
                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
            }

            @Override
            public long hiccupNanos() {
                return 0;
            }

            @Override
            public long gcNanos() {
                return 0;
            }
        });
        RunResult result = run.result();

        assertThat(result.ending()).isEqualTo(RunSpan.Ending.BROKEN);
        assertThat(result.failure()).hasValueSatisfying(text -> assertThat(text).contains("direct buffer memory"));
        assertThat(result.ledger().addsUp()).isTrue();
    }

    /** Of a request that is sent, and of one that waits for a slot until it times out. */
    @ParameterizedTest(name = "{0} slots")
    @ValueSource(ints = {64, 1})
    @Timeout(20)
    void code_that_cannot_name_a_request_breaks_the_run_but_not_its_ledger(int slots) {
        RunPlan plan = open(THOUSAND)
                .timeout(Duration.ofMillis(100))
                .timeoutFrom(RunPlan.TimeoutFrom.INTENDED)
                .build();
        RunResult result = new VirtualRun(plan) {
            @Override
            public int nameOf(Exchange exchange) {
                if (exchange.index >= 5_000) {
                    throw new IllegalStateException("no name for " + exchange.index);
                }
                return 0;
            }
        }.slots(slots).trouble(lane -> lane.freeze(4_950 * MILLI, 6 * SECOND)).result();

        assertThat(result.ending()).isEqualTo(RunSpan.Ending.BROKEN);
        assertThat(result.failure()).hasValueSatisfying(text -> assertThat(text).contains("no name for 5000"));
        assertThat(result.ledger().addsUp()).as(result.ledger().toString()).isTrue();
        assertThat(result.ledger().planned()).isBetween(5_001L, 5_200L);
    }

    @Test
    void requests_that_fail_at_once_are_failed_and_nothing_else() {
        RunResult result = new VirtualRun(open(THOUSAND).build())
                .trouble(lane -> lane.failAtOnce(Outcome.failed("connection refused")))
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(20_000, 0, 20_000, 0, 0, 0, 0));
        assertThat(result.recording().failures())
                .containsOnlyKeys("connection refused")
                .containsValue(20_000L);
        assertThat(result.recording().response().isEmpty()).isTrue();
    }

    @Test
    void a_number_of_requests_ends_a_run_without_a_duration() {
        RunResult result = new VirtualRun(RunPlan.builder(new Workload.Open(THOUSAND))
                        .maxRequests(1_234)
                        .build())
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(1_234, 1_234, 0, 0, 0, 0, 0));
    }

    @Test
    void a_number_of_requests_ends_a_closed_run() {
        RunResult result = new VirtualRun(RunPlan.builder(new Workload.Closed(7, ThinkTime.none()))
                        .maxRequests(1_000)
                        .build())
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(1_000, 1_000, 0, 0, 0, 0, 0));
    }

    @Test
    void closed_clients_wait_for_their_answers() {
        RunResult result = new VirtualRun(RunPlan.builder(new Workload.Closed(10, new ThinkTime.Constant(9 * MILLI)))
                        .duration(Duration.ofSeconds(10))
                        .build())
                .trouble(lane -> lane.freeze(2 * SECOND, 7 * SECOND))
                .result();

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().planned()).isBetween(4_990L, 5_020L);
        assertThat(result.recording().response().countAbove(2 * MILLI)).isEqualTo(10);
    }

    @Test
    void a_freeze_delays_each_session_that_it_meets_once() {
        Workload.PartlyOpen sessions =
                new Workload.PartlyOpen(new Constant(Rate.perSecond(10)), 3, new ThinkTime.Constant(SECOND));
        RunResult result = new VirtualRun(RunPlan.builder(sessions)
                        .duration(Duration.ofSeconds(20))
                        .timeout(Duration.ofMinutes(1))
                        .build())
                .trouble(lane -> lane.freeze(5 * SECOND, 10 * SECOND))
                .result();

        // 200 first requests, 190 second and 180 third ones are meant to start within 20 s.
        assertThat(result.ledger()).isEqualTo(new Ledger(570, 570, 0, 0, 0, 0, 0));
        // 50 begin in the freeze and 20 have a pause that ends in it; each of them waits once.
        assertThat(result.recording().response().countAbove(20 * MILLI)).isBetween(68L, 72L);
        assertThat(result.recording().lateness().maxNanos()).isLessThan(2 * MILLI);
    }

    @Test
    void what_is_due_when_a_run_is_stopped_is_not_late_for_the_drain() {
        VirtualRun[] run = new VirtualRun[1];
        run[0] = new VirtualRun(open(THOUSAND).build())
                .service(index -> index == 900 ? 3_600 * SECOND : MILLI / 4)
                .trouble(lane -> lane.callAt(SECOND, () -> run[0].stop()));
        RunResult result = run[0].result();

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().inFlight()).isOne();
        assertThat(result.ledger().neverSent()).isPositive();
        assertThat(result.recording().lateness().maxNanos()).isLessThan(2 * MILLI);
    }

    static LongStream seeds() {
        return LongStream.range(0, Replications.of(200, 40));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_ledger_adds_up_whatever_happens(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ArrivalProcess arrivals = random.nextBoolean()
                ? new Constant(new Rate(1 + random.nextInt(700), SECOND))
                : new Poisson(new Rate(1 + random.nextInt(700), SECOND), seed);
        Workload workload = switch (random.nextInt(3)) {
            case 0 -> new Workload.Open(arrivals);
            case 1 ->
                new Workload.Closed(
                        1 + random.nextInt(20), new ThinkTime.Exponential(random.nextInt(50) * MILLI, seed));
            default ->
                new Workload.PartlyOpen(
                        arrivals,
                        1 + random.nextInt(4),
                        new ThinkTime.Exponential(random.nextInt(3_000) * MILLI, seed));
        };
        RunPlan.Builder builder = RunPlan.builder(workload)
                .duration(Duration.ofMillis(1 + random.nextInt(10_000)))
                .timeout(Duration.ofMillis(1 + random.nextInt(3_000)))
                .drain(Duration.ofMillis(random.nextInt(3_000)))
                .timeoutFrom(random.nextBoolean() ? RunPlan.TimeoutFrom.INTENDED : RunPlan.TimeoutFrom.SENT);
        if (random.nextInt(3) == 0) {
            builder.maxRequests(1 + random.nextInt(3_000));
        }
        RunPlan plan = builder.build();
        long freezeFrom = random.nextInt(10_000) * MILLI;
        long freezeFor = random.nextInt(6_000) * MILLI;
        long ownFrom = random.nextInt(10_000) * MILLI;
        long ownFor = random.nextInt(2_000) * MILLI;
        int trouble = random.nextInt(5);
        long stopAt = random.nextInt(10_000) * MILLI;
        VirtualRun[] run = new VirtualRun[1];
        run[0] = new VirtualRun(plan)
                .names("first", "second", "third", "fourth")
                .slots(1 + random.nextInt(30))
                .servers(1 + random.nextInt(30))
                .service(index -> (index * 7919 % 20) * MILLI)
                .trouble(lane -> {
                    lane.freeze(freezeFrom, freezeFrom + freezeFor).standStillOurselves(ownFrom, ownFrom + ownFor);
                    return trouble == 0
                            ? lane.callAt(stopAt, () -> run[0].stop())
                            : trouble == 1 ? lane.breakAt(stopAt) : lane;
                });
        RunResult result = run[0].result();

        Ledger ledger = result.ledger();
        assertThat(ledger.addsUp()).as("%s", ledger).isTrue();
        Recording sum = result.intervals().stream().map(Interval::recording).reduce(Recording.empty(), Recording::plus);
        assertThat(sum)
                .usingRecursiveComparison()
                .ignoringFields(ONLY_OF_THE_WHOLE_RUN)
                .isEqualTo(result.recording());
        assertThat(result.recording().response().count()).isEqualTo(ledger.answered());
        assertThat(result.recording().censored().count())
                .isEqualTo(ledger.timedOut() + ledger.inFlight() + ledger.neverSent());
        if (result.isComplete() && workload instanceof Workload.Open) {
            assertThat(ledger.planned()).isEqualTo(countBefore(arrivals, plan));
        }
        assertNamesAddUp(result);
    }

    /** Every request has one name, and every session one first request. */
    private static void assertNamesAddUp(RunResult result) {
        Map<String, Recording> names = new HashMap<>(result.recording().byName());
        Recording whole = names.remove(Recording.SESSION);
        Ledger sum = names.values().stream().map(Recording::ledger).reduce(Ledger.EMPTY, Ledger::plus);
        assertThat(sum).isEqualTo(result.ledger());
        if (whole != null) {
            assertThat(whole.ledger().planned())
                    .isEqualTo(result.recording().named("first").ledger().planned());
        }
    }

    private static long countBefore(ArrivalProcess arrivals, RunPlan plan) {
        IntendedTimes times = arrivals.times();
        long count = 0;
        while (count < plan.maxRequests() && times.nextNanos() < plan.durationNanos()) {
            count++;
        }
        return count;
    }
}
