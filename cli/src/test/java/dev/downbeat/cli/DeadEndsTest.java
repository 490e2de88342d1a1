package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.command.RerunCommand;
import dev.downbeat.cli.file.SavedArguments.Repeatable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Where a newcomer got stuck once, and does no more. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeadEndsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    /** In place of FILE stands a folder, nothing, and a file of something else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run @FILE",
                "report FILE",
                "rerun FILE",
                "explain FILE",
                "history FILE FILE",
                "audit FILE",
                "compare FILE b.downbeat",
                "merge FILE FILE",
                "session FILE -n 2",
                "session FILE.hlog -n 2",
                "run http://h/ --replay-log FILE",
                "run http://h/ --data @FILE",
                "run https://h/ --cacert FILE",
                "run https://h/ --client-cert FILE"
            })
    void a_file_of_another_kind_is_named_as_a_usage_error(String words) throws IOException {
        Path nothing = folder.resolve("nothing");
        Path text = Files.writeString(folder.resolve("text"), "@#!\n");
        Files.writeString(folder.resolve("text.hlog"), "@#!\n");
        for (Path file : List.of(folder, nothing, text)) {
            if (file.equals(text) && (words.contains("--data") || words.startsWith("run @"))) {
                continue; // which any text can be
            }
            Shell shell = Shell.call(words.replace("FILE", file.toString()).split(" "));
            assertThat(shell.firstErrorLine()).startsWith("downbeat").contains(String.valueOf(file.getFileName()));
            assertThat(shell.err()).doesNotContain("\tat ");
            assertThat(shell.exitCode()).as(shell.err()).isEqualTo(2);
        }
    }

    /** Usually that of a variable which is not set. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "report FILE",
                "rerun FILE",
                "explain FILE",
                "history FILE",
                "audit FILE",
                "compare a.downbeat FILE",
                "merge FILE a.downbeat",
                "run http://h/ --replay FILE",
                "run http://h/ --data @FILE",
                "run --plan FILE --shard 0/2",
                "run --curl @FILE"
            })
    void an_empty_name_of_a_file_is_refused_as_such(String words) {
        String[] args = words.split(" ");
        Arrays.setAll(args, i -> args[i].replace("FILE", ""));
        Shell shell = Shell.call(args);
        assertThat(shell.err()).contains("the name of a file is empty");
        assertThat(shell.exitCode()).isEqualTo(2);
    }

    @Test
    void an_unreachable_service_is_one_line_with_all_details_too() {
        Shell shell = Shell.call("run", "http://127.0.0.1:1/", "-v");
        assertThat(shell.err()).contains("127.0.0.1:1: connection refused").doesNotContain("\tat ", "Exception");
        assertThat(shell.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-R 10..100 --ramp 20s -d 10s",
                "-k",
                "--sni h",
                "--no-keepalive --max-requests 5",
                "--no-keepalive --max-idle 1s",
                "--closed 8 -R 100",
                "--think 1s",
                "--speed 2x"
            })
    void options_without_effect_are_refused(String words) {
        Shell shell = Shell.call(("run http://127.0.0.1:1/ " + words).split(" "));
        assertThat(shell.exitCode()).isEqualTo(2);
    }

    @Test
    void a_word_that_completion_proposes_is_accepted() {
        List<String> refused = new ArrayList<>();
        for (Map.Entry<String, CommandLine> command :
                DownbeatMain.commandLine().getSubcommands().entrySet()) {
            for (OptionSpec option : command.getValue().getCommandSpec().options()) {
                if (option.completionCandidates() != null) {
                    option.completionCandidates().forEach(word -> {
                        if (!isAccepted(command.getKey(), option, word)) {
                            refused.add(option.longestName() + " " + word);
                        }
                    });
                }
            }
        }
        assertThat(refused).isEmpty();
    }

    /** As far as the word alone can tell: what does not go together is another matter. */
    private static boolean isAccepted(String command, OptionSpec option, String word) {
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), command);
        String said = option.longestName() + "=" + word;
        try {
            line.parseArgs(command, "http://127.0.0.1:1/", said);
            if (Objects.requireNonNull(line.getSubcommands().get(command)).getCommand()
                    instanceof Repeatable<?> repeatable) {
                repeatable.value();
            }
            return true;
        } catch (ParameterException | TypeConversionException refused) {
            String why = String.valueOf(refused.getMessage());
            return !why.contains("'" + word + "'") && !why.contains("\"" + word + "\"");
        }
    }

    @Test
    void what_stands_behind_the_file_of_a_rerun_is_for_the_command() {
        for (String words : List.of("--json -d 1s", "-- --json -d 1s", "--json -- -d 1s", "--json --allow-env -d 1s")) {
            CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), "rerun");
            line.parseArgs(("rerun a.downbeat " + words).split(" "));
            RerunCommand rerun = (RerunCommand)
                    Objects.requireNonNull(line.getSubcommands().get("rerun")).getCommand();
            assertThat(rerun.words("run")).containsExactly("run", "--json", "-d", "1s");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "run http://           | no host",
                "report a.json         | a.json: JSON does not contain histograms: use the run's .downbeat or .html",
                "run http://h/ -d 0s   | above zero, but was 0s",
                "run http://h/ -n 0    | a whole number of at least 1, but was '0'"
            })
    void a_refusal_speaks_the_users_words_and_not_those_of_java(String words, String said) {
        Shell shell = Shell.call(words.split(" "));
        assertThat(shell.firstErrorLine()).contains(said).doesNotContain("PT0S").doesNotContain("authority");
        assertThat(shell.exitCode()).isEqualTo(2);
    }
}
