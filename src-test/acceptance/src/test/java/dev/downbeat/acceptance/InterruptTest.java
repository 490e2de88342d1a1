package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.testing.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An interrupted run reports at once what it has measured so far. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InterruptTest {
    private static final Duration PROMISED = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private Cli start(LoopbackProcess server) {
        return Cli.start(("run " + server.uri() + " -R 200 -d 20s -q -o " + folder.resolve("a.json") + " -o "
                        + folder.resolve("a.hlog"))
                .split(" "));
    }

    @ParameterizedTest(name = "SIG{0} gives {1}, service frozen: {2}")
    @CsvSource({"INT, 130, false", "HUP, 129, true", "TERM, 143, false"})
    void the_first_signal_gives_a_full_partial_report_within_a_second(String signal, int code, boolean isFrozen)
            throws Exception {
        try (LoopbackProcess server = LoopbackProcess.start();
                Cli cli = start(server)) {
            long startedAt = Service.firstRequestAt(server);
            FrozenRun.waitUntil(startedAt + Duration.ofMillis(2_500).toNanos());
            if (isFrozen) {
                server.freeze();
            }
            FrozenRun.waitUntil(startedAt + Duration.ofSeconds(3).toNanos());
            long signalledAt = System.nanoTime();
            cli.signal(signal);
            Cli.Ending ending = cli.end(Duration.ofSeconds(20));
            long tookNanos = System.nanoTime() - signalledAt;

            assertThat(ending.code()).isEqualTo(code);
            assertThat(ending.out().lines().findFirst().orElse(""))
                    .matches("INTERRUPTED after [0-9.]+ s of 20 s: partial");
            assertThat(ending.out()).contains(" requests, ");
            assertThat(ending.hasStackTrace()).isFalse();
            assertThat(Duration.ofNanos(tookNanos)).isLessThan(PROMISED);
            assertFilesAreWhole(isFrozen);
        }
    }

    private void assertFilesAreWhole(boolean isFrozen) throws IOException {
        ParsedJson json = ParsedJson.parse(Files.readString(folder.resolve("a.json")));
        assertThat(json.at("complete").truth()).isFalse();
        assertThat(json.at("ledger.adds_up").truth()).isTrue();
        // About 600 of the 4,000 requests were due; the others must not count as never sent.
        assertThat(json.at("ledger.planned").whole()).isBetween(300L, 1_500L);
        if (isFrozen) {
            assertThat(json.at("ledger.in_flight").whole()).isPositive();
        } else {
            assertThat(json.at("ledger.failed").whole()).isZero();
        }
        long logged = 0;
        try (HistogramLogReader reader =
                new HistogramLogReader(folder.resolve("a.hlog").toFile())) {
            for (EncodableHistogram next = reader.nextIntervalHistogram();
                    next != null;
                    next = reader.nextIntervalHistogram()) {
                logged += next.getTag() == null ? ((Histogram) next).getTotalCount() : 0;
            }
        }
        assertThat(logged).isEqualTo(json.at("ledger.answered").whole());
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).toList())
                    .containsExactlyInAnyOrder("a.json", "a.hlog");
        }
    }

    @Test
    void a_second_signal_ends_the_process_at_once() throws Exception {
        try (LoopbackProcess server = LoopbackProcess.start();
                Cli cli = start(server)) {
            FrozenRun.waitUntil(
                    Service.firstRequestAt(server) + Duration.ofSeconds(1).toNanos());
            // With requests in flight, the run waits a few tenths of a second for them after the first signal.
            server.freeze();
            FrozenRun.waitUntil(System.nanoTime() + Duration.ofMillis(200).toNanos());
            cli.signal("INT");
            FrozenRun.waitUntil(System.nanoTime() + Duration.ofMillis(50).toNanos());
            assertThat(cli.isRunning()).isTrue();
            cli.signal("INT");
            Cli.Ending ending = cli.end(Duration.ofSeconds(20));
            assertThat(ending.code()).isEqualTo(130);
            assertThat(ending.out()).isEmpty();
            try (var files = Files.list(folder)) {
                assertThat(files.toList()).isEmpty();
            }
        }
    }
}
