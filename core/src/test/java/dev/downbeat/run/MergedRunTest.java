package dev.downbeat.run;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.MergedRun.MergedIntervals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shards of a plan send what one process would have sent, and their sum is what one would have counted. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MergedRunTest {
    private static final long SEED = 0x7f3a;

    /** Each request has a service time of its own, whoever sends it. */
    private static long service(long index) {
        return MILLI + new SplittableRandom(index).nextLong(200 * MILLI);
    }

    private static final Map<String, ArrivalProcess> LAWS = Map.of(
            "poisson",
            new Poisson(Rate.perSecond(500), SEED),
            "constant",
            new Constant(Rate.perSecond(499)),
            "ramp",
            new Ramp(Rate.perSecond(10), Rate.perSecond(900), 8 * SECOND, new Spacing.Poisson(SEED)));

    private static RunPlan plan(String law, Shard shard) {
        return RunPlan.builder(new Workload.Open(Objects.requireNonNull(LAWS.get(law))))
                .duration(Duration.ofSeconds(8))
                .shard(shard)
                .build();
    }

    private static RunResult run(RunPlan plan) {
        return new VirtualRun(plan)
                .slots(4_000)
                .servers(4_000)
                .service(MergedRunTest::service)
                .result();
    }

    private static RunResult merged(List<RunResult> shards) {
        MergedRun merged = new MergedRun();
        shards.forEach(shard -> merged.add(shard, 2, List.of()));
        return merged.result();
    }

    @ParameterizedTest(name = "{1} shards, {0}")
    @CsvSource({"poisson,1", "poisson,4", "poisson,7", "constant,4", "constant,7", "ramp,5"})
    void the_sum_of_the_shards_is_the_single_run(String law, int shards) {
        RunResult single = run(plan(law, Shard.WHOLE));
        List<RunResult> parts = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            parts.add(run(plan(law, new Shard(shard, shards))));
        }
        RunResult sum = merged(parts);

        assertThat(sum.ledger()).isEqualTo(single.ledger());
        assertThat(sum.ledger().addsUp()).isTrue();
        assertThat(sum.ledger().answered()).isGreaterThan(900);
        assertThat(sum.recording().response()).isEqualTo(single.recording().response());
        assertThat(sum.recording().service()).isEqualTo(single.recording().service());
        assertThat(sum.recording().lateness()).isEqualTo(single.recording().lateness());
        assertThat(sum.plan().shard()).isEqualTo(Shard.WHOLE);
        assertThat(sum.shards()).hasSize(shards);
    }

    @Test
    void each_shard_has_its_part_of_the_load() {
        for (int shard = 0; shard < 4; shard++) {
            assertThat(run(plan("constant", new Shard(shard, 4))).ledger().planned())
                    .isEqualTo(998);
        }
    }

    @Test
    void the_timeline_of_the_sum_is_that_of_the_single_run() {
        RunResult single = run(plan("constant", Shard.WHOLE));
        RunResult sum = merged(List.of(run(plan("constant", new Shard(0, 2))), run(plan("constant", new Shard(1, 2)))));

        assertThat(sum.intervals()).hasSameSizeAs(single.intervals());
        for (int i = 0; i < sum.intervals().size(); i++) {
            assertThat(sum.intervals().get(i).recording().response())
                    .as("interval %d", i)
                    .isEqualTo(single.intervals().get(i).recording().response());
        }
        Ledger ledger = sum.intervals().stream()
                .map(interval -> interval.recording().ledger())
                .reduce(Ledger.EMPTY, Ledger::plus);
        assertThat(ledger).isEqualTo(sum.ledger());
    }

    @Test
    void timelines_of_different_grain_and_length_are_cut_where_both_are() {
        MergedIntervals intervals = new MergedIntervals();
        RunResult result = run(plan("constant", Shard.WHOLE));
        List<Interval> all = result.intervals();
        Interval joined = all.get(0).then(all.get(1));
        List<Interval> coarse = new ArrayList<>(List.of(joined));
        coarse.addAll(all.subList(2, 5));
        intervals.add(all, SECOND);
        intervals.add(coarse, SECOND);

        assertThat(intervals.all()).hasSize(all.size() - 1);
        assertThat(intervals.all().get(0).endNanos()).isEqualTo(2 * SECOND);
        Distribution sum = Distribution.empty();
        long endNanos = 0;
        for (Interval interval : intervals.all()) {
            assertThat(interval.startNanos()).isEqualTo(endNanos);
            endNanos = interval.endNanos();
            sum = sum.plus(interval.recording().response());
        }
        assertThat(endNanos).isEqualTo(all.get(all.size() - 1).endNanos());
        assertThat(sum.count())
                .isEqualTo(result.recording().response().count()
                        + coarse.stream()
                                .mapToLong(interval ->
                                        interval.recording().response().count())
                                .sum());
    }

    @Test
    void closed_clients_are_shared_out() {
        RunPlan.Builder plan = RunPlan.builder(new Workload.Closed(10, new ThinkTime.Constant(9 * MILLI)))
                .duration(Duration.ofSeconds(5));
        long planned = 0;
        for (int shard = 0; shard < 3; shard++) {
            planned += new VirtualRun(plan.shard(new Shard(shard, 3)).build())
                    .result()
                    .ledger()
                    .planned();
        }
        assertThat(planned)
                .isEqualTo(new VirtualRun(plan.shard(Shard.WHOLE).build())
                        .result()
                        .ledger()
                        .planned());
        assertThatThrownBy(() -> plan.shard(new Shard(0, 11)).build())
                .hasMessage("generators must be at most the number of clients, 10, but was 11 over all shards");
    }

    @Test
    void a_missing_shard_is_a_row_and_nothing_else() {
        RunResult one = run(plan("constant", new Shard(0, 2)));
        MergedRun merged = new MergedRun();
        merged.add(one, 2, List.of());
        merged.missing(1);
        assertThat(merged.result().ledger()).isEqualTo(one.ledger());
        assertThat(merged.result().shards()).extracting(ShardRun::isMissing).containsExactly(false, true);
    }

    private static RunResult ended(RunResult shard, RunSpan.Ending ending, long nanos) {
        RunSpan span = RunSpan.of(shard.started(), 0, nanos, ending);
        return new RunResult(
                shard.plan(), "", span, shard.recording(), shard.intervals(), shard.lanes(), shard.health());
    }

    /** The sum has the planned load until then only. A command that stops all shards stops them within a second. */
    @ParameterizedTest
    @CsvSource({
        "3_900, COMPLETE, 8_100, it was stopped after 3.90 s; others ran to their end",
        "3_900, INTERRUPTED, 7_000, it was stopped after 3.90 s while others went on",
        "7_500, COMPLETE, 8_100, it was stopped after 7.50 s; others ran to their end",
        "6_500, INTERRUPTED, 7_500, ",
        "9_000, COMPLETE, 60_000, "
    })
    void a_shard_that_was_stopped_while_another_went_on_is_in_doubt(
            String millis, RunSpan.Ending ofOther, String othersMillis, String doubt) {
        List<RunResult> parts = List.of(
                ended(run(plan("constant", new Shard(0, 2))), ofOther, nanos(othersMillis)),
                ended(run(plan("constant", new Shard(1, 2))), RunSpan.Ending.INTERRUPTED, nanos(millis)));
        List<ShardRun> rows = merged(parts).shards();
        assertThat(rows.get(0).doubts()).isEmpty();
        assertThat(rows.get(1).doubts()).isEqualTo(doubt == null ? List.of() : List.of(doubt));
    }

    private static long nanos(String millis) {
        return Long.parseLong(millis.replace("_", "")) * MILLI;
    }

    @Test
    void a_shard_has_an_index_and_a_count() {
        assertThatThrownBy(() -> new Shard(4, 4)).hasMessage("shard must be from 0 to 3 of 4, but was 4");
        assertThatThrownBy(() -> new Shard(0, 0))
                .hasMessage("the number of shards must be from 1 to 100000, but was 0");
        assertThat(new Shard(3, 4)).hasToString("3/4");
    }

    @Test
    void the_whole_of_a_plan_is_neither_a_part_nor_bound_to_a_start() {
        RunPlan part = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(500), SEED)))
                .duration(Duration.ofSeconds(3))
                .shard(new Shard(2, 5))
                .start(Instant.EPOCH)
                .build();
        assertThat(part.whole().shard().isWhole()).isTrue();
        assertThat(part.whole().start()).isEmpty();
        assertThat(part.whole().durationNanos()).isEqualTo(3 * SECOND);
        assertThat(part.slice(part.workload(), 0, 3).shard()).isEqualTo(new Shard(2, 5));
    }
}
