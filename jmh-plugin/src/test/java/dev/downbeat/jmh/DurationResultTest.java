package dev.downbeat.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.record.Distribution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.Result;

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
            case "response.p99" -> all.getValueAtPercentile(99) / 1e3;
            case "response.p99.9" -> all.getValueAtPercentile(99.9) / 1e3;
            default -> throw new IllegalArgumentException(label);
        };
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

    @Test
    void an_option_that_is_not_known_is_refused() {
        assertThatThrownBy(() -> new DownbeatProfiler("hlgo=x"))
                .isInstanceOf(ProfilerException.class)
                .hasMessageContaining("option must be hlog=DIRECTORY, but was hlgo=x");
    }
}
