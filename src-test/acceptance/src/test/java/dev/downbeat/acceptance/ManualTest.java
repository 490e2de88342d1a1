package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Finding;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.testing.FreePort;
import dev.downbeat.verdict.caveat.Caveat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the manual's first commands, shortened, as processes. DocsTest runs all of them in one process. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ManualTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The exit codes for met, undecided and missed; all others are errors. */
    private static final List<Integer> VERDICTS = List.of(0, 98, 99);

    @TempDir
    Path folder;

    @Test
    void the_first_commands_of_the_manual_work() throws IOException {
        String port = Integer.toString(FreePort.find());
        List<List<String>> commands = ReadmeTest.commandsOf("docs/manual.md").stream()
                .map(line -> shortened(line, port))
                .limit(4)
                .toList();
        assertThat(commands.stream().map(words -> words.get(0))).containsExactly("serve", "run", "report", "report");
        try (Cli server = start(commands.get(0))) {
            awaitListening(server);
            for (List<String> words : commands.subList(1, commands.size())) {
                try (Cli command = start(words)) {
                    Cli.Ending ending = command.end(PATIENCE);
                    assertThat(VERDICTS).as(words + ": " + ending.err()).contains(ending.code());
                    assertThat(ending.hasStackTrace()).as(words.toString()).isFalse();
                }
            }
        }
        assertThat(folder.resolve("first.html")).isNotEmptyFile();
        assertThat(folder.resolve("first.xml")).isNotEmptyFile();
    }

    /** Exactly the codes of caveats, findings and refused comparisons have a row. */
    @Test
    void every_code_has_its_row_on_the_troubleshooting_page() throws IOException {
        Set<String> expected = new TreeSet<>(Set.of("drift", "jump", "never_settled"));
        for (Class<?> group : Caveat.class.getPermittedSubclasses()) {
            Stream.of(group.getPermittedSubclasses())
                    .map(kind -> snakeCase(kind.getSimpleName()))
                    .forEach(expected::add);
        }
        expected.remove("not_steady"); // has the three codes above
        Stream.of(Finding.Kind.values()).map(Finding.Kind::code).forEach(expected::add);
        Stream.of(Incomparable.Kind.values())
                .map(kind -> new Incomparable(kind, "").code())
                .forEach(expected::add);
        String page = Files.readString(Checkout.root().resolve("docs/troubleshooting.md"));
        Set<String> rows = Pattern.compile("(?m)^\\|( `[a-z_]+`,?)+ \\|")
                .matcher(page)
                .results()
                .flatMap(row ->
                        Pattern.compile("`([a-z_]+)`").matcher(row.group()).results())
                .map(code -> code.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        rows.remove("code"); // the heading
        assertThat(rows).isEqualTo(expected);
    }

    private static String snakeCase(String name) {
        return name.replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** The arguments after "./downbeat", with a free port and a tenth of the durations. */
    private static List<String> shortened(String line, String port) {
        return ReadmeTest.words(line).stream()
                .skip(1)
                .map(word -> word.replace("8089", port))
                .map(word -> word.matches("[125]0s") ? word.replace("0s", "s") : word.replace("5s:", "500ms:"))
                .toList();
    }

    private Cli start(List<String> words) {
        return Cli.startCommand(Cli.command(words.toArray(String[]::new)), folder);
    }

    private static void awaitListening(Cli server) throws IOException {
        long untilAt = System.nanoTime() + PATIENCE.toNanos();
        while (!server.errSoFar().contains("http://") && !server.outSoFar().contains("http://")) {
            assertThat(server.isRunning()).as(server.errSoFar()).isTrue();
            assertThat(System.nanoTime() - untilAt).isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
