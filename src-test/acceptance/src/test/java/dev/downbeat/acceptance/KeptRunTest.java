package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.RunSpan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run saved as NAME.downbeat survives a killed process and a full disk. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeptRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private String[] run(LoopbackServer server, String length, String... files) {
        List<String> words = new ArrayList<>(
                List.of("run", server.uri().toString(), "-R", "300", "-d", length, "-q", "--accept-unsound"));
        for (String file : files) {
            words.add("-o");
            words.add(folder.resolve(file).toString());
        }
        return words.toArray(String[]::new);
    }

    /** Killed at once, and after two and five intervals, in concurrent processes. */
    @Test
    void a_run_that_is_killed_at_any_moment_opens_and_says_that_it_is_partial() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults());
                Cli early = Cli.start(run(server, "60s", "0.downbeat"));
                Cli middle = Cli.start(run(server, "60s", "2.downbeat"));
                Cli late = Cli.start(run(server, "60s", "5.downbeat"))) {
            killAfter(0, early);
            killAfter(2, middle);
            killAfter(5, late);
        }
        for (int intervals : List.of(0, 2, 5)) {
            RunReport read = RunFile.read(part(intervals));
            assertThat(read.result().ending()).isEqualTo(RunSpan.Ending.CUT_OFF);
            assertThat(read.result().ledger().addsUp()).isTrue();
            assertThat(read.result().intervals()).hasSizeGreaterThanOrEqualTo(intervals);
            assertThat(read.result().recording().failures()).isEmpty();
        }
        assertThat(RunFile.read(part(5)).result().ledger().answered()).isGreaterThan(100);

        Cli.Ending shown =
                CommandLines.execute("report", folder.resolve("5.downbeat").toString());
        assertThat(shown.code()).isEqualTo(98);
        assertThat(shown.out()).startsWith("CUT OFF after ").contains("of 60 s: partial");
        assertThat(shown.hasStackTrace()).isFalse();
    }

    private Path part(int intervals) {
        return folder.resolve(intervals + ".downbeat.part");
    }

    /** Kills the process once its file has {@code intervals} intervals of 200 ms; a busy machine writes them late. */
    private void killAfter(int intervals, Cli cli) throws IOException {
        long startedAt = System.nanoTime();
        while (lines(part(intervals)) < 1 + intervals) {
            assertThat(System.nanoTime() - startedAt).isLessThan(PATIENCE.toNanos());
            LockSupport.parkNanos(20_000_000);
        }
        cli.signal("KILL");
        cli.end(PATIENCE);
    }

    private static long lines(Path file) throws IOException {
        return Files.exists(file)
                ? Files.readString(file).chars().filter(c -> c == '\n').count()
                : 0;
    }

    /** A limit of 20 KB per file acts like a full disk, without a mount. */
    @Test
    void a_full_disk_ends_in_a_clear_line_and_what_was_written_opens() throws Exception {
        Cli.Ending ending;
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -f 20; exec \"$@\"", "bash"));
            command.addAll(Cli.command(run(server, "4s", "full.downbeat")));
            try (Cli cli = Cli.startCommand(command, folder)) {
                ending = cli.end(PATIENCE);
            }
        }
        assertThat(ending.code()).isEqualTo(1);
        assertThat(ending.out()).contains(" requests, ").contains("callers waited");
        assertThat(ending.err())
                .contains("the run continues, but is no longer saved")
                .contains("was not written");
        assertThat(ending.hasStackTrace()).isFalse();
        assertThat(folder.resolve("full.downbeat")).doesNotExist();

        RunReport kept = RunFile.read(folder.resolve("full.downbeat.part"));
        assertThat(kept.result().ending()).isEqualTo(RunSpan.Ending.CUT_OFF);
        assertThat(kept.result().ledger().addsUp()).isTrue();
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("full.downbeat.part");
        }
    }

    @Test
    void a_saved_run_gives_the_same_views_as_the_run() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Cli.Ending ending = Cli.run(
                    PATIENCE, run(server, "2s", "a.downbeat", "a.html", "a.json", "a.md", "a.csv", "a.xml", "a.hlog"));
            assertThat(ending.code()).as(ending.err()).isZero();
        }
        List<String> words =
                new ArrayList<>(List.of("report", folder.resolve("a.downbeat").toString()));
        List<String> kinds = List.of("html", "json", "md", "csv", "xml", "hlog");
        for (String kind : kinds) {
            words.addAll(List.of("-o", folder.resolve("b." + kind).toString()));
        }
        Cli.Ending shown = CommandLines.execute(words.toArray(String[]::new));
        assertThat(shown.code()).as(shown.err()).isZero();
        for (String kind : kinds) {
            assertThat(folder.resolve("b." + kind)).as(kind).hasSameTextualContentAs(folder.resolve("a." + kind));
        }
        assertThat(folder.resolve("a.downbeat.part")).doesNotExist();
    }
}
