package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.NotShown;
import dev.downbeat.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code run exec:'COMMAND'}: what a client in another language costs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class CommandTargetTest {
    @TempDir
    private Path folder;

    private String worker(String onRequest) throws IOException {
        Path script = folder.resolve("worker.sh");
        Files.writeString(
                script,
                "while read -r line; do\n case $line in\n ping) echo pong ;;\n *) " + onRequest + " ;;\n esac\ndone\n");
        return "exec:sh " + script;
    }

    @Test
    void a_command_gets_each_request_with_its_data_and_is_counted() throws IOException {
        Path seen = folder.resolve("seen");
        Shell shell = Shell.call(
                "run",
                worker("printf '%s\\n' \"$line\" >>" + seen + "; echo ok"),
                "-R",
                "100",
                "-n",
                "20",
                "-c",
                "1",
                "--var",
                "who=me",
                "--data",
                "hello {{who}}",
                "--json");
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("\"answered\": 20");
        assertThat(shell.err()).contains("hand-over to the worker and back: p50");
        assertThat(Files.readAllLines(seen)).hasSize(20).allMatch(line -> line.contains("\"data\":\"hello me\""));
    }

    @Test
    void failures_of_a_command_are_failures_of_the_service() throws IOException {
        Shell shell = Shell.call("run", worker("echo fail throttled"), "-R", "100", "-n", "10");
        assertThat(shell.exitCode()).isEqualTo(99);
        assertThat(shell.out()).contains("throttled");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"run -R 100", "position --runs 4"})
    void a_worker_that_writes_two_lines_for_a_request_makes_the_result_unsound(String command) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of(worker("echo ok; echo ok"), "-n", "10", "-c", "1", "--json"));
        Shell shell = Shell.call(words.toArray(String[]::new));
        assertThat(shell.exitCode()).as(shell.err()).isEqualTo(98);
        assertThat(shell.out()).contains("unasked_lines");
    }

    @Test
    void a_saved_run_of_a_command_is_repeated_only_if_it_is_allowed() throws IOException {
        String file = folder.resolve("run.downbeat").toString();
        assertThat(Shell.call("run", worker("echo ok"), "-R", "100", "-n", "10", "-q", "-o", file)
                        .exitCode())
                .isZero();
        Shell refused = Shell.call("rerun", file);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine()).contains("starts code on this machine", "add --allow-exec");
        assertThat(Shell.call("rerun", "--allow-exec", file, "-q").exitCode()).isZero();
    }

    /** A URL of H2 may hold Java. */
    @Test
    void a_saved_run_that_brings_code_is_repeated_only_if_it_is_allowed() throws IOException {
        Path file = folder.resolve("h2.json");
        for (String words : List.of("\"jdbc:h2:mem:x;INIT=x\"", "\"jdbc:x:y\", \"--driver-jar=x.jar\"")) {
            Files.writeString(
                    file, "{\"schema\": 2, \"command\": [\"downbeat\", \"run\", " + words + ", \"--sql=select 1\"]}");
            Shell refused = Shell.call("rerun", file.toString());
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.firstErrorLine()).contains("starts code on this machine", "add --allow-exec");
        }
    }

    /** Each run has a worker of its own, and the worker says which connection it had. */
    @Test
    void a_position_on_the_connections_of_a_command_is_found() throws IOException {
        String counting = "n=$((${n:-0} + 1)); c=$(((n + 9) / 10));"
                + " [ $((n % 10)) = 1 ] && sleep 0.02; echo \"ok {\\\"connection\\\": $c}\"";
        Path seen = folder.resolve("seen");
        Shell shell = Shell.call(
                "position",
                worker(counting + "; echo >>" + seen),
                "--runs",
                "12",
                "-n",
                "40",
                "-c",
                "2",
                "--accept-unsound",
                "--json");
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("36 of 36 connections ended after exactly 10 requests");
        assertThat(Files.readAllLines(seen)).hasSizeBetween(13 * 40, 16 * 40);
    }

    @Test
    void options_that_do_not_fit_a_command_are_refused() throws IOException {
        String target = worker("echo ok");
        assertThat(Shell.call("run", target, "-H", "A: b").firstErrorLine()).contains("HTTP targets only");
        assertThat(Shell.call("run", "exec:").firstErrorLine()).contains("exec: needs a command");
        Shell shard = Shell.call("plan", target, "-R", "100", "-d", "1s", "--shards", "2");
        assertThat(shard.exitCode()).isEqualTo(2);
        assertThat(shard.firstErrorLine())
                .endsWith("a command cannot be sharded: each shard would start its own. Use one process");
        Shell missing = Shell.call("run", "exec:no-such-command-at-all", "-n", "5");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("exec: 'no-such-command-at-all' exited with code 127");
    }

    /** The example of the docs; a machine without Python has nothing to show. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"'', 4", "--new, 40"})
    void the_example_in_Python_keeps_its_connection_or_not(String option, int connections) throws IOException {
        String python = Python.with("http.client", "CommandTargetTest the example in Python");
        Path example = Path.of("..", "targets", "exec", "examples", "urllib_worker.py");
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.closeAfter = 10))) {
            Shell shell = Shell.call(
                    "run",
                    "exec:" + python + " " + example + " " + server.uri() + " " + option,
                    "-R",
                    "100",
                    "-n",
                    "40",
                    "-c",
                    "1",
                    "--json");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(server.stats().requestsAnswered()).isEqualTo(40);
            assertThat(server.stats().connectionsAccepted()).isEqualTo(connections);
            assertThat(shell.out()).contains("\"opened\": " + connections);
        }
    }

    /** Other languages; what is not installed has nothing to show. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "node --version, node --check node_worker.js, node node_worker.js",
        "go version, go build -o /dev/null worker.go, go run worker.go"
    })
    @Timeout(240) // of which Go's library may take minutes on a fresh machine
    void the_examples_in_other_languages_keep_their_connection(String probe, String check, String command)
            throws IOException {
        Path examples = Path.of("..", "targets", "exec", "examples");
        if (!runs(examples, probe)) {
            throw NotShown.because("no " + probe, "CommandTargetTest " + command + ": install it");
        }
        // the first build compiles Go's library, which takes longer than a worker may take to start
        assertThat(runs(examples, check)).as(check).isTrue();
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.closeAfter = 10))) {
            Shell shell = Shell.call(
                    "run",
                    "exec:cd " + examples + " && exec " + command + " " + server.uri(),
                    "-R",
                    "100",
                    "-n",
                    "40",
                    "-c",
                    "1",
                    "--json");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(server.stats().requestsAnswered()).isEqualTo(40);
            assertThat(server.stats().connectionsAccepted()).isEqualTo(4);
            assertThat(shell.out()).contains("\"opened\": 4");
        }
    }

    private static boolean runs(Path folder, String command) {
        try {
            return new ProcessBuilder(command.split(" "))
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
