package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.DownbeatMain;
import dev.downbeat.cli.FakeQueue;
import dev.downbeat.cli.ShardResults;
import dev.downbeat.cli.Shell;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A measurement without a result leaves none of an earlier one, which a build would read as today's. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OlderResultTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private Path older() throws IOException {
        return Files.writeString(folder.resolve("result.json"), "yesterday's");
    }

    private Shell measure(Path file, String words) {
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        all.addAll(List.of("-o", file.toString()));
        return Shell.call(all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run http://127.0.0.1:1/ -n 1",
                "run http://127.0.0.1:1/ -n 4 --shard 0/2 --seed 1",
                "run http://127.0.0.1:1/ -n 4 --vary http=1.1,2 --turns 1",
                "position http://127.0.0.1:1/ --runs 3 -n 5",
                "position http://127.0.0.1:1/ --runs 3 -n 5 --vary http=1.1,2",
                "idle http://127.0.0.1:1/ 10ms",
                "sweep http://127.0.0.1:1/ --slo p99<1s -R 10..20 --step-duration 3s",
                "compare --live http://127.0.0.1:1/ http://127.0.0.1:1/ -n 4 --turns 1"
            })
    void a_dead_target(String words) throws IOException {
        Path file = older();
        Shell shell = measure(file, words);
        assertThat(shell.exitCode()).as(shell.err()).isEqualTo(1);
        assertThat(file)
                .satisfiesAnyOf(
                        gone -> assertThat(gone).doesNotExist(),
                        replaced -> assertThat(replaced).content().doesNotContain("yesterday's"));
    }

    /** A pipe must not read an empty document just when it matters. */
    @Test
    void of_a_dead_target_stdout_has_the_same_JSON_as_the_file() throws IOException {
        Path file = older();
        Shell shell = measure(file, "run http://127.0.0.1:1/ -n 1 --json");
        assertThat(shell.exitCode()).as(shell.err()).isEqualTo(1);
        assertThat(shell.out()).contains("\"exit_code\": 1");
        assertThat(file).hasContent(shell.out());
    }

    @Test
    void the_older_result_behind_a_link_is_removed_and_the_link_stays() throws IOException {
        Path file = older();
        Path link = Files.createSymbolicLink(folder.resolve("latest.json"), Path.of("result.json"));
        Shell shell = measure(link, "idle http://127.0.0.1:1/ 10ms");
        assertThat(shell.exitCode()).as(shell.err()).isEqualTo(1);
        assertThat(file).doesNotExist();
        assertThat(link).isSymbolicLink();
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "position", "sweep --slo p99<1s"})
    void a_queue_that_does_not_exist(String words) throws IOException {
        Path file = older();
        try (FakeQueue queue = FakeQueue.start()) {
            Shell shell = measure(
                    file,
                    words.replaceFirst(
                            "^[a-z]+",
                            "$0 sqs:nowhere --endpoint http://127.0.0.1:" + queue.port()
                                    + " --region us-east-1 --data x"));
            assertThat(shell.exitCode()).as(shell.err()).isEqualTo(1);
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void a_run_that_did_not_begin() throws IOException {
        Path file = older();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Shell shell = measure(file, "run http://127.0.0.1:1/ -n 1 --prometheus :" + taken.getLocalPort());
            assertThat(shell.exitCode()).as(shell.err()).isEqualTo(1);
        }
        assertThat(file).doesNotExist();
    }

    /** A run to {@code result.downbeat} in the folder, under a limit of the size of files. */
    private Process limited(String limit, LoopbackServer server, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("run", server.uri(), "-o", "result.downbeat"));
        words.addAll(List.of(more));
        return limited(limit, words);
    }

    private Process limited(String limit, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                limit + " && exec \"$@\"",
                "bash",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                DownbeatMain.class.getName()));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("DOWNBEAT_LAST", "off"); // whoever runs the tests keeps their own last runs
        return builder.directory(folder.toFile()).redirectErrorStream(true).start();
    }

    /** A full disk: no file of the child may be larger than 2 kB. */
    @Test
    void a_run_whose_results_do_not_fit_on_the_disk() throws Exception {
        Path saved = Files.writeString(folder.resolve("result.downbeat"), "yesterday's");
        Path page = Files.writeString(folder.resolve("result.html"), "yesterday's");
        Path xml = Files.writeString(folder.resolve("result.xml"), "yesterday's");
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> {}))) {
            Process run =
                    limited("ulimit -f 2", server, "-n", "50", "-R", "1k", "-o", "result.html", "-o", "result.xml");
            String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(run.waitFor()).as(said).isEqualTo(1);
            assertThat(said).contains("-o result.downbeat was not written").contains("-o result.html was not written");
            assertThat(said)
                    .as("the first interval did not fit")
                    .contains("is no longer saved")
                    .contains("no part was saved")
                    .doesNotContain("can be read");
        }
        assertThat(saved).doesNotExist();
        assertThat(page).doesNotExist();
        assertThat(xml)
                .satisfiesAnyOf(
                        gone -> assertThat(gone).doesNotExist(),
                        replaced -> assertThat(replaced).content().doesNotContain("yesterday's"));
    }

    /** It is read, and may be the only copy. */
    @Test
    void a_run_that_is_written_anew_stays_where_it_does_not_fit_on_the_disk() throws Exception {
        Path saved = folder.resolve("result.downbeat");
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> {}))) {
            assertThat(measure(saved, "run " + server.uri() + " -n 20 -R 1k --accept-unsound"))
                    .isNotNull();
        }
        byte[] before = Files.readAllBytes(saved);
        Process report = limited("ulimit -f 0", List.of("report", "result.downbeat", "-o", "result.downbeat"));
        String said = new String(report.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(report.waitFor()).as(said).isEqualTo(1);
        assertThat(said).contains("-o result.downbeat was not written");
        assertThat(saved).hasBinaryContent(before);
    }

    /** A full disk: no file of the child may hold anything. */
    @Test
    void a_sum_of_shards_that_does_not_fit_on_the_disk() throws Exception {
        ShardResults shards = new ShardResults(folder);
        Path file = older();
        Process merge = limited(
                "ulimit -f 0",
                List.of(
                        "merge",
                        shards.shard(0, 2).toString(),
                        shards.shard(1, 2).toString(),
                        "-o",
                        file.toString()));
        String said = new String(merge.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(merge.waitFor()).as(said).isEqualTo(1);
        assertThat(said).contains("result.json was not written");
        assertThat(file).doesNotExist();
    }

    /** The disk has room again when the run ends. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void a_journal_that_ended_on_a_full_disk_is_removed_when_the_whole_result_is_saved() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> {}))) {
            Process run = limited("ulimit -S -f 2", server, "-d", "60s", "-R", "100");
            try (BufferedReader said = run.inputReader(StandardCharsets.UTF_8)) {
                String line = said.readLine();
                while (line != null && !line.contains("is no longer saved")) {
                    line = said.readLine();
                }
                assertThat(line).isNotNull();
                Process lifted =
                        new ProcessBuilder("prlimit", "--pid", Long.toString(run.pid()), "--fsize=unlimited").start();
                assertThat(lifted.waitFor()).isZero();
                run.destroy();
                assertThat(run.waitFor()).isEqualTo(143);
            } finally {
                run.destroyForcibly();
            }
        }
        assertThat(SavedFile.read(folder.resolve("result.downbeat")).result().isEndedBySignal())
                .isTrue();
        assertThat(folder.resolve("result.downbeat.part")).doesNotExist();
    }

    @Test
    void a_run_to_a_file_that_another_run_is_writing_removes_none_of_its_results() throws IOException {
        Path page = older();
        Path saved = Files.writeString(folder.resolve("result.downbeat"), "the other's");
        try (FileChannel other = FileChannel.open(
                        folder.resolve("result.downbeat.part"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = other.lock()) {
            assertThat(held.isValid()).isTrue();
            Shell shell = measure(page, "run http://127.0.0.1:1/ -n 1 -o " + saved);
            assertThat(shell.exitCode()).as(shell.err()).isEqualTo(1);
            assertThat(shell.err()).contains("result.downbeat.part is being written by another run");
        }
        assertThat(page).hasContent("yesterday's");
        assertThat(saved).hasContent("the other's");
    }

    @Test
    void a_refused_command_line_removes_nothing() throws IOException {
        Path file = older();
        assertThat(measure(file, "position http://127.0.0.1:1/ --runs 0").exitCode())
                .isEqualTo(2);
        assertThat(file).hasContent("yesterday's");
    }
}
