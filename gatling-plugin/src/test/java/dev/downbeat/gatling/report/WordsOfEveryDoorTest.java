package dev.downbeat.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A page of Gatling's has the sentences of any run, which come from other modules: so they are looked for in their sources. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WordsOfEveryDoorTest {
    private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ADVICE = Pattern.compile("(^|[ \"])--?[A-Za-z]");
    private static final Pattern FOREIGN =
            Pattern.compile("free connection|for a connection|to get a connection|spinning|Pacing by|Downbeat sent");

    /** What is said of a run. */
    private static List<String> texts() throws IOException {
        try (Stream<Path> events = Files.list(Path.of("../analysis/src/main/java/dev/downbeat/event"));
                Stream<Path> verdicts = Files.list(Path.of("../analysis/src/main/java/dev/downbeat/verdict"));
                Stream<Path> views = Files.list(Path.of("../report/src/main/java/dev/downbeat/report/view"))) {
            return Stream.concat(
                            Stream.concat(events, verdicts),
                            views.filter(file -> file.getFileName().toString().startsWith("Run")))
                    .filter(Files::isRegularFile)
                    .flatMap(file -> TEXT.matcher(read(file)).results())
                    .map(MatchResult::group)
                    .filter(text -> !text.equals("\"-v shows them\"")) // on the command line's screen alone
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void no_advice_names_an_option_of_the_command_line() throws IOException {
        assertThat(texts()).isNotEmpty().noneMatch(text -> ADVICE.matcher(text).find());
    }

    /** Gatling has no pool that a request could wait for: a throttle holds it, or its user, who still waits for an answer. */
    @Test
    void waiting_for_a_connection_neither_blocks_nor_spins() throws IOException {
        assertThat(texts()).noneMatch(text -> FOREIGN.matcher(text).find());
    }
}
