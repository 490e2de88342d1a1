package dev.downbeat.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A page of Gatling's has the sentences of any run, which come from other modules: so they are looked for in their sources. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WordsOfEveryDoorTest {
    private static final Pattern TEXT = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*+\"");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*.*?\\*/");
    private static final Pattern ADVICE = Pattern.compile("(^|[ \"])--?[A-Za-z]");
    private static final Pattern OF_JAVA_TOO = Pattern.compile(
            "[ (]--(cacert|client-cert|var|data-file|sessions|closed|queue-is-mine|region|writes|http 2,)");
    private static final String IN_JAVA = "API: ";
    private static final Set<String> NO_ADVICE =
            Set.of("\"shown with -v\"", "\"-hidden\""); // on the command line's screen alone, and a class of a style
    private static final Pattern FOREIGN =
            Pattern.compile("free connection|for a connection|to get a connection|spinning|Pacing by|Downbeat sent");

    /** What is said of a run. */
    private static List<String> texts() {
        Stream<Path> said = Stream.of("event", "verdict", "why", "stats")
                .flatMap(room -> sources("../analysis/src/main/java/dev/downbeat/" + room));
        Stream<Path> shown = Stream.of("chart", "data")
                .flatMap(room -> sources("../report/src/main/java/dev/downbeat/report/" + room));
        Stream<Path> views = sources("../report/src/main/java/dev/downbeat/report/view")
                .filter(file -> file.getFileName().toString().startsWith("Run"));
        return texts(Stream.of(said, shown, views).flatMap(files -> files))
                .filter(text -> !NO_ADVICE.contains(text))
                .toList();
    }

    private static Stream<String> texts(Stream<Path> files) {
        return files.flatMap(file -> TEXT.matcher(read(file)).results()).map(MatchResult::group);
    }

    private static Stream<Path> sources(String folder) {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String read(Path file) {
        try {
            return COMMENT.matcher(Files.readString(file)).replaceAll("");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void no_advice_names_an_option_of_the_command_line() {
        assertThat(texts())
                .isNotEmpty()
                .filteredOn(text -> ADVICE.matcher(text).find() && !text.contains(IN_JAVA))
                .isEmpty();
    }

    /** A failure is read at every door: what Java calls an option stands beside it. */
    @Test
    void a_failure_says_what_an_option_is_called_in_Java() {
        Stream<Path> failures = Stream.of("http", "sqs", "jdbc")
                .flatMap(target -> sources("../targets/" + target + "/src/main/java"))
                .filter(file -> !file.getFileName().toString().startsWith("Curl")); // which Java does not read
        assertThat(texts(failures))
                .filteredOn(text -> OF_JAVA_TOO.matcher(text).find())
                .isNotEmpty()
                .allMatch(text -> text.contains(IN_JAVA));
    }

    /** Gatling has no pool that a request could wait for: a throttle holds it, or its user, who still waits for an answer. */
    @Test
    void waiting_for_a_connection_neither_blocks_nor_spins() {
        assertThat(texts()).filteredOn(text -> FOREIGN.matcher(text).find()).isEmpty();
    }
}
