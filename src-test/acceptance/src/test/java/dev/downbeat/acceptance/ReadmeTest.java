package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of the README work. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReadmeTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh[^\\n]*\\n(.*?)^```");
    private static final Pattern WORD = Pattern.compile("\\s*((?:'[^']*'|\"[^\"]*\"|\\\\.|[^\\s'\"\\\\])+)");

    static List<String> commands() throws IOException {
        return commandsOf("README.md");
    }

    /** The lines of a page's shell blocks that begin with the launcher. */
    static List<String> commandsOf(String page) throws IOException {
        List<String> commands = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(Checkout.root().resolve(page)));
        while (block.find()) {
            block.group(1)
                    .replaceAll("\\\\\\n\\s*", " ")
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("./downbeat"))
                    .forEach(commands::add);
        }
        return commands;
    }

    /** The words of the first simple command of a line, as a shell splits them. */
    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line);
        while (word.lookingAt()) {
            String raw = word.group(1);
            if (raw.startsWith("#")
                    || List.of("|", "&&", "||", ";", "&").contains(raw)
                    || raw.matches("[0-9]?[<>].*")) {
                break;
            }
            words.add(raw.replaceAll("'([^']*)'|\"([^\"]*)\"|\\\\(.)", "$1$2$3"));
            word.region(word.end(), line.length());
        }
        return words;
    }

    @Test
    void words_are_split_as_by_a_shell() {
        assertThat(words("./downbeat run http://h/ --slo 'p99<50ms' -H \"A: b c\" --json | jq .x   # why"))
                .containsExactly("./downbeat", "run", "http://h/", "--slo", "p99<50ms", "-H", "A: b c", "--json");
        assertThat(words("./downbeat run > out.txt")).containsExactly("./downbeat", "run");
    }

    @Test
    void the_README_shows_at_least_two_commands_and_among_them_a_run_without_a_target() throws IOException {
        assertThat(commands()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(commands()).anyMatch(line -> words(line).equals(List.of("./downbeat", "run")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void every_command_is_understood(String line) {
        List<String> words = words(line);
        CommandLines.parser().parseArgs(words.stream().skip(1).toArray(String[]::new));
    }

    /** Runs each measurement against a closed port: any other error would appear before the refused connection. */
    @Test
    void every_measurement_of_a_local_service_gets_as_far_as_its_connection(@TempDir Path folder) throws IOException {
        List<String> lines =
                commands().stream().filter(line -> line.contains("//localhost")).toList();
        assertThat(lines).hasSizeGreaterThanOrEqualTo(2);
        for (String line : lines) {
            String[] words = words(line).stream()
                    .skip(1)
                    .map(word -> word.replaceFirst("//localhost:[0-9]+/", "//127.0.0.1:1/"))
                    .map(word -> word.matches("[a-z]+[.](downbeat|html|xml)")
                            ? folder.resolve(word).toString()
                            : word)
                    .toArray(String[]::new);
            Cli.Ending ending = CommandLines.execute(words);
            assertThat(ending.code()).as("%s: %s", line, ending.err()).isEqualTo(1);
            assertThat(ending.err()).as(line).contains("127.0.0.1:1", "refused");
        }
    }

    @Test
    void every_command_that_is_named_in_the_text_exists() throws IOException {
        String readme = Files.readString(Checkout.root().resolve("README.md"));
        Stream<String> named = Pattern.compile("`(?:\\./)?downbeat ([a-z]+)")
                .matcher(readme)
                .results()
                .map(result -> result.group(1));
        assertThat(CommandLines.parser().getSubcommands().keySet()).containsAll(named.toList());
    }
}
