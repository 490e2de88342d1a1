package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS is by BoringSSL if it loads, else or on request by the JDK; the report names the engine. */
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
    void BoringSSL_encrypts_where_it_loads_and_the_report_says_so() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.tls = true))) {
            Cli.Ending ending =
                    run("", server.uri(), "--insecure", "--closed=4", "-n", "100", "--accept-unsound", "--json", "-q");
            assertThat(ending.err()).isEmpty();
            assertThat(ending.json().at("ledger.answered").whole()).isEqualTo(100);
            assertThat(ending.json().at("plan.tls_engine").text()).isEqualTo("boringssl");
        }
    }

    @Test
    void a_missing_engine_is_refused_if_requested_and_auto_uses_the_JDK() throws Exception {
        Cli.Ending refused = run("none.jar", "https://127.0.0.1:1/", "--tls-engine", "boringssl");
        assertThat(refused.errLines().get(0))
                .isEqualTo("downbeat run: --tls-engine boringssl needs downbeat-boringssl.jar, which is not next to"
                        + " downbeat.jar");
        assertThat(refused.code()).isEqualTo(2);
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.tls = true))) {
            Cli.Ending fallback = run("none.jar", server.uri(), "-k", "-n", "1", "--accept-unsound", "--json");
            assertThat(fallback.json().at("plan.tls_engine").text()).isEqualTo("jdk");
            assertThat(fallback.json().at("plan.tls_engine_because").text()).contains("downbeat-boringssl.jar");
            assertThat(fallback.err()).contains("--tls-engine jdk"); // these tests run without C2, so the JDK is slow
        }
    }
}
