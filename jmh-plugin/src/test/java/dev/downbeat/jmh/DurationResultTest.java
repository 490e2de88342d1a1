package dev.downbeat.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.util.Statistics;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DurationResultTest {
    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void merged_over_threads_iterations_and_forks_it_is_what_all_durations_together_are(int seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Histogram all = Distribution.newHistogram();
        List<DurationResult> forks = new ArrayList<>();
        for (int fork = 0; fork < 2; fork++) {
            List<DurationResult> iterations = new ArrayList<>();
            for (int iteration = 0; iteration < 3; iteration++) {
                List<DurationResult> threads = new ArrayList<>();
                for (int thread = 0; thread < random.nextInt(1, 4); thread++) {
                    threads.add(result(random, all));
                }
                iterations.add(threads.get(0).getThreadAggregator().aggregate(threads));
            }
            forks.add(acrossTheFork(iterations.get(0).getIterationAggregator().aggregate(iterations)));
        }
        DurationResult merged = forks.get(0).getIterationAggregator().aggregate(forks);

        assertThat(merged.durations()).isEqualTo(Distribution.of(all));
        assertThat(merged.getSampleCount()).isEqualTo(all.getTotalCount());
        assertThat(merged.getLabel()).isEqualTo("response.max");
        assertThat(merged.getScoreUnit()).isEqualTo("us/op");
        assertThat(merged.getScore()).isEqualTo(Distribution.of(all).maxNanos() / 1e3);
        for (Result<?> derived : merged.getDerivativeResults()) {
            assertThat(derived.getScore()).as(derived.getLabel()).isEqualTo(expected(derived.getLabel(), all));
        }
        assertThat(merged.getStatistics().getPercentile(99))
                .as("as JMH's JSON has it")
                .isEqualTo(expected("response.p99", all));
    }

    private static DurationResult result(SplittableRandom random, Histogram all) {
        Histogram mine = Distribution.newHistogram();
        for (int i = random.nextInt(1, 2000); i > 0; i--) {
            long nanos = Math.round(Math.exp(random.nextDouble(0, 24)));
            mine.recordValue(nanos);
            all.recordValue(nanos);
        }
        return new DurationResult("response", Distribution.of(mine), TimeUnit.MICROSECONDS);
    }

    private static DurationResult acrossTheFork(DurationResult result) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(result);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (DurationResult) in.readObject();
        }
    }

    private static double expected(String label, Histogram all) {
        Distribution together = Distribution.of(all);
        return switch (label) {
            case "response.mean" -> together.meanNanos() / 1e3;
            case "response.p50" -> all.getValueAtPercentile(50) / 1e3;
            case "response.p90" -> all.getValueAtPercentile(90) / 1e3;
            case "response.p95" -> all.getValueAtPercentile(95) / 1e3;
            case "response.p99" -> all.getValueAtPercentile(99) / 1e3;
            case "response.p99.9" -> all.getValueAtPercentile(99.9) / 1e3;
            default -> throw new IllegalArgumentException(label);
        };
    }

    /**
     * Exponential times. Where iterations depend on each other, spells of one to six of them are four times as long: of
     * lengths drawn at random, since spells of equal length would be a rhythm, which is known better.
     */
    private static DurationResult ofIterations(int count, boolean dependent) {
        SplittableRandom random = new SplittableRandom(11);
        List<DurationResult> all = new ArrayList<>();
        double mean = 1e6;
        int left = 0;
        for (int i = 0; i < count; i++) {
            Histogram times = Distribution.newHistogram();
            if (dependent && left-- == 0) {
                mean = 5e6 - mean;
                left = random.nextInt(6);
            }
            for (int k = 0; k < 500; k++) {
                times.recordValue(Math.round(-Math.log(1 - random.nextDouble()) * mean));
            }
            all.add(new DurationResult("response", Distribution.of(times), TimeUnit.MICROSECONDS));
        }
        return all.get(0).getIterationAggregator().aggregate(all);
    }

    private static double score(DurationResult result, String label) {
        for (Result<?> derived : result.getDerivativeResults()) {
            if (derived.getLabel().equals(label)) {
                return derived.getScore();
            }
        }
        throw new AssertionError(label);
    }

    @Test
    void twenty_iterations_have_intervals_that_are_wider_where_they_depend_on_each_other() throws Exception {
        DurationResult calm = acrossTheFork(ofIterations(40, false));
        DurationResult stormy = ofIterations(40, true);
        assertThat(score(calm, "response.p50.low")).isBetween(650.0, score(calm, "response.p50"));
        assertThat(score(calm, "response.p50.high")).isBetween(score(calm, "response.p50"), 740.0);
        double calmWidth = score(calm, "response.p50.high") / score(calm, "response.p50.low");
        assertThat(score(stormy, "response.p50.high") / score(stormy, "response.p50.low"))
                .isGreaterThan(calmWidth * 1.5);
        assertThat(calm.extendedInfo()).contains("95 % CI", "iterations depend on each other for less than one");
        assertThat(ofIterations(19, false).extendedInfo())
                .doesNotContain("95 %")
                .contains("no confidence intervals: 20 iterations are needed, such as -f 2 -i 10, but there were 19");
    }

    @Test
    void an_average_of_percentiles_would_have_been_something_else() {
        DurationResult quick = new DurationResult("x", constant(1_000, 99), TimeUnit.MICROSECONDS);
        DurationResult slow = new DurationResult("x", constant(1_000_000, 1), TimeUnit.MICROSECONDS);
        DurationResult merged = quick.getIterationAggregator().aggregate(List.of(quick, slow));
        assertThat(merged.getStatistics().getPercentile(99)).isLessThan(1.1);
        assertThat(merged.getScore()).isGreaterThan(999);
    }

    private static Distribution constant(long nanos, long count) {
        Histogram histogram = Distribution.newHistogram();
        histogram.recordValueWithCount(nanos, count);
        return Distribution.of(histogram);
    }

    /** Three of 1 us and one of 2 us: the mean is 1.25 us, and the squares of the deviations add up to 0.75. */
    @Test
    void the_statistics_are_those_of_the_durations() {
        DurationResult one =
                new DurationResult("x", constant(1_000, 3).plus(constant(2_000, 1)), TimeUnit.MICROSECONDS);
        Statistics found = one.getStatistics();
        assertThat(found.getN()).isEqualTo(4);
        assertThat(found.getMin()).isEqualTo(1);
        assertThat(found.getMax()).isEqualTo(2);
        assertThat(found.getMean()).isEqualTo(1.25);
        assertThat(found.getSum()).isEqualTo(5);
        assertThat(found.getVariance()).isEqualTo(0.25);
        assertThat(new DurationResult("x", constant(1_000, 1), TimeUnit.MICROSECONDS)
                        .getStatistics()
                        .getVariance())
                .isNaN();
        assertThat(found.getHistogram(new double[] {0, 1, 1.5, 4})).containsExactly(0, 3, 1);
        assertThat(found.getHistogram(new double[] {0, 1, 1.5}))
                .as("2 us are beyond it")
                .containsExactly(0, 3);
        assertThat(found.getHistogram(new double[] {1, 1.5, 4})).containsExactly(3, 1);
        assertThat(found.getHistogram(new double[] {1.5, 4}))
                .as("1 us is before it")
                .containsExactly(1);
        assertThat(found.getRawData()).toIterable().containsExactly(Map.entry(1.0, 3L), Map.entry(2.0, 1L));
    }

    @Test
    void the_ledger_of_a_whole_load_has_all_fates_and_that_of_paced_operations_those_that_can_be() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(6);
        Exchange exchange = new Exchange(0);
        for (Outcome outcome : List.of(
                Outcome.answered(),
                Outcome.answered(),
                Outcome.answered(),
                Outcome.failed("refused"),
                Outcome.failed("refused"))) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = 15_000;
            exchange.outcome = outcome;
            recorder.completed(exchange);
        }
        exchange.begin(0, 0, 0);
        recorder.timedOut(exchange, 15_000);
        assertThat(ledger(recorder.drain()))
                .isEqualTo(Map.of(
                        "ledger.planned", 6.0,
                        "ledger.answered", 3.0,
                        "ledger.never_sent", 0.0,
                        "ledger.failed", 2.0,
                        "ledger.timed_out", 1.0,
                        "ledger.in_flight", 0.0));
        recorder.planned(2);
        exchange.begin(0, 0, 0);
        exchange.completedAt = 15_000;
        exchange.outcome = Outcome.answered();
        recorder.completed(exchange);
        exchange.begin(1_000, 1_000, 20_000);
        recorder.neverSent(exchange, 19_000);
        assertThat(ledger(recorder.drain()))
                .isEqualTo(Map.of("ledger.planned", 2.0, "ledger.answered", 1.0, "ledger.never_sent", 1.0));
    }

    @SuppressWarnings("rawtypes") // as JMH has it
    private static Map<String, Double> ledger(Recording recording) {
        return DownbeatProfiler.results(recording, TimeUnit.MICROSECONDS).stream()
                .filter(result -> result.getLabel().startsWith("ledger."))
                .collect(Collectors.toMap(Result::getLabel, Result::getScore));
    }

    @Test
    void an_option_that_is_not_known_is_refused() throws ProfilerException {
        for (String unknown : List.of("hlgo=x", "hlog=")) {
            assertThatThrownBy(() -> new DownbeatProfiler(unknown))
                    .isInstanceOf(ProfilerException.class)
                    .hasMessageContaining("option must be hlog=DIRECTORY, but was " + unknown);
        }
        assertThatThrownBy(() -> new DownbeatProfiler("hlog=/proc/self/logs"))
                .hasMessage("option hlog must be a directory that can be written, but was /proc/self/logs");
        assertThat(new DownbeatProfiler("").getDescription()).startsWith("Downbeat: ");
    }
}
