package dev.downbeat.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.report.data.RunReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LastRunsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path home;

    @Test
    void the_newest_ten_are_kept_for_their_owner_alone() throws IOException {
        LastRuns runs = LastRuns.of(Map.of("HOME", home.toString())).orElseThrow();
        assertThat(runs.newest()).isEmpty();
        RunReport report = SavedFile.read(Path.of("src/test/resources/dev/downbeat/cli/schema1/run.downbeat"));
        Files.createDirectories(runs.folder());
        for (int i = 0; i < 10; i++) {
            Files.createFile(runs.folder().resolve("2000010" + i + "T000000.000-1.downbeat"));
        }
        runs.keep(report, Optional.empty());
        List<Path> kept = runs.newest();
        assertThat(kept).hasSize(10).noneMatch(file -> file.toString().contains("20000100"));
        assertThat(SavedFile.read(kept.get(0)).result().target())
                .isEqualTo(report.result().target());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept.get(0))))
                .isEqualTo("rw-------");
    }

    /** On Windows, a file that another program reads cannot be deleted. */
    @Test
    void a_run_is_kept_even_if_an_older_one_cannot_be_removed() throws IOException {
        LastRuns runs = LastRuns.of(Map.of("HOME", home.toString())).orElseThrow();
        RunReport report = SavedFile.read(Path.of("src/test/resources/dev/downbeat/cli/schema1/run.downbeat"));
        Path held = runs.folder().resolve("20000100T000000.000-1.downbeat");
        Files.createDirectories(held.resolve("in use"));
        for (int i = 1; i <= 10; i++) {
            Files.createFile(runs.folder().resolve("200001%02dT000000.000-1.downbeat".formatted(i)));
        }
        runs.keep(report, Optional.empty());
        assertThat(runs.newest()).hasSize(11).endsWith(held);
    }

    /** A soak of hours during which ten short runs were made was deleted as soon as it ended. */
    @Test
    void a_run_that_ends_last_is_the_last_one_however_early_it_began() throws IOException {
        LastRuns runs = LastRuns.of(Map.of("HOME", home.toString())).orElseThrow();
        RunReport report = SavedFile.read(Path.of("src/test/resources/dev/downbeat/cli/schema1/run.downbeat"));
        Files.createDirectories(runs.folder());
        DateTimeFormatter name = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'-1.downbeat'")
                .withZone(ZoneOffset.UTC);
        for (int i = 1; i <= 10; i++) {
            Instant meanwhile =
                    report.result().started().plusNanos(report.result().durationNanos() * i / 11);
            Files.createFile(runs.folder().resolve(name.format(meanwhile)));
        }
        runs.keep(report, Optional.empty());
        assertThat(runs.newest()).hasSize(10);
        assertThat(SavedFile.read(runs.newest(1)).result().target())
                .isEqualTo(report.result().target());
    }

    /** Ten runs were kept before the clock was set back: each later one was deleted as soon as it was kept. */
    @Test
    void the_run_kept_last_is_the_last_one_after_the_clock_was_set_back() throws IOException {
        LastRuns runs = LastRuns.of(Map.of("HOME", home.toString())).orElseThrow();
        RunReport report = SavedFile.read(Path.of("src/test/resources/dev/downbeat/cli/schema1/run.downbeat"));
        Files.createDirectories(runs.folder());
        for (int i = 0; i < 10; i++) {
            Files.createFile(runs.folder().resolve("2999010" + i + "T000000.000-1.downbeat"));
        }
        for (int i = 0; i < 2; i++) {
            runs.keep(report, Optional.empty());
        }
        assertThat(runs.newest()).filteredOn(file -> file.toFile().length() > 0).hasSize(2);
        assertThat(runs.newest(1).getFileName().toString()).startsWith("29990109T000000.002-");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_run_that_could_not_be_kept_is_told_if_last_would_show_another() throws IOException {
        LastRuns runs = LastRuns.of(Map.of("HOME", home.toString())).orElseThrow();
        RunReport report = SavedFile.read(Path.of("src/test/resources/dev/downbeat/cli/schema1/run.downbeat"));
        StringWriter err = new StringWriter();
        OutputOptions output = OutputOptions.of(false, true, List.of());
        PrintWriter writer = new PrintWriter(err, true);
        Console console =
                new Console(writer, writer, Terminal.detect(), false, false, output, "run", Optional.of(runs));
        Path unreadable = Files.createSymbolicLink(home.resolve("a.downbeat"), Path.of("/sys/class/net/lo/speed"));
        output.saved(OutputFile.parse(unreadable.toString()));
        console.keep(report);
        assertThat(err).asString().isEmpty();
        Files.createFile(runs.folder().resolve("20000101T000000.000-1.downbeat"));
        console.keep(report);
        assertThat(err).asString().startsWith("downbeat run: 'downbeat last' still shows an earlier run: ");
        assertThat(runs.newest()).hasSize(1);
    }

    @Test
    void keeping_runs_can_be_disabled() {
        assertThat(LastRuns.of(Map.of("HOME", "/h", "DOWNBEAT_LAST", "off"))).isEmpty();
        assertThat(LastRuns.of(Map.of())).isEmpty();
        assertThat(LastRuns.of(Map.of("HOME", "/h\0")))
                .as("a name that this machine cannot have, such as one beyond ASCII in the locale C")
                .isEmpty();
        assertThat(LastRuns.of(Map.of("HOME", "/h", "XDG_CACHE_HOME", "/c"))
                        .orElseThrow()
                        .folder())
                .isEqualTo(Path.of("/c/downbeat"));
        assertThat(LastRuns.of(Map.of("LOCALAPPDATA", "/w")).orElseThrow().folder()) // Windows has no HOME
                .isEqualTo(Path.of("/w/downbeat"));
        assertThat(Shell.call("last").firstErrorLine()).contains("no run is kept");
        assertThat(Shell.call("report", "--last").exitCode()).isEqualTo(2);
    }

    @Test
    void a_list_is_not_saved() {
        for (String more : List.of("-o", "--json")) {
            String[] words = more.equals("-o")
                    ? new String[] {
                        "last", "--list", "-o", home.resolve("q.html").toString()
                    }
                    : new String[] {"last", "--list", "--json"};
            Shell refused = Shell.call(words);
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.firstErrorLine())
                    .isEqualTo("downbeat last: --list cannot be combined with -o or --json");
        }
    }

    @Test
    void a_list_has_all_runs() {
        Shell refused = Shell.call("last", "2", "--list");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine()).isEqualTo("downbeat last: --list shows all runs: leave out 2");
    }

    @Test
    void a_page_is_a_saved_run_too() {
        String saved = "src/test/resources/dev/downbeat/cli/schema1/run.downbeat";
        String page = home.resolve("a.html").toString();
        String again = home.resolve("b.html").toString();
        assertThat(Shell.call("report", saved, "-o", page).exitCode()).isZero();
        assertThat(Shell.call("report", page).out())
                .isEqualTo(Shell.call("report", saved).out());
        assertThat(Shell.call("report", page, "-o", again).exitCode()).isZero();
        assertThat(Path.of(again)).hasSameTextualContentAs(Path.of(page));
        assertThat(Shell.call("report", "../report/src/test/resources/dev/downbeat/report/sweep.html")
                        .firstErrorLine())
                .contains("sweep.html: does not contain its run");
    }
}
