package dev.downbeat.report.file.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.json.JsonText;
import dev.downbeat.record.Distribution;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.Workload.External.RecordedBy;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that a file is made of, each by itself: what is read is what was written. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReadAsWrittenTest {
    static Stream<Workload> workloads() {
        ThinkTime think = new ThinkTime.Exponential(1_000_000, -5);
        return Stream.of(
                new Workload.Open(new Constant(new Rate(1_000_000, 3_600_000_000_000L))),
                new Workload.Open(new Poisson(Rate.perSecond(2_000), Long.MIN_VALUE)),
                new Workload.Open(new Ramp(Rate.perSecond(1), Rate.perSecond(9), 1_000_000, new Spacing.Even())),
                new Workload.Open(new Ramp(Rate.perSecond(1), Rate.perSecond(9), 1_000_000, new Spacing.Poisson(7))),
                new Workload.Open(new Steps(List.of(
                        new Step(new Constant(Rate.perSecond(3)), 1_000), new Step(Replay.of(5, 1, 3), Step.ENDLESS)))),
                new Workload.Open(Replay.of(0, 17, 17, Long.MAX_VALUE / 2)),
                new Workload.Closed(7, ThinkTime.none()),
                new Workload.PartlyOpen(new Poisson(Rate.perSecond(2), 1), 3, think),
                new Workload.External("closed", "closed loop, \"7\" users", 7),
                Workload.External.ofGenerator(),
                Workload.External.ofCallers(),
                Workload.External.ofQueue());
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void a_plan_is_read_as_it_was_written(Workload workload) throws IOException {
        RunPlan plan = RunPlan.builder(workload)
                .maxRequests(12)
                .timeout(Duration.ofNanos(1_234_567))
                .timeoutFrom(RunPlan.TimeoutFrom.ASKED)
                .drain(Duration.ZERO)
                .interval(Duration.ofMillis(200))
                .build();
        RunPlan read = RecordTree.read(RunPlan.class, JsonTree.parse(JsonText.of(RecordTree.tree(plan))));
        assertThat(read).usingRecursiveComparison().isEqualTo(plan);
        assertThat(read.workload()).isEqualTo(workload);
    }

    @Test
    void an_earlier_file_tells_who_recorded_its_requests_by_the_description() throws IOException {
        for (Workload.External workload : List.of(
                new Workload.External("open", "a generator of their own", 0),
                new Workload.External("open", "callers of their own", 0, RecordedBy.SERVICE),
                new Workload.External("open", "messages of a queue", 0, RecordedBy.CONSUMER))) {
            Map<String, Object> earlier = JsonTree.object(JsonText.of(RecordTree.tree(workload)));
            assertThat(earlier.remove("recorded_by")).isNotNull();
            assertThat(RecordTree.read(Workload.class, earlier)).isEqualTo(workload);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_distribution_is_read_as_it_was_written(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Distribution times = distribution(random);
        assertThat(RecordTree.DistributionText.read(RecordTree.DistributionText.of(times)))
                .isEqualTo(times);
    }

    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    private static Distribution distribution(SplittableRandom random) {
        org.HdrHistogram.Histogram histogram = Distribution.newHistogram();
        int count = random.nextInt(200);
        for (int i = 0; i < count; i++) {
            long most = 1L << random.nextInt(1, 49);
            histogram.recordValueWithCount(
                    Math.min(random.nextLong(most), Distribution.MAX_NANOS), random.nextLong(1, 1L << 40));
        }
        return Distribution.of(histogram);
    }

    @Test
    void objectives_that_are_hard_to_spell_are_read_as_they_were_written() {
        for (String text : List.of("p99.9<=1.5s", "p50<1h30m", "max<7us", "p(99)<50ms", "errors<0.1%", "rate>=99%")) {
            ServiceLevelObjective slo = ServiceLevelObjective.parse(text);
            assertThat(ServiceLevelObjective.parse(slo.text())).isEqualTo(slo);
        }
    }

    @Test
    void readings_over_time_are_kept() throws IOException {
        TargetCounts counts = new TargetCounts(Map.of("messages sent", 40L))
                .with(Map.of(
                        "messages in the queue",
                        List.of(new TargetCounts.Reading(0, 0), new TargetCounts.Reading(1_000_000_000, 40))))
                .withUnreached(Map.of("127.0.0.2:80: connect timed out", 2L));
        assertThat(RecordTree.read(TargetCounts.class, JsonTree.parse(JsonText.of(RecordTree.tree(counts)))))
                .isEqualTo(counts);
    }

    /** A record as public as those of results. */
    public record Limits(double one, OptionalDouble other) {}

    @ParameterizedTest
    @ValueSource(doubles = {0.5, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN})
    void any_double_is_read_as_it_was_written(double value) throws IOException {
        Limits limits = new Limits(value, OptionalDouble.of(value));
        Object tree = JsonTree.parse(JsonText.of(RecordTree.tree(limits)));
        assertThat(RecordTree.read(Limits.class, tree)).isEqualTo(limits);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1d", "0x1p3", "infinity", ""})
    void other_words_are_no_number(String word) {
        assertThatThrownBy(() -> RecordTree.read(Limits.class, Map.of("one", word)))
                .hasMessageContaining("a number was expected");
    }

    @Test
    void a_count_beyond_an_int_is_refused() {
        assertThatThrownBy(() -> RecordTree.read(
                        RunPlan.class,
                        Map.of(
                                "workload",
                                RecordTree.tree(new Workload.Closed(7, ThinkTime.none())),
                                "timeout_ns",
                                1L,
                                "generators",
                                4_294_967_297L)))
                .hasMessageContaining("too large");
    }

    @Test
    void a_file_without_a_schema_is_refused_as_that() {
        assertThatThrownBy(() -> JsonTree.checkSchema(Map.of(), 2)).hasMessage("the file has no \"schema\" member");
        assertThatThrownBy(() -> JsonTree.checkSchema(Map.of("schema", 3L, "downbeat", "9.1"), 2))
                .hasMessageContainingAll("schema 3", "up to 2", "9.1");
    }
}
