package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.testing.NotShown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that shares one core with four busy loops measures itself, whether or not the service stalls, and must say so.
 * See also {@code jmh-benchmarks/scripts/judgement.py starved}.
 */
@Isolated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StarvedClientTest {
    private static final int NEIGHBOURS = 4;
    private static final Path TASKSET = Path.of("/usr/bin/taskset");

    @ParameterizedTest(name = "the service stalls for {0} ms")
    @ValueSource(longs = 2_000)
    void a_starved_client_is_never_called_sound(long stallMillis) throws Exception {
        if (!Files.isExecutable(TASKSET) || Runtime.getRuntime().availableProcessors() < 2) {
            throw NotShown.because("no taskset or one core only", "that a starved client says so");
        }
        List<Process> neighbours = new ArrayList<>();
        try (LoopbackProcess server = LoopbackProcess.start()) {
            for (int i = 0; i < NEIGHBOURS; i++) {
                neighbours.add(onCoreZero("sh", "-c", "while :; do :; done"));
            }
            List<String> command = new ArrayList<>(List.of(TASKSET.toString(), "-c", "0"));
            command.addAll(
                    Cli.command("run", server.uri().toString(), "-R", "2500", "-c", "32", "-d", "6s", "--json", "-q"));
            try (Cli client = Cli.startCommand(command, Checkout.root())) {
                if (stallMillis > 0) {
                    Thread.sleep(4_000); // the starved client takes seconds to start
                    server.freeze();
                    Thread.sleep(stallMillis);
                    server.resume();
                }
                Cli.Ending ending = client.end(Duration.ofMinutes(2));
                String measurement = ending.json().at("verdict.measurement").text();
                assertThat(measurement).isNotEqualTo("sound");
                assertThat(ending.code()).isZero(); // no objective was requested
            }
        } finally {
            neighbours.forEach(Process::destroyForcibly);
        }
    }

    private static Process onCoreZero(String... command) throws IOException {
        List<String> pinned = new ArrayList<>(List.of(TASKSET.toString(), "-c", "0"));
        pinned.addAll(List.of(command));
        return new ProcessBuilder(pinned).start();
    }
}
