package dev.downbeat.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.cli.Results;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutputFileTest {
    @TempDir
    Path folder;

    private static RunReport report() {
        RunResult result = Results.result(1_000, 0);
        return new RunReport(
                result,
                RunVerdict.of(result, ServiceLevelObjective.defaults()),
                List.of("downbeat", "run"),
                Optional.of("7f3a"),
                "0",
                Results.MACHINE,
                Map.of("connections", 64));
    }

    private OutputFile file(String name, OutputFile.Kind kind) {
        return new OutputFile(folder.resolve(name), kind);
    }

    @ParameterizedTest
    @EnumSource
    void every_kind_is_written_and_nothing_else_is_left(OutputFile.Kind kind) throws IOException {
        OutputFile file = file("result", kind);
        file.check();
        file.write(report());
        assertThat(Files.size(file.path())).isPositive();
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).containsExactly(file.path());
        }
    }

    @Test
    void an_older_result_is_replaced_as_a_whole() throws IOException {
        OutputFile file = file("result.json", OutputFile.Kind.JSON);
        Files.writeString(file.path(), "x".repeat(1_000_000));
        file.write(report());
        assertThat(Files.readString(file.path())).startsWith("{").doesNotContain("xxx");
    }

    @Test
    void a_private_result_stays_private_and_a_link_leads_to_the_new_one() throws IOException {
        OutputFile file = file("result.json", OutputFile.Kind.JSON);
        Files.writeString(file.path(), "yesterday's");
        Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-------"));
        OutputFile dangling = file("link.json", OutputFile.Kind.JSON);
        Files.createSymbolicLink(dangling.path(), Path.of("new.json"));
        file.write(report());
        dangling.write(report());
        assertThat(file.path()).content().startsWith("{");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
        assertThat(dangling.path()).isSymbolicLink();
        assertThat(folder.resolve("new.json")).content().startsWith("{");
    }

    @Test
    void a_format_that_needs_more_memory_than_there_is_fails_like_any_other_file() throws IOException {
        OutputFile file = file("result.html", OutputFile.Kind.HTML);
        assertThatThrownBy(() -> file.writeBytes(out -> {
                    throw new OutOfMemoryError("Java heap space");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("java.lang.OutOfMemoryError: Java heap space");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_class_that_is_missing_now_says_what_usually_took_it_away() throws IOException {
        OutputFile file = file("result.html", OutputFile.Kind.HTML);
        assertThatThrownBy(() -> file.writeBytes(out -> {
                    throw new NoClassDefFoundError("a/Page");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("java.lang.NoClassDefFoundError: a/Page: was this program replaced while it ran?");
    }

    @Test
    void the_folder_where_a_link_leads_is_checked_before_the_run() throws IOException {
        OutputFile link = file("link.json", OutputFile.Kind.JSON);
        Path gone = folder.resolve("gone");
        Files.createSymbolicLink(link.path(), gone.resolve("real.json"));
        assertThatThrownBy(link::check)
                .hasMessage("-o " + link.path() + " cannot be written: the folder " + gone + " does not exist");
        Files.createDirectory(gone);
        link.check();
        assertThat(gone).isEmptyDirectory();
        link.write(report());
        assertThat(gone.resolve("real.json")).content().startsWith("{");
    }

    @Test
    void a_pipe_gets_the_result_and_a_signal_ends_the_wait_for_its_reader() throws Exception {
        OutputFile pipe = file("pipe.json", OutputFile.Kind.JSON);
        assertThat(new ProcessBuilder("mkfifo", pipe.path().toString()).start().waitFor())
                .isZero();
        pipe.check();
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readString(pipe.path());
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        });
        pipe.write(report());
        assertThat(read.get()).startsWith("{").endsWith("}\n");
        Thread signal = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted() && !BoundedWrite.end()) {
                LockSupport.parkNanos(1_000_000);
            }
        });
        signal.start();
        try {
            assertThatThrownBy(() -> pipe.write(report()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("ended by a signal");
        } finally {
            signal.interrupt(); // it would end the writes of other tests
            signal.join();
        }
    }

    @Test
    void a_private_text_goes_where_a_link_leads_and_the_link_stays() throws IOException {
        Path real = Files.writeString(folder.resolve("real.json"), "x".repeat(1_000));
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), Path.of("real.json"));
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling.json"), Path.of("new.json"));
        OutputFile.writePrivately(link, "a plan");
        OutputFile.writePrivately(dangling, "another");
        assertThat(link).isSymbolicLink();
        assertThat(dangling).isSymbolicLink();
        assertThat(real).isRegularFile().hasContent("a plan");
        assertThat(folder.resolve("new.json")).hasContent("another");
        for (Path file : List.of(real, folder.resolve("new.json"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    /** {@code /dev/stdout} is a link to such a name, and may lead to a file into which others write too. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void a_result_is_added_to_an_open_file() throws IOException {
        Path log = folder.resolve("log");
        try (OutputStream open = Files.newOutputStream(log)) {
            open.write("before\n".getBytes(StandardCharsets.UTF_8));
            Path stdout = Files.createSymbolicLink(folder.resolve("stdout"), nameOfOpen(log));
            OutputFile.writePrivately(stdout, "a plan\n");
            OutputFile result = file("out.json", OutputFile.Kind.JSON);
            Files.createSymbolicLink(result.path(), stdout);
            result.check();
            result.write(out -> out.append("a result\n"));
            assertThat(stdout).isSymbolicLink();
            assertThat(result.path()).isSymbolicLink();
        }
        assertThat(log).hasContent("before\na plan\na result");
    }

    private static Path nameOfOpen(Path file) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(name -> leadsTo(name, file)).findFirst().orElseThrow();
        }
    }

    private static boolean leadsTo(Path name, Path file) {
        try {
            return Files.readSymbolicLink(name).equals(file.toRealPath());
        } catch (IOException closed) {
            return false;
        }
    }

    @Test
    void an_unwritable_file_is_refused_before_the_run() throws IOException {
        assertThatThrownBy(
                        () -> file("missing/result.json", OutputFile.Kind.JSON).check())
                .hasMessageContaining("does not exist");
        Files.createDirectory(folder.resolve("dir.json"));
        assertThatThrownBy(() -> file("dir.json", OutputFile.Kind.JSON).check()).hasMessageContaining("is a folder");
    }

    @Test
    void a_file_that_vanished_with_its_folder_is_an_exception_and_not_a_half_file() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        OutputFile file = new OutputFile(gone.resolve("result.json"), OutputFile.Kind.JSON);
        file.check();
        Files.delete(gone);
        assertThatThrownBy(() -> file.write(report())).isInstanceOf(IOException.class);
        assertThat(gone).doesNotExist();
    }

    @Test
    void each_shard_has_a_file_of_its_own_and_a_run_is_read_from_a_local_one() throws IOException {
        OutputFile file = OutputFile.parse(folder.resolve("s-{shard}.downbeat").toString());
        OutputFile third = file.ofShard(2);
        assertThat(third.path()).isEqualTo(folder.resolve("s-2.downbeat"));
        assertThat(third.kind()).isEqualTo(OutputFile.Kind.DOWNBEAT);
        assertThat(third.journal()).isEqualTo(folder.resolve("s-2.downbeat.part"));
        assertThat(third.run()).as("not written yet").isEmpty();
        third.write(report());
        assertThat(third.run()).contains(third.path());
        OutputFile json = file("a.json", OutputFile.Kind.JSON);
        json.write(report());
        assertThat(json.run()).isEmpty();
    }

    @Test
    void the_ending_of_a_file_chooses_its_format() {
        assertThat(OutputFile.Kind.of("a/b.json")).isEqualTo(OutputFile.Kind.JSON);
        assertThat(OutputFile.Kind.of("x.html")).isEqualTo(OutputFile.Kind.HTML);
        assertThatThrownBy(() -> OutputFile.Kind.of("x.pdf"))
                .hasMessageContaining(".downbeat, .html, .json, .hlog, .md, .csv, .xml or .txt")
                .hasMessageContaining("x.pdf");
        assertThatThrownBy(() -> OutputFile.Kind.of(".json")).hasMessageContaining("must end in");
        assertThatThrownBy(() -> OutputFile.Kind.of("x.hgrm"))
                .hasMessage("x.hgrm: save .hlog, from which HdrHistogram's HistogramLogProcessor makes .hgrm");
    }

    @Test
    void the_folders_of_uploaded_files_go_and_a_file_that_could_not_be_uploaded_stays() throws IOException {
        Path staged = Files.createDirectories(folder.resolve("staged"));
        Files.createDirectories(staged.resolve("results/nightly/one"));
        Path kept = Files.writeString(
                Files.createDirectories(staged.resolve("results/two")).resolve("b.txt"), "kept");
        ObjectStore.removeEmpty(staged);
        assertThat(staged.resolve("results/nightly")).doesNotExist();
        assertThat(kept).hasContent("kept");
        Files.delete(kept);
        ObjectStore.removeEmpty(staged);
        assertThat(staged).doesNotExist();
    }
}
