package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a service answered a second while it was asked. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ThroughputTest {
    private static final long MS = 1_000_000;

    private static Recording answered(long count) {
        return Recording.empty().withLedger(new Ledger(count, count, 0, 0, 0, 0, 0, 0));
    }

    /** A run whose intervals end at these milliseconds with so many answers each. */
    private static RunResult run(RunPlan plan, long[] endsMillis, long[] answers) {
        List<Interval> intervals = new ArrayList<>();
        long from = 0;
        long sum = 0;
        for (int i = 0; i < endsMillis.length; i++) {
            intervals.add(new Interval(from, endsMillis[i] * MS, answered(answers[i])));
            from = endsMillis[i] * MS;
            sum += answers[i];
        }
        RunSpan span = RunSpan.of(Instant.EPOCH, 0, from, RunSpan.Ending.COMPLETE);
        return new RunResult(plan, "", span, answered(sum), intervals, LaneCounts.NONE, GeneratorHealth.IDEAL);
    }

    private static RunPlan.Builder plan(long perSecond) {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))));
    }

    private static RunPlan lasting(long perSecond, long millis) {
        return plan(perSecond).duration(Duration.ofMillis(millis)).build();
    }

    @Test
    void answers_of_an_overloaded_service_after_the_load_are_not_counted() {
        RunResult run = run(lasting(1_000, 4_000), new long[] {1_000, 2_000, 3_000, 4_000, 5_000}, new long[] {
            800, 800, 800, 800, 800
        });
        assertThat(run.throughput()).isEqualTo(new RunResult.Throughput(3_200, 4_000 * MS));
        assertThat(run.throughput().perSecond()).isEqualTo(800);
    }

    @Test
    void ten_requests_at_fifty_a_second_are_fifty_a_second_however_soon_the_last_is_answered() {
        RunResult run = run(plan(50).maxRequests(10).build(), new long[] {185}, new long[] {10});
        assertThat(run.throughput().perSecond()).isEqualTo(50);
    }

    @Test
    void one_late_response_lowers_nothing() {
        RunResult run = run(lasting(100, 600), new long[] {1_000, 2_000, 3_010}, new long[] {59, 0, 1});
        assertThat(run.throughput().perSecond()).isEqualTo(100);
    }

    @Test
    void slices_are_added_each_without_its_drain() {
        RunResult.Throughput slice = run(lasting(1_000, 900), new long[] {1_000, 1_500}, new long[] {800, 100})
                .throughput();
        assertThat(slice.plus(slice)).isEqualTo(new RunResult.Throughput(1_600, 2_000 * MS));
        assertThat(new RunResult.Throughput(0, 0).perSecond()).isZero();
    }

    @Test
    void where_no_interval_is_known_the_ledger_counts() {
        RunResult run = run(lasting(100, 2_000), new long[] {}, new long[] {});
        assertThat(run.throughput().answered()).isZero();
    }
}
