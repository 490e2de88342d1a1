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

/** The sentences come from other modules, whose words may change: so they are looked for in their sources. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GatlingWordsTest {
    private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ADVICE = Pattern.compile("(^| )--?[A-Za-z]");

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
    void each_phrase_that_is_replaced_is_said() throws IOException {
        List<String> said = texts();
        assertThat(GatlingWords.WORDS)
                .allSatisfy(word -> assertThat(said).anyMatch(text -> text.contains(word.ours())));
    }

    @Test
    void a_wait_is_for_a_connection_only_where_requests_go_over_our_own() {
        String wait = "requests waited up to 1.85 s to get a connection";
        assertThat(new GatlingWords(false).of(wait))
                .isEqualTo("requests waited up to 1.85 s for the throttle, or for their user's last answer");
        assertThat(new GatlingWords(true).of(wait))
                .isEqualTo(
                        "requests waited up to 1.85 s for a free connection, the throttle, or for their user's last answer");
    }

    @Test
    void no_advice_names_an_option_of_the_command_line() throws IOException {
        GatlingWords words = new GatlingWords(false);
        assertThat(texts().stream().map(words::of))
                .noneMatch(
                        text -> ADVICE.matcher(text.replace("-Ddownbeat", "")).find());
    }
}
