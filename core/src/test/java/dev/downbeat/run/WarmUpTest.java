package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WarmUpTest {
    private static RunPlan.Builder plan() {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000))))
                .duration(Duration.ofSeconds(5));
    }

    @Test
    void a_warm_up_is_offered_and_not_counted() {
        AtomicLong served = new AtomicLong();
        RunResult result = new VirtualRun(plan().warmUp(Duration.ofSeconds(2)).build())
                .service(index -> {
                    long so = served.incrementAndGet();
                    return so <= 2_000 ? 50 * VirtualRun.MILLI : VirtualRun.MILLI;
                })
                .result();
        assertThat(served.get()).isEqualTo(7_000);
        assertThat(result.ledger()).isEqualTo(new Ledger(5_000, 5_000, 0, 0, 0, 0, 0));
        assertThat(result.recording().response().maxNanos()).isLessThan(2 * VirtualRun.MILLI);
        assertThat(result.intervals().get(0).startNanos()).isZero();
        assertThat(result.plan().warmUpNanos()).isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    /** The run's index is part of each unique value. */
    @Test
    void a_warm_up_sends_none_of_the_requests_of_the_run() {
        Set<Long> seen = new HashSet<>();
        new VirtualRun(plan().warmUp(Duration.ofSeconds(2)).build())
                .service(index -> seen.add(index) ? VirtualRun.MILLI : 0)
                .result();
        assertThat(seen)
                .hasSize(7_000)
                .containsAll(LongStream.range(0, 5_000).boxed().toList());
    }

    /** A JVM that compiles: its median falls to 0.78 of what it was 20 s before. */
    private static long compiling(long index) {
        double seconds = index / 1_000.0;
        return Math.round(10 * VirtualRun.MILLI * (0.78 + 0.22 * Math.exp(-seconds / 8)));
    }

    private static Served runOf(java.util.function.LongUnaryOperator service) {
        AtomicLong served = new AtomicLong();
        RunResult result = new VirtualRun(plan().duration(Duration.ofSeconds(20))
                        .warmUpUntilSteady()
                        .build())
                .service(index -> service.applyAsLong(served.getAndIncrement()))
                .result();
        return new Served(served.get() - 20_000, result);
    }

    private record Served(long warmUp, RunResult result) {
        private double drift() {
            int last = result.intervals().size() - 1;
            return (double) result.intervals()
                            .get(last - 1)
                            .recording()
                            .response()
                            .valueAtPercentile(50)
                    / result.intervals().get(0).recording().response().valueAtPercentile(50);
        }
    }

    @Test
    void a_service_that_gets_faster_is_warmed_up_until_it_does_not() {
        Served compiling = runOf(WarmUpTest::compiling);
        assertThat(compiling.warmUp()).isBetween(9_000L, 60_000L);
        assertThat(compiling.drift()).isBetween(0.92, 1.0);
        assertThat(compiling.result().ledger()).isEqualTo(new Ledger(20_000, 20_000, 0, 0, 0, 0, 0));
    }

    @Test
    void a_service_that_never_settles_is_measured_after_a_minute() {
        assertThat(runOf(index -> VirtualRun.MILLI + 100 * index).warmUp()).isEqualTo(60_000);
    }

    @Test
    void a_run_whose_start_is_known_only_when_it_is_warm_warms_up_once() throws IOException {
        Instant start = Instant.EPOCH.plusSeconds(7);
        AtomicLong served = new AtomicLong();
        RunResult result = new VirtualRun(plan().warmUpUntilSteady().build())
                .service(index -> {
                    served.incrementAndGet();
                    return VirtualRun.MILLI;
                })
                .resultFrom(start);
        assertThat(served.get()).isBetween(5_500L, 20_000L);
        assertThat(result.ledger()).isEqualTo(new Ledger(5_000, 5_000, 0, 0, 0, 0, 0));
        assertThat(result.started()).isEqualTo(start);
        assertThat(result.plan().warmsUpUntilSteady()).isTrue();
    }

    @Test
    void a_stop_during_the_warm_up_is_a_stop_before_the_first_request() {
        VirtualRun[] run = new VirtualRun[1];
        run[0] = new VirtualRun(plan().warmUp(Duration.ofSeconds(2)).build())
                .trouble(lane -> lane.callAt(VirtualRun.SECOND, () -> run[0].stop()));
        RunResult result = run[0].result();
        assertThat(result.ending()).isEqualTo(RunSpan.Ending.INTERRUPTED);
        assertThat(result.ledger().planned()).isLessThanOrEqualTo(1);
        assertThat(result.ledger().addsUp()).isTrue();
    }

    @Test
    void a_run_that_is_called_off_before_its_start_sends_none_and_is_no_part() {
        VirtualRun run = new VirtualRun(plan().build());
        run.callOff();
        RunResult result = run.result();
        assertThat(result.ending()).isEqualTo(RunSpan.Ending.DECIDED);
        assertThat(result.ledger()).isEqualTo(Ledger.EMPTY);

        VirtualRun stopped = new VirtualRun(plan().build());
        stopped.stop();
        stopped.callOff();
        assertThat(stopped.result().ending()).isEqualTo(RunSpan.Ending.INTERRUPTED);
    }

    /** The wall clock of a run in virtual time is that of its plan. */
    @Test
    void a_run_starts_when_it_is_planned_unless_that_has_passed() throws IOException {
        Instant planned = Instant.EPOCH.plusSeconds(7);
        assertThat(new VirtualRun(plan().start(planned).build()).result().started())
                .isEqualTo(planned);
        Instant before = Instant.now();
        RunPlan one = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000))))
                .maxRequests(1)
                .start(planned)
                .build();
        RunResult late = new LoadRun(one, new AnswersAtOnce()).run(Progress.none());
        assertThat(late.started()).isAfter(before);
        assertThat(late.ledger().answered()).isOne();
    }

    @Test
    void a_warm_up_of_less_than_no_time_is_refused() {
        assertThatThrownBy(() -> plan().warmUp(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("warmUp must not be negative, but was PT-1S");
    }
}
