package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.DownbeatMain;
import dev.downbeat.cli.Shell;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServeCommandTest {
    private static LoopbackOptions options(String... args) {
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), "serve");
        line.parseArgs(Stream.concat(Stream.of("serve"), Stream.of(args)).toArray(String[]::new));
        return line.getSubcommands().get("serve").<ServeCommand>getCommand().options();
    }

    @Test
    void options_are_those_of_the_server() {
        LoopbackOptions options = options(
                "--port",
                "0",
                "--delay",
                "exp:2ms",
                "--concurrency",
                "4",
                "--stall",
                "1s@5s",
                "--stall",
                "every 10s for 200ms",
                "--close-after",
                "80",
                "--without-notice",
                "--misbehave",
                "slow-body",
                "--body",
                "16Ki",
                "--status",
                "503",
                "--tls");
        assertThat(options.port()).isZero();
        assertThat(options.delay()).isEqualTo(new ServiceLaw.Exponential(2_000_000));
        assertThat(options.concurrency()).isEqualTo(4);
        assertThat(options.stalls()).containsExactly(Stall.parse("1s@5s"), Stall.parse("every 10s for 200ms"));
        assertThat(options.closeAfter()).isEqualTo(80);
        assertThat(options.closeNotice()).isFalse();
        assertThat(options.misbehaviour()).isEqualTo(Misbehaviour.SLOW_BODY);
        assertThat(options.bodyBytes()).isEqualTo(16_384);
        assertThat(options.status()).isEqualTo(503);
        assertThat(options.tls()).isTrue();
    }

    @Test
    void the_default_port_is_8089_and_a_socket_has_none() {
        assertThat(options().port()).isEqualTo(8089);
        assertThat(options("--unix", "/tmp/x.sock").unixSocket()).contains(Path.of("/tmp/x.sock"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port 70000 | port must be from 0 to 65535",
                "--without-notice | add close-after or leave out --without-notice",
                "--unix /tmp/x --port 5 | leave out --unix or port",
                "--delay soon | a law of service times is like",
                "--cold soon | duration must look like",
                "--misbehave badly | misbehaviour must be one of",
                "--status 99 | status must be from 200",
            })
    void options_refused_by_the_server_are_usage_errors(String line, String why) {
        String[] words = ("serve " + line).split(" ");
        Shell shell = Shell.call(words);
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).startsWith("downbeat serve: ").contains(why);
    }
}
