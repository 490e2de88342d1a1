package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.testing.Golden;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HelpTest {
    /** The golden files are what users read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "compare",
                "sweep",
                "sheet",
                "position",
                "session",
                "simulate",
                "serve",
                "prove",
                "plan",
                "merge",
                "report",
                "rerun"
            })
    void the_help_is_as_it_was_agreed(String command) throws IOException {
        CommandLine line =
                Objects.requireNonNull(Downbeat.commandLine().getSubcommands().get(command), command);
        line.getCommandSpec().usageMessage().autoWidth(false).width(80);
        Golden.check(HelpTest.class, "help-" + command + ".txt", line.getUsageMessage(Ansi.OFF));
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
        assertThat(Downbeat.commandLine(words.split(" ")).getSubcommands()).containsOnlyKeys("run");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "completion", "@words.txt", "--colour run", "rum"})
    void all_are_prepared_where_it_is_not_certain(String words) {
        assertThat(Downbeat.commandLine(words.split(" ")).getSubcommands()).hasSize(14);
    }

    @Test
    void the_completion_is_a_script() {
        Shell shell = Shell.call("completion");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("complete -F").contains("--session-requests");
    }

    @Test
    void the_version_is_one_line() {
        assertThat(Shell.call("--version").out().lines()).hasSize(1);
    }
}
