package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.help.GroupedOptions;
import dev.downbeat.testing.Golden;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HelpTest {
    /** The golden files are what users read. */
    @ParameterizedTest
    @MethodSource("commands")
    void the_help_is_as_it_was_agreed(String command) throws IOException {
        CommandLine line = Objects.requireNonNull(
                DownbeatMain.commandLine().getSubcommands().get(command), command);
        line.getCommandSpec().usageMessage().autoWidth(false).width(80);
        String whole = GroupedOptions.whole(line, Ansi.OFF);
        Golden.check(HelpTest.class, "help-" + command + ".txt", whole);
        assertThat(DownbeatMain.WrittenHelp.of("help", command)).contains(whole);
        String shown = Shell.call(command, "--help").out();
        if (!shown.equals(whole)) {
            Golden.check(HelpTest.class, "help-" + command + "-short.txt", shown);
        }
        assertThat(DownbeatMain.WrittenHelp.of(command, "--help")).contains(shown);
        assertThat(DownbeatMain.WrittenHelp.of(command, "-h")).isPresent();
        assertThat(line.getCommandSpec().usageMessage().footer()).allMatch(text -> text.length() <= 80);
    }

    private static Set<String> commands() {
        return DownbeatMain.commandLine().getSubcommands().keySet();
    }

    @Test
    void only_help_texts_are_prepared() {
        assertThat(DownbeatMain.WrittenHelp.of()).isEmpty();
        assertThat(DownbeatMain.WrittenHelp.of("help"))
                .isEqualTo(DownbeatMain.WrittenHelp.of("--help"))
                .isPresent();
        assertThat(DownbeatMain.WrittenHelp.of("help", "--help"))
                .contains(Shell.call("help", "--help").out());
        for (String line : List.of(
                "run",
                "run -v",
                "run http://localhost:1/",
                "rum --help",
                "run-short --help",
                "help rum",
                "--help run")) {
            assertThat(DownbeatMain.WrittenHelp.of(line.split(" "))).as(line).isEmpty();
        }
    }

    @Test
    void forced_colours_are_in_the_help_too() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DownbeatMain.class.getName(),
                "--help");
        builder.environment().put("CLICOLOR_FORCE", "1");
        Process process = builder.redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("\033[");
    }

    @Test
    void the_first_help_is_short() throws IOException {
        Golden.check(HelpTest.class, "help.txt", Shell.call("--help").out());
        assertThat(Shell.call("run", "--help").out().lines()).hasSizeLessThan(50);
        assertThat(Shell.call("--help").out().lines()).hasSizeLessThan(49).allMatch(line -> line.length() <= 80);
    }

    @Test
    void all_of_it_is_there_in_two_ways() {
        assertThat(Shell.call("help", "run").out())
                .contains("--queue-is-mine")
                .endsWith(Shell.call("run", "--help-all").out());
        assertThat(Shell.call("help", "rum").exitCode()).isEqualTo(2);
        assertThat(Shell.call("help").out()).isEqualTo(Shell.call("--help").out());
    }

    @Test
    void fish_gets_a_script_too() {
        assertThat(Shell.call("completion", "fish").out().lines())
                .allMatch(line -> line.startsWith("complete -c downbeat "))
                .anyMatch(line -> line.contains("from run' -s h -l help -d"))
                .anyMatch(line -> line.contains("from run' -s R -l rate -r -f -d"))
                .anyMatch(line -> line.contains("from run' -s o -l output -r -d"));
    }

    @Test
    void without_a_command_there_is_a_hint() {
        Shell shell = Shell.call();
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err()).contains("downbeat run").contains("see 'downbeat --help'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --help", "-v run -R 5", "--color never run", "--color=never --verbose run x"})
    void only_the_command_that_is_named_is_prepared(String words) {
        assertThat(DownbeatMain.commandLine(new DownbeatMain(), words.split(" "))
                        .getSubcommands())
                .containsOnlyKeys("run");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "completion", "help run", "@words.txt", "--colour run", "rum"})
    void all_are_prepared_where_it_is_not_certain(String words) {
        assertThat(DownbeatMain.commandLine(new DownbeatMain(), words.split(" "))
                        .getSubcommands())
                .hasSize(21);
    }

    @Test
    void the_completion_is_a_script() {
        Shell shell = Shell.call("completion");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("complete -F").contains("--session-requests");
        assertThat(shell.out()).contains("'-h' '--help'").doesNotContain("${picocli");
    }

    @Test
    void an_unknown_shell_is_refused_like_other_choices() {
        assertThat(Shell.call("completion", "foo").firstErrorLine())
                .isEqualTo("downbeat completion: SHELL must be one of bash, zsh, fish, but was 'foo'");
    }

    @Test
    void the_version_is_one_line() {
        assertThat(Shell.call("--version").out().lines()).hasSize(1);
    }
}
