package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who encrypts is the user's choice, and the report says who did. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NativeTlsTest {
    private static final Duration BOUND = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private Cli.Ending run(String jar, String... words) throws Exception {
        List<String> command = new ArrayList<>(Cli.command("run"));
        if (!jar.isEmpty()) {
            command.add(1, "-Ddownbeat.boringssl=" + jar);
        }
        command.addAll(List.of(words));
        try (Cli cli = Cli.startCommand(command, folder)) {
            return cli.end(BOUND);
        }
    }

    @Test
    void requests_go_over_the_engine_that_was_asked_for() throws Exception {
        try (LoopbackProcess server =
                LoopbackProcess.start(LoopbackOptions.builder().tls(true).build())) {
            Cli.Ending ending = run(
                    "",
                    server.uri(),
                    "--insecure",
                    "--tls-engine=boringssl",
                    "--closed=4",
                    "-n",
                    "100",
                    "--accept-unsound",
                    "--json",
                    "-q");
            assertThat(ending.err()).isEmpty();
            assertThat(ending.json().at("ledger.answered").whole()).isEqualTo(100);
            assertThat(ending.json().at("plan.tls_engine").text()).isEqualTo("boringssl");
        }
    }

    @Test
    void an_engine_that_is_not_there_is_refused_and_auto_does_without() throws Exception {
        Cli.Ending refused = run("none.jar", "https://127.0.0.1:1/", "--tls-engine", "boringssl");
        assertThat(refused.errLines().get(0))
                .isEqualTo(
                        "downbeat run: --tls-engine boringssl needs downbeat-boringssl.jar beside downbeat.jar, and it is"
                                + " not there");
        assertThat(refused.code()).isEqualTo(2);
        Cli.Ending without = run("none.jar", "https://127.0.0.1:1/", "--tls-engine", "auto", "-n", "1", "-q");
        assertThat(without.err()).contains("connection refused");
    }
}
