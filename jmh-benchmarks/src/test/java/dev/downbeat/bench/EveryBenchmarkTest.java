package dev.downbeat.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.jmh.DownbeatProfiler;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every benchmark briefly in this process, to keep it working. {@code -Pquick} gives each of them more time and all
 * parameter values.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EveryBenchmarkTest {
    private static final long MILLIS = Long.getLong("downbeat.quick.millis", 20);

    /** Otherwise parameters that only differ in size get one value. */
    private static final boolean ALL_CASES = MILLIS >= 100;

    static List<String> benchmarks() {
        return Benchmarks.byGroup().values().stream().flatMap(Set::stream).toList();
    }

    @Test
    void the_groups_are_all_there() {
        assertThat(Benchmarks.byGroup())
                .containsOnlyKeys(
                        "bench",
                        "bench.client",
                        "bench.connection",
                        "bench.database",
                        "bench.metrics",
                        "bench.pool",
                        "bench.sample",
                        "bench.sqs",
                        "bench.tls");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("benchmarks")
    void it_runs(String benchmark) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\." + benchmark.replace(".", "\\.") + "$")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(MILLIS))
                .param("runMillis", Long.toString(5 * MILLIS))
                .param("virtualMillis", "10000")
                .param("requests", "20")
                .param("handshakesBefore", "1")
                .param("warmUpMost", "0")
                .addProfiler(DownbeatProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (!ALL_CASES) {
            options.param("connections", "6").param("requestsPerConnection", "10");
            options.param("seconds", "60");
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        assertThat(results).isNotEmpty();
    }
}
