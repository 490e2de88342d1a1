package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.file.Permission;
import dev.downbeat.cli.file.SavedArguments;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.shard.PlannedRun;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.file.PlanFile;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that were written when they kept words: they open, are repeated and merged as ever. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SchemaOneTest {
    @TempDir
    Path folder;

    @BeforeEach
    void copies() throws IOException, URISyntaxException {
        Path kept = Path.of(Objects.requireNonNull(SchemaOneTest.class.getResource("schema1"))
                .toURI());
        try (Stream<Path> files = Files.list(kept)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName().toString()));
            }
        }
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run.downbeat",
                "secret.downbeat",
                "sessions.downbeat",
                "shard-0.downbeat",
                "simulate.downbeat",
                "simulate-case.downbeat",
                "sweep.downbeat"
            })
    void it_opens(String name) {
        Shell shell = Shell.call("report", at(name));
        assertThat(shell.exitCode()).as(shell.err()).isIn(0, 98);
        assertThat(shell.out()).contains("p50");
    }

    @Test
    void its_log_holds_the_times_of_sessions() {
        Shell shell = Shell.call("session", at("run.hlog"), "-n", "2");
        assertThat(shell.exitCode()).as(shell.err()).isZero();
    }

    @Test
    void what_it_says_of_itself_becomes_a_value() {
        Origin origin = SavedFile.origin(folder.resolve("run.downbeat"));
        assertThat(origin.measurement()).isEmpty();
        assertThat(origin.command()).contains("-o");
        List<String> words =
                Values.words(SavedArguments.value(DownbeatMain.commandLine(), origin.measurement(), origin.command()));
        assertThat(words)
                .containsExactly(
                        "http://127.0.0.1:18981/?page=2",
                        "--rate=200/s",
                        "--seed=7f3a",
                        "--requests=60",
                        "--connections=8",
                        "--header=X-Team: it's a team",
                        "--slo=p99<2s",
                        "--accept-unsound");
        Origin json = SavedFile.origin(folder.resolve("run.json"));
        assertThat(Values.words(SavedArguments.value(DownbeatMain.commandLine(), json.measurement(), json.command())))
                .isEqualTo(words);
        Origin known = SavedFile.origin(folder.resolve("simulate-case.downbeat"));
        assertThat(Values.words(SavedArguments.value(DownbeatMain.commandLine(), known.measurement(), known.command())))
                .contains("--rate=7279.34/s", "--duration=200ms", "--attempts=3", "--drain=0s", "--seed=7");
    }

    @Test
    void a_body_from_a_file_is_one_again() {
        List<String> words = List.of("downbeat", "run", "http://h/", "-qX", "PUT", "--data", "@@b.json");
        assertThat(Values.words(SavedArguments.value(DownbeatMain.commandLine(), Map.of(), words)))
                .containsExactly("http://h/", "--method=PUT", "--data=@b.json");
    }

    @Test
    void a_search_is_a_value_too() {
        Origin origin = SavedFile.origin(folder.resolve("sweep.downbeat"));
        assertThat(Values.words(
                        SavedArguments.value(DownbeatMain.commandLine(), origin.measurement(), origin.command())))
                .startsWith("http://127.0.0.1:18981/", "--rate=50/s..60/s", "--step-duration=3s", "--budget=7s");
    }

    @Test
    void a_rerun_applies_overrides_and_writes_none_of_the_saved_files() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            List<String> before = names();
            Shell again = Shell.call("rerun", at("run.downbeat"), "--", server.uri(), "-d", "200ms", "-v");
            assertThat(again.exitCode()).as(again.err()).isZero();
            assertThat(again.err())
                    .startsWith("downbeat rerun: downbeat run " + server.uri() + " --rate=200/s --seed=7f3a"
                            + " --duration=200ms --connections=8 --header='X-Team: ***'");
            assertThat(again.out()).contains("seed 7f3a");
            assertThat(names()).isEqualTo(before);
            assertThat(Path.of("run.downbeat")).doesNotExist();
            Shell closed =
                    Shell.call("rerun", at("run.downbeat"), "--", server.uri(), "--closed", "2", "-n", "9", "-q", "-v");
            assertThat(closed.out()).contains("closed loop, 2 ").contains("planned 9 ");
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    @Test
    void a_simulation_is_repeated_to_the_same_numbers() throws IOException {
        Shell again = Shell.call("rerun", at("simulate.downbeat"), "--", "-q", "-o", at("new.hlog"));
        assertThat(again.exitCode()).as(again.err()).isZero();
        Shell.call("report", at("simulate.downbeat"), "-o", at("old.hlog"));
        assertThat(numbers("new.hlog")).isEqualTo(numbers("old.hlog")).isNotEmpty();
    }

    private List<String> numbers(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name)).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @Test
    void one_that_had_a_secret_is_not_repeated_without_it() {
        Shell refused = Shell.call("rerun", at("secret.downbeat"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine()).contains("contains no secrets").contains("Authorization: ***");
    }

    @Test
    void its_plan_is_run_and_the_shards_of_then_are_merged_with_those_of_now() throws IOException {
        Path plan = folder.resolve("plan.json");
        PlanFile read = PlanFile.parse(Files.readString(plan));
        assertThat(PlannedRun.read(plan.toString(), Permission.NONE, new DownbeatMain())
                        .value())
                .isInstanceOf(Measurement.class)
                .extracting(value -> Values.words(value))
                .isEqualTo(List.of(
                        "http://127.0.0.1:18981/",
                        "--rate=300/s",
                        "--seed=7f3a",
                        "--requests=90",
                        "--connections=8",
                        "--slo=p99<2s"));
        assertThat(read.id()).isEqualTo("8dfb0e3631d1");
        Shell merged =
                Shell.call("merge", at("shard-0.downbeat"), at("shard-1.downbeat"), "--json", "--max-skew", "1h");
        assertThat(merged.exitCode()).as(merged.err()).isEqualTo(98);
        assertThat(merged.out())
                .contains("\"planned\": 90")
                .contains("\"adds_up\": true")
                .doesNotContain("--shard=");

        Files.writeString(plan, Files.readString(plan).replace("--rate=300", "--rate=301"));
        assertThat(Shell.call("run", "--plan", plan.toString(), "--shard", "0/2")
                        .firstErrorLine())
                .contains("one of them was changed");
    }
}
