package dev.downbeat.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.DownbeatMain;
import dev.downbeat.cli.FakeQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queue of a run that is ended from outside is removed, or named by the next run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MadeQueueTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path folder;

    private Process start(FakeQueue server, String... more) throws IOException {
        return start(server, Optional.of(folder), more);
    }

    private Process start(FakeQueue server, Optional<Path> state, String... more) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.exists(Path.of("/proc/self/status"))) {
            command.addAll(List.of("env", "--default-signal=INT")); // a script's background jobs ignore Ctrl-C
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Duser.home=?", // as without an entry for the user
                "-cp",
                System.getProperty("java.class.path"),
                DownbeatMain.class.getName(),
                "run",
                "sqs:orders",
                "--endpoint",
                "http://127.0.0.1:" + server.port(),
                "--region",
                "us-east-1",
                "--data",
                "x",
                "-R",
                "20"));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(folder.toFile());
        builder.environment().remove("HOME");
        builder.environment().remove("XDG_STATE_HOME");
        state.ifPresent(there -> builder.environment().put("XDG_STATE_HOME", there.toString()));
        builder.environment().put("DOWNBEAT_LAST", "off"); // whoever runs the tests keeps their own last runs
        builder.redirectError(folder.resolve("err").toFile());
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        return builder.start();
    }

    @Test
    void where_it_cannot_be_noted_the_run_says_so() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        for (Optional<Path> state : List.of(Optional.of(file), Optional.<Path>empty())) {
            try (FakeQueue server = FakeQueue.start()) {
                Process run = start(server, state, "-n", "1", "--create", "--clean-up", "-q");
                assertThat(run.waitFor()).isZero();
                assertThat(server.actions()).contains("DeleteQueue");
            }
            assertThat(Files.readString(folder.resolve("err"), StandardCharsets.UTF_8))
                    .containsOnlyOnce("): if this run is killed, remove the queue downbeat-orders-");
        }
        assertThat(folder).isDirectoryNotContaining(Files::isDirectory);
    }

    private static void awaitSends(FakeQueue server, Process process) throws InterruptedException {
        while (!server.actions().contains("SendMessage")) {
            assertThat(process.isAlive()).isTrue();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void control_c_removes_it_and_after_a_kill_the_next_run_names_it() throws Exception {
        try (FakeQueue server = FakeQueue.start()) {
            Process killed = start(server, "-d", "60s", "--create", "--clean-up");
            try {
                awaitSends(server, killed);
            } finally {
                killed.destroyForcibly();
            }
            assertThat(killed.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(server.actions()).doesNotContain("DeleteQueue");
            assertThat(folder.resolve("downbeat").resolve("queues"))
                    .isDirectoryContaining(file -> file.getFileName().toString().startsWith("downbeat-orders-"));

            Path note;
            try (Stream<Path> notes = Files.list(folder.resolve("downbeat/queues"))) {
                note = notes.findFirst().orElseThrow();
            }
            String made = Files.readString(note);
            long others = ProcessHandle.current().pid();
            String[] fields = made.strip().split("\t", -1);
            fields[2] = Long.toString(others);
            fields[3] = "2000-01-01T00:00:00Z";
            Files.writeString(note.resolveSibling("reused"), String.join("\t", fields) + "\n");
            Files.writeString(
                    note.resolveSibling("a-damaged-one"),
                    String.join("\t", fields).replace(fields[2], "x"));
            fields[5] = "elsewhere 1";
            Files.writeString(note.resolveSibling("shared"), String.join("\t", fields) + "\n");

            Process next = start(server, "-d", "60s", "--create", "--clean-up");
            try {
                while (!Files.readString(folder.resolve("err"), StandardCharsets.UTF_8)
                        .contains("made http")) {
                    assertThat(next.isAlive()).isTrue();
                    TimeUnit.MILLISECONDS.sleep(20);
                }
                new ProcessBuilder("kill", "-INT", Long.toString(next.pid()))
                        .start()
                        .waitFor();
                assertThat(next.waitFor(20, TimeUnit.SECONDS)).isTrue();
            } finally {
                next.destroyForcibly();
            }
            assertThat(next.exitValue()).isEqualTo(130);
            assertThat(Files.readString(folder.resolve("err"), StandardCharsets.UTF_8))
                    .contains("an earlier run left a queue behind: http://127.0.0.1:")
                    .contains("by process " + killed.pid() + ", which no longer runs)")
                    .contains("(created 2000-01-01T00:00:00Z by process " + others + ", which no longer runs)")
                    .contains("(created 2000-01-01T00:00:00Z by process " + others
                            + " on elsewhere). If that run has ended: ")
                    .contains("removed http://127.0.0.1:");
            assertThat(server.actions()).contains("DeleteQueue");
        }
    }
}
