package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.file.SavedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the events of a service may be taken from, and what is said where they cannot. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExplainCommandTest {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @TempDir
    Path folder;

    private String run() {
        String file = folder.resolve("a.downbeat").toString();
        assertThat(Shell.call("simulate", "-R", "700", "-n", "5000", "--seed", "7", "-q", "-o", file)
                        .exitCode())
                .isZero();
        return file;
    }

    @Test
    void an_unwatched_run_needs_a_file_of_the_service() {
        Shell shell = Shell.call("explain", run());
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains("contains no service events: give --jfr or --gc-log");
    }

    @Test
    void a_log_of_another_day_is_one_line_beside_others_and_refused_alone() throws IOException {
        String run = run();
        String log = gcLog("gc.log", Instant.parse("2001-04-30T12:00:01Z"));
        refused("no file covers the run: gc.log: the file covers 2001-04-30 12:00:01 to", run, "--gc-log", log);
        Shell shell = Shell.call("explain", run, "--gc-log", log, "--gc-log", gcLog("right.log", during(run)));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("gc.log: the file covers 2001-04-30 12:00:01 to 2001-04-30");
    }

    @Test
    void a_log_without_dates_of_another_time_names_the_option_that_sets_its_start() throws IOException {
        Path log = Files.writeString(folder.resolve("gc.log"), "[1.000s][gc] GC(1) Pause Full (System.gc()) 4.500ms\n");
        Files.setLastModifiedTime(log, FileTime.from(Instant.parse("2001-04-30T12:00:01Z")));
        refused("--gc-log-start sets it", run(), "--gc-log", log.toString());
    }

    private static Instant during(String run) throws IOException {
        return SavedFile.read(Path.of(run)).result().started().plusSeconds(1);
    }

    private String gcLog(String name, Instant at) throws IOException {
        String line = "[" + TIME.format(at) + "][gc] GC(1) Pause Full (System.gc()) 2M->1M(64M) 4.500ms\n";
        return Files.writeString(folder.resolve(name), line).toString();
    }

    @Test
    void a_file_given_twice_is_refused_and_a_copy_counts_once() throws IOException {
        String run = run();
        String log = gcLog("gc.log", during(run));
        String again = folder.resolve("../" + folder.getFileName() + "/gc.log").toString();
        refused(again + " is given twice", run, "--gc-log", log, "--gc-log", again);
        Shell shell = Shell.call("explain", run, "--gc-log", log, "--gc-log", gcLog("copy.log", during(run)));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("copy.log: 1 event was also seen by gc.log");
    }

    @Test
    void an_unreadable_file_is_refused_in_one_line() throws IOException {
        String run = run();
        Path text = Files.writeString(folder.resolve("text"), "no log\n");
        Path missing = folder.resolve("missing");
        refused(text + " has no timestamped JVM log lines", run, "--gc-log", text.toString());
        refused(text + " is not a flight recording", run, "--jfr", text.toString());
        refused("cannot read " + missing, run, "--jfr", missing.toString());
        refused("cannot read " + missing, run, "--gc-log", missing.toString());
        refused("cannot read " + folder + ": is a folder", run, "--jfr", folder.toString());
        refused("cannot read " + folder + ": is a folder", run, "--gc-log", folder.toString());
        refused(
                "a start must be like 2026-05-01T12:00:00.250Z, but was 'noon'",
                run,
                "--gc-log",
                text.toString(),
                "--gc-log-start",
                "noon");
    }

    private static void refused(String line, String... words) {
        Shell shell =
                Shell.call(Stream.concat(Stream.of("explain"), Stream.of(words)).toArray(String[]::new));
        assertThat(shell.firstErrorLine()).contains(line);
        assertThat(shell.exitCode()).as(line).isEqualTo(2);
    }

    @Test
    void an_unwatchable_service_is_refused_or_reported_and_the_run_continues() {
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "--watch", "docker:x")
                        .firstErrorLine())
                .contains(
                        "'--watch' (WHAT): a watched service must be jvm:PID",
                        "prometheus:URL with the query series=NAME, or jdbc:URL, but was docker:x");
        assertThat(Shell.call("run", "--watch", "pid:1").firstErrorLine()).contains("a TARGET is missing");
    }
}
