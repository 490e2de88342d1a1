package dev.downbeat.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.NoMeasurement;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.terminal.Signals;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.Progress;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.FreePort;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeasurementRunTest {
    @TempDir
    Path folder;

    private static Console console(OutputFile file) {
        PrintWriter writer = new PrintWriter(new StringWriter());
        return new Console(
                writer,
                writer,
                Terminal.detect(),
                false,
                false,
                OutputOptions.of(false, true, List.of(file)),
                "run",
                Optional.empty());
    }

    private static Job job(String target) {
        Measurement value =
                Values.of(Measurement.class, Map.of("-n", List.of("1"))).resolved();
        return Job.of(value, target, ShardPart.WHOLE, null);
    }

    /** A killed process keeps only its journal, which must stand on the clock of all shards from its first line on. */
    @Test
    void the_journal_of_a_shard_is_on_the_clock_that_the_meeting_corrected() {
        Instant start = Instant.now().plusSeconds(60);
        Duration correction = Duration.ofSeconds(3);
        OutputFile file = OutputFile.parse(folder.resolve("a.downbeat").toString());
        Console console = console(file);
        List<RunHead> heads = new ArrayList<>();
        MeasurementRun measuring = new MeasurementRun(console, new Interruption());
        measuring.starting(new MeasurementRun.StartSignal() {
            @Override
            public Job await(Job job) {
                return job.startingAt(start);
            }

            @Override
            public Duration correction() {
                return correction;
            }

            @Override
            public Optional<Together> begun(LoadRun run, RunCounts counted, Optional<Progress> shown) {
                try {
                    heads.add(RunFile.head(file.journal()));
                } catch (IOException unreadable) {
                    throw new UncheckedIOException(unreadable);
                }
                run.stop(); // nothing need be sent
                return Optional.empty();
            }
        });
        Job job = job("http://127.0.0.1:1/");
        assertThatThrownBy(() -> measuring.run(job)).isInstanceOf(NoMeasurement.class);
        assertThat(heads).hasSize(1);
        assertThat(Duration.between(start, heads.get(0).started())).isCloseTo(correction, Duration.ofMillis(1));
        assertThat(Duration.between(start, heads.get(0).plan().start().orElseThrow()))
                .isCloseTo(correction, Duration.ofMillis(1));
    }

    /** Else a build reads the result of yesterday. */
    @Test
    void a_warm_up_that_fails_before_a_common_start_replaces_an_older_result() throws IOException {
        OutputFile file = OutputFile.parse(folder.resolve("a.json").toString());
        Files.writeString(file.path(), "of yesterday");
        MeasurementRun measuring = new MeasurementRun(console(file), new Interruption());
        measuring.starting(job -> {
            throw new AssertionError("it is not ready");
        });
        Measurement value =
                Values.of(Measurement.class, Map.of("--warm-up", List.of("1s"))).resolved();
        Job job = Job.of(value, "http://127.0.0.1:" + FreePort.find() + "/", ShardPart.WHOLE, null);
        assertThatThrownBy(() -> measuring.run(job)).isInstanceOf(NoMeasurement.class);
        assertThat(file.path()).content().doesNotContain("of yesterday");
    }

    /** A pod is killed 30 s after its termination request: a service that hangs must not use up this time. */
    @Test
    @Tag("slow")
    @Timeout(60)
    void a_signal_limits_the_end_of_what_is_watched_and_the_result_is_saved() throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        Interruption interruption = new Interruption();
        OutputFile file = OutputFile.parse(folder.resolve("a.json").toString());
        MeasurementRun measuring = new MeasurementRun(console(file), interruption);
        measuring.watch(List.of(new Watcher() {
            @Override
            public String source() {
                return "jvm:1";
            }

            @Override
            public void begin() {}

            @Override
            public WatchResult end(long startAt, long durationNanos) {
                interruption.received(Signals.TERMINATE);
                try {
                    never.await();
                } catch (InterruptedException limited) {
                    Thread.currentThread().interrupt();
                }
                return WatchResult.nothing(source(), "interrupted");
            }

            @Override
            public void close() {}
        }));
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            assertThat(measuring.run(job(server.uri()))).isEqualTo(128 + Signals.TERMINATE);
        }
        assertThat(file.path()).isRegularFile();
    }
}
