package dev.downbeat.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.file.SavedRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.SampleBuffer;

/** JMH itself runs benchmarks with a beat. */
@SuppressWarnings("rawtypes") // as JMH has it
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JmhRunTest {
    @TempDir
    Path logs;

    private ChainedOptionsBuilder options(String benchmark) {
        return new OptionsBuilder()
                .include(Stalling.class.getSimpleName() + "." + benchmark)
                .addProfiler(DownbeatProfiler.class, "hlog=" + logs)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
    }

    private static RunResult run(ChainedOptionsBuilder options) throws RunnerException {
        Collection<RunResult> results = new Runner(options.build()).run();
        assertThat(results).hasSize(1);
        return results.iterator().next();
    }

    @Test
    void JMH_finds_the_profiler_by_itself() {
        assertThat(ServiceLoader.load(Profiler.class)).hasAtLeastOneElementOfType(DownbeatProfiler.class);
    }

    @Test
    void a_log_has_a_short_name_of_its_own_whatever_the_parameters() {
        String legible = DownbeatProfiler.fileName("orders.Place-thrpt-path-a_b");
        assertThat(legible).startsWith("orders.Place-thrpt-path-a_b-");
        assertThat(DownbeatProfiler.fileName("orders.Place-thrpt-path-a/b")).isNotEqualTo(legible);
        assertThat(DownbeatProfiler.fileName("orders.Place-thrpt-body-" + "{}".repeat(1_000)))
                .hasSizeLessThan(140);
    }

    @Test
    void a_stall_missing_from_SampleTimes_p99_is_in_Downbeats() throws RunnerException {
        RunResult result = run(options("paced"));
        Map<String, Result> secondary = result.getSecondaryResults();
        double theirs = result.getPrimaryResult().getStatistics().getPercentile(99);
        double ours = the("response.p99", secondary).getScore();
        assertThat(ours).isGreaterThan(0.5 * Stalling.STALL_MICROS).isGreaterThan(2 * theirs);
        assertThat(the("response.max", secondary).getScore()).isGreaterThanOrEqualTo(Stalling.STALL_MICROS);
        ledgerAddsUp(secondary);
    }

    private static Result the(String label, Map<String, Result> results) {
        return Objects.requireNonNull(results.get(label), label);
    }

    private static void ledgerAddsUp(Map<String, Result> secondary) {
        double planned = the("ledger.planned", secondary).getScore();
        assertThat(the("ledger.answered", secondary).getScore()
                        + the("ledger.never_sent", secondary).getScore())
                .isEqualTo(planned);
        assertThat(the("response.max", secondary).getSampleCount()).isEqualTo((long) planned);
    }

    @Test
    void forks_threads_and_iterations_are_merged_and_logged_without_loss() throws Exception {
        RunResult result = run(options("paced")
                .forks(2)
                .threads(2)
                .param("arrivals", "POISSON")
                .measurementTime(TimeValue.milliseconds(300)));
        Map<String, Result> secondary = result.getSecondaryResults();
        ledgerAddsUp(secondary);
        long byIterations = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .mapToLong(JmhRunTest::responses)
                .sum();
        assertThat(result.getBenchmarkResults()).hasSize(2);
        assertThat(the("response.max", secondary).getSampleCount()).isEqualTo(byIterations);

        DurationResult service = (DurationResult) the("service.max", secondary);
        Histogram logged = new Histogram(3);
        List<Path> files = files();
        assertThat(files).hasSize(2);
        for (Path file : files) {
            addAll(file, "service", logged);
        }
        assertThat(Distribution.of(logged)).isEqualTo(service.durations());
        try (BufferedReader lines = Files.newBufferedReader(files.get(0))) {
            SavedRun read = SavedRun.read(lines, "log");
            assertThat(read.isCorrected()).as("a log that may be compared").isTrue();
            assertThat(read.compared().requestedLoad().text()).isEqualTo("arrivals=random");
        }
    }

    private static long responses(IterationResult iteration) {
        return the("response.max", iteration.getSecondaryResults()).getSampleCount();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(logs)) {
            return all.toList();
        }
    }

    private static void addAll(Path file, String tag, Histogram sum) throws IOException {
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            while (reader.hasNext()) {
                EncodableHistogram next = reader.nextIntervalHistogram();
                if (tag.equals(next.getTag())) {
                    sum.add((Histogram) next);
                }
            }
        }
    }

    @Test
    void each_mode_has_a_log_of_its_own_even_in_one_process() throws Exception {
        ChainedOptionsBuilder both = options("paced")
                .mode(Mode.SampleTime)
                .mode(Mode.AverageTime)
                .measurementTime(TimeValue.milliseconds(200));
        assertThat(new Runner(both.build()).run()).hasSize(2);
        assertThat(files()).hasSize(2);
    }

    @Test
    void an_iteration_of_one_operation_and_an_invocation_of_several_are_refused() {
        assertThatThrownBy(() -> run(options("paced").mode(Mode.SingleShotTime)))
                .hasStackTraceContaining(
                        "must be one that repeats the operation, such as SampleTime, but was SingleShotTime");
        assertThatThrownBy(() -> run(options("paced").operationsPerInvocation(100)))
                .hasStackTraceContaining("operations per invocation of a paced benchmark must be 1, but was 100");
    }

    @Test
    void operations_that_are_too_short_fail_and_give_no_numbers() {
        // seldom called, even this would take 10 us: by the interpreter, out of cold caches
        ChainedOptionsBuilder tooShort =
                options("tooShort").param("rate", "20000").measurementTime(TimeValue.milliseconds(500));
        assertThatThrownBy(() -> run(tooShort))
                .isInstanceOf(RunnerException.class)
                .hasStackTraceContaining("must take at least 10 us, but the median was");
    }

    /** After long waits, it is by Downbeat's own cold code that its median is above the least. */
    @Test
    void the_median_of_JMH_itself_counts_too() {
        SampleBuffer times = new SampleBuffer();
        times.add(5_970);
        Result<?> sampled = new SampleTimeResult(ResultRole.PRIMARY, "tooShort", times, TimeUnit.MICROSECONDS);
        assertThat(DownbeatProfiler.medianNanos(sampled, TimeUnit.MICROSECONDS).orElseThrow())
                .isBetween(5_960L, 5_980L);
        Result<?> averaged = new AverageTimeResult(ResultRole.PRIMARY, "tooShort", 1, 5_970, TimeUnit.MICROSECONDS);
        assertThat(DownbeatProfiler.medianNanos(averaged, TimeUnit.MICROSECONDS))
                .isEmpty();
    }
}
