package dev.downbeat.cli.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.ShardResults;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.file.LastRuns;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.Permission;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final StringWriter err = new StringWriter();
    private final Interruption interruption = new Interruption();

    /** The parent of two processes that have ended. */
    private Processes ended(Path output, Optional<LastRuns> lastRuns) {
        PrintWriter writer = new PrintWriter(err, true);
        Console console = new Console(
                new PrintWriter(new StringWriter()),
                writer,
                Terminal.detect(),
                false,
                false,
                OutputOptions.of(false, false, List.of(OutputFile.parse(output.toString()))),
                "run",
                lastRuns);
        PlanFile plan =
                new PlanFile("1", "abc", 2, Optional.of("7f3a"), "GET http://localhost/", "", Map.of(), List.of(), "");
        return new Processes(console, interruption, plan, false, why -> {});
    }

    /** The folder of two processes: their results, their logs and the plan. */
    private List<Path> results() throws IOException {
        Path here = Files.createDirectory(folder.resolve("processes"));
        Files.writeString(here.resolve("plan.json"), "a secret");
        Files.writeString(here.resolve("shard-0.log"), "");
        ShardResults shards = new ShardResults(here);
        return List.of(shards.shard(0, 2), shards.shard(1, 2));
    }

    @Test
    void the_sum_is_the_last_run() throws IOException {
        LastRuns last = LastRuns.of(Map.of("HOME", folder.toString())).orElseThrow();
        List<Path> results = results();
        Path output = folder.resolve("all.downbeat");
        Processes processes = ended(output, Optional.of(last));
        processes.merged(results);
        processes.end(folder.resolve("processes"));
        assertThat(last.newest())
                .singleElement()
                .satisfies(kept -> assertThat(kept).hasSameBinaryContentAs(output));
        assertThat(folder.resolve("processes")).doesNotExist();
        assertThat(err).asString().isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void the_sum_shows_whether_a_signal_ended_the_command(boolean isInterrupted) throws IOException {
        List<Path> results = results();
        Path output = folder.resolve("all.downbeat");
        Processes processes = ended(output, Optional.empty());
        if (isInterrupted) {
            interruption.stop();
        }
        processes.merged(results);
        assertThat(RunFile.read(output).result().isEndedBySignal()).isEqualTo(isInterrupted);
    }

    @Test
    void results_whose_sum_could_not_be_written_are_kept_without_the_plan() throws IOException {
        List<Path> results = results();
        Processes processes = ended(folder.resolve("gone/all.downbeat"), Optional.empty());
        processes.merged(results);
        processes.end(folder.resolve("processes"));
        assertThat(results).allSatisfy(result -> assertThat(result).exists());
        assertThat(folder.resolve("processes/plan.json")).doesNotExist();
        assertThat(folder.resolve("processes/shard-0.log")).doesNotExist();
        assertThat(err)
                .asString()
                .contains("all.downbeat was not written")
                .contains("the results of the processes are kept: downbeat merge " + folder.resolve("processes")
                        + "/shard-*.downbeat*");
    }

    @Test
    void results_of_which_one_cannot_be_read_are_kept() throws IOException {
        List<Path> results = results();
        Path output = folder.resolve("all.downbeat");
        byte[] whole = Files.readAllBytes(results.get(1));
        Files.write(results.get(1), Arrays.copyOf(whole, whole.length / 2));
        Processes processes = ended(output, Optional.empty());
        assertThat(processes.merged(results)).isEqualTo(1);
        assertThat(err).asString().contains(results.get(1) + ": corrupt or cut off");
        processes.end(folder.resolve("processes"));
        assertThat(results).allSatisfy(result -> assertThat(result).exists());
    }

    @Test
    void a_child_runs_its_shard_with_its_share_of_the_processors() {
        Path folder = Path.of("/of/the/plan");
        List<String> command = Processes.Child.command(new Shard(1, 2), folder, Map.of());
        assertThat(command)
                .startsWith(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .containsAll(Processes.Child.JVM)
                .contains("-XX:ActiveProcessorCount="
                        + Math.max(1, Runtime.getRuntime().availableProcessors() / 2))
                .endsWith(
                        "run",
                        "--plan=" + folder.resolve("plan.json"),
                        "--shard=1/2",
                        "--start-at=told",
                        "-q",
                        Permission.ALLOW_EXEC,
                        "--output=" + folder.resolve("shard-1.downbeat"));
        assertThat(Processes.Child.command(new Shard(0, 10_000), folder, Map.of()))
                .as("of more processes than processors")
                .contains("-XX:ActiveProcessorCount=1");
    }

    /** A child inherits what the launcher has looked into: with two collectors none of them started. */
    @ParameterizedTest
    @ValueSource(strings = {"DOWNBEAT_JAVA_OPTS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"})
    void a_childs_collector_is_the_one_that_the_user_names(String variable) {
        Path folder = Path.of("/of/the/plan");
        assertThat(Processes.Child.command(new Shard(0, 2), folder, Map.of(variable, "-Xmx64m")))
                .contains("-XX:+UseSerialGC");
        assertThat(Processes.Child.command(new Shard(0, 2), folder, Map.of(variable, " -Xmx64m  -XX:+UseG1GC -Xss1m")))
                .doesNotContain("-XX:+UseSerialGC", "");
    }

    /** It ended with "Picked up JAVA_TOOL_OPTIONS" as the reason, and said the reason on stdout. */
    @Test
    void a_JVM_that_does_not_start_says_why_where_its_last_words_are_read() throws Exception {
        List<String> command = new ArrayList<>(
                Processes.Child.command(new Shard(0, 2), folder, Map.of("DOWNBEAT_JAVA_OPTS", "-XX:+UseG1GC")));
        command.add(1, "-XX:+UseParallelGC");
        Path log = folder.resolve("log");
        Process child = new ProcessBuilder(command).redirectError(log.toFile()).start();
        assertThat(child.getInputStream().readAllBytes()).isEmpty();
        assertThat(child.waitFor()).isOne();
        assertThat(Files.readAllLines(log)).last().asString().contains("garbage collectors");
    }
}
