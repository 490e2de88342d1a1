package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.testing.NotShown;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody presses TAB in a shell on a pseudo-terminal, which {@code script} of util-linux makes. Shells that are not there are left out. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TabKeyTest {
    private static final Map<String, String> SHELLS = Map.of(
            "bash", "bash --norc --noprofile -i",
            "zsh", "zsh -f -i",
            "fish", "fish --no-config -i");

    @TempDir
    Path folder;

    static Stream<Arguments> lines() {
        Stream<Arguments> nothing =
                Stream.of("bash", "zsh").map(shell -> Arguments.of(shell, "downbeat run --rate ", "run --rate"));
        Stream<Arguments> all = Stream.of("bash", "zsh", "fish")
                .flatMap(shell -> Stream.of(
                                List.of("downbeat swe", "sweep"),
                                List.of("downbeat run --until", "run --until-decided"),
                                List.of("downbeat run --timeout-from s", "run --timeout-from sent"),
                                List.of("downbeat run --arrivals c", "run --arrivals constant"),
                                List.of("downbeat compare --undecided p", "compare --undecided passes"))
                        .map(each -> Arguments.of(shell, each.get(0), each.get(1))));
        return Stream.concat(nothing, all);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("lines")
    void the_key_completes(String shell, String typed, String completed) throws Exception {
        require("script", "/usr/bin/");
        require(shell, "/bin/", "/usr/bin/");
        Path script = folder.resolve("completion");
        Files.writeString(script, Shell.call("completion", shell).out());
        ProcessBuilder terminal =
                new ProcessBuilder("/usr/bin/script", "-qec", SHELLS.get(shell), "/dev/null").redirectErrorStream(true);
        terminal.environment()
                .putAll(Map.of("PS1", "ready> ", "TERM", "dumb", "HISTFILE", "/dev/null", "INPUTRC", "/dev/null"));
        Process process = terminal.start();
        // a read that waits for a process cannot be interrupted, but ends with it
        CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS).execute(process::destroyForcibly);
        try (OutputStream keys = process.getOutputStream();
                InputStream screen = process.getInputStream()) {
            String define = shell.equals("fish")
                    ? "function downbeat; echo \"run:$argv:\"; end"
                    : "downbeat() { echo \"run:$*:\"; }";
            press(keys, define + "\nsource " + script + "\necho rea''dy\n");
            until(screen, "\nready");
            press(keys, typed + "\t\n");
            String shown = until(screen, ":\r");
            assertThat(shown.replace("\r", "")).contains("run:" + completed + ":");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void press(OutputStream keys, String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    /** What is shown up to some text. */
    private static String until(InputStream screen, String end) throws IOException {
        StringBuilder shown = new StringBuilder();
        for (int next = screen.read(); next >= 0; next = screen.read()) {
            shown.append((char) next);
            if (shown.toString().endsWith(end)) {
                return shown.toString();
            }
        }
        throw new IOException("the shell ended: " + shown);
    }

    private static void require(String program, String... folders) {
        if (Stream.of(folders).noneMatch(at -> Files.isExecutable(Path.of(at + program)))) {
            throw NotShown.because("no " + program, "TabKeyTest: completion by the TAB key in all shells");
        }
    }
}
