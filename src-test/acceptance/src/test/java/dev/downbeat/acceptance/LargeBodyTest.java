package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All connections send one shared copy of the body: 64 copies of 1 MB would not fit into the heap. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LargeBodyTest {
    private static final int BODY_BYTES = 1_000_000;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "encrypted: {0}")
    @ValueSource(booleans = {false, true})
    void many_connections_share_one_copy_of_a_large_body(boolean encrypted) throws Exception {
        Path body = Files.write(folder.resolve("body"), new byte[BODY_BYTES]);
        LoopbackOptions options = LoopbackOptions.of(draft -> draft.tls = encrypted);
        try (LoopbackServer server = LoopbackServer.start(options)) {
            List<String> command = List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-Xmx50m",
                    "-jar",
                    Checkout.jar().toString(),
                    "run",
                    server.uri(),
                    "-X",
                    "POST",
                    "--data=@" + body,
                    "--closed=64",
                    "-n",
                    "64",
                    "-d",
                    "100s",
                    "--timeout=100s",
                    encrypted ? "--insecure" : "--tcp-keepalive",
                    "--accept-unsound",
                    "--json",
                    "-q");
            try (Cli cli = Cli.startCommand(command, folder)) {
                Cli.Ending ending = cli.end(Duration.ofMinutes(2));
                assertThat(ending.err()).isEmpty();
                assertThat(ending.code()).as(ending.out()).isZero();
                assertThat(ending.json().at("ledger.answered").whole()).isEqualTo(64);
            }
        }
    }
}
