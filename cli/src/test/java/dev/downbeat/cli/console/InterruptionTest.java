package dev.downbeat.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.terminal.Terminal;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InterruptionTest {
    private final Interruption interruption = new Interruption();

    @Test
    void the_end_of_a_process_that_has_written_everything_is_no_signal() {
        interruption.finished();
        interruption.atShutdown();
        assertThat(interruption.isReceived()).isFalse();
        assertThat(interruption.exitCode(0)).isZero();
    }

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final StringWriter err = new StringWriter();

    private Console console(String... files) throws IOException {
        List<OutputFile> named = new ArrayList<>();
        for (String file : files) {
            named.add(OutputFile.parse(
                    Files.writeString(folder.resolve(file), "yesterday's").toString()));
        }
        PrintWriter writer = new PrintWriter(err, true);
        return new Console(
                writer,
                writer,
                Terminal.detect(),
                false,
                false,
                OutputOptions.of(false, false, named),
                "run",
                Optional.empty());
    }

    @Test
    void a_measurement_that_a_signal_ended_before_its_result_leaves_no_older_one() throws IOException {
        int code = interruption.guard(console("a.json"), () -> {
            interruption.received(15);
            throw new IOException("interrupted while connecting");
        });
        assertThat(code).isEqualTo(143);
        assertThat(err.toString().lines()).containsExactly("downbeat run: interrupted before there was a result");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_measurement_that_failed_leaves_no_older_result_but_its_own() throws IOException {
        Console console = console("a.txt", "b.txt");
        assertThatThrownBy(() -> interruption.guard(console, () -> {
                    OutputFile first = console.output().files.get(0);
                    console.save(first, () -> first.write(out -> out.append("today's")));
                    throw new IOException("no space left");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("no space left");
        assertThat(folder.resolve("a.txt")).hasContent("today's");
        assertThat(folder.resolve("b.txt")).doesNotExist();
    }

    @Test
    void a_result_that_could_not_be_written_leaves_no_older_one_in_its_place() throws IOException {
        Console console = console("a.html", "b.xml", "c.downbeat");
        int code = interruption.guard(console, () -> {
            OutputFile first = console.output().files.get(0);
            console.save(first, () -> first.write(out -> out.append("today's")));
            console.save(console.output().files.get(1), () -> {
                throw new IOException("no space left");
            });
            return 1;
        });
        assertThat(code).isEqualTo(1);
        assertThat(folder).isDirectoryNotContaining(file -> !file.endsWith("a.html"));
        assertThat(folder.resolve("a.html")).hasContent("today's");
    }

    @Test
    void a_measurement_that_the_machine_broke_leaves_no_older_result() throws IOException {
        for (Throwable broken : List.of(new OutOfMemoryError("Java heap space"), new IllegalStateException("a bug"))) {
            Console console = console("a.html");
            assertThatThrownBy(() -> interruption.guard(console, () -> {
                        if (broken instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) broken;
                    }))
                    .isSameAs(broken);
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void a_refused_command_line_leaves_older_results() throws IOException {
        assertThatThrownBy(() -> interruption.guard(console("a.html"), () -> {
                    throw new TypeConversionException("refused");
                }))
                .hasMessage("refused");
        assertThat(folder.resolve("a.html")).exists();
    }

    @Test
    void a_shard_that_is_called_off_leaves_what_another_process_of_it_may_have_saved() throws IOException {
        Console console = console("a.downbeat");
        assertThatThrownBy(() -> interruption.guard(console, () -> {
                    throw new StartCancelledException("shard 3 is too late");
                }))
                .hasMessage("shard 3 is too late");
        assertThat(folder.resolve("a.downbeat")).exists();
    }

    @Test
    void an_end_counts_once_and_what_begins_afterwards_ends_at_once() {
        List<String> ended = new ArrayList<>();
        interruption.onFirst(() -> ended.add("first"));
        assertThat(ended).isEmpty();
        interruption.stop();
        interruption.stop();
        assertThat(ended).containsExactly("first");
        assertThat(interruption.exitCode(0)).isEqualTo(130);
        interruption.onFirst(() -> ended.add("second"));
        assertThat(ended).containsExactly("first", "second");
    }

    /** A program whose file is replaced while it runs: what it has not loaded by then is gone. */
    static final class Replaced {
        private Replaced() {}

        public static void main(String[] words) throws IOException {
            Interruption interruption = new Interruption();
            interruption.watch();
            interruption.onFirst(() -> System.out.println("ends gracefully"));
            try (Stream<Path> classes = Files.list(Path.of(words[0]))) {
                for (Path each : classes.toList()) {
                    Files.delete(each);
                }
            }
            for (int signal = 0; signal < 2; signal++) {
                try {
                    interruption.received(15);
                } catch (LinkageError dead) { // the end of a signal's thread, not of the program
                }
            }
        }
    }

    @Test
    void a_second_signal_ends_a_program_that_was_replaced_while_it_ran() throws Exception {
        Path classes = Path.of(Interruption.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path copy = folder.resolve("program");
        for (String part : List.of("console", "file", "terminal")) {
            Path from = classes.resolve("dev/downbeat/cli").resolve(part);
            Path to = Files.createDirectories(copy.resolve("dev/downbeat/cli").resolve(part));
            try (Stream<Path> all = Files.list(from)) {
                for (Path each : all.toList()) {
                    Files.copy(each, to.resolve(each.getFileName()));
                }
            }
        }
        List<String> path = new ArrayList<>(List.of(copy.toString()));
        for (Class<?> kept : List.of(Replaced.class, TypeConversionException.class)) {
            path.add(Path.of(kept.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        String.join(File.pathSeparator, path),
                        Replaced.class.getName(),
                        copy.resolve("dev/downbeat/cli/file").toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("ends gracefully");
        assertThat(program.waitFor()).isEqualTo(143);
    }
}
