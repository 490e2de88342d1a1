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
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.Progress;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeasurementRunTest {
    @TempDir
    Path folder;

    /** A killed process keeps only its journal, which must stand on the clock of all shards from its first line on. */
    @Test
    void the_journal_of_a_shard_is_on_the_clock_that_the_meeting_corrected() {
        Instant start = Instant.now().plusSeconds(60);
        Duration correction = Duration.ofSeconds(3);
        OutputFile file = OutputFile.parse(folder.resolve("a.downbeat").toString());
        PrintWriter writer = new PrintWriter(new StringWriter());
        Console console = new Console(
                writer,
                writer,
                Terminal.detect(),
                false,
                false,
                OutputOptions.of(false, true, List.of(file)),
                "run",
                Optional.empty());
        Measurement value = Values.of(Measurement.class, Map.of("TARGET", List.of("http://127.0.0.1:1/")))
                .resolved();
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
        Job job = Job.of(value, "http://127.0.0.1:1/", ShardPart.WHOLE, null);
        assertThatThrownBy(() -> measuring.run(job)).isInstanceOf(NoMeasurement.class);
        assertThat(heads).hasSize(1);
        assertThat(Duration.between(start, heads.get(0).started())).isCloseTo(correction, Duration.ofMillis(1));
        assertThat(Duration.between(start, heads.get(0).plan().start().orElseThrow()))
                .isCloseTo(correction, Duration.ofMillis(1));
    }
}
