package dev.downbeat.loopback;

import static dev.downbeat.loopback.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.options.OptionWords;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** How long a server keeps its clients waiting, by the clock of the client. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoopbackDelaysTest {
    private static final long MS = 1_000_000;

    @Test
    void a_delay_lasts_at_least_its_configured_time() throws Exception {
        try (LoopbackServer server = start("--delay", "50ms");
                RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(nanosOf(() -> client.ask(GET))).isGreaterThanOrEqualTo(50 * MS);
            }
        }
    }

    @Test
    void a_stall_holds_back_what_is_due_in_it() throws Exception {
        try (LoopbackServer server = start("--stall", "200ms@0ms");
                RawClient first = new RawClient(server.port());
                RawClient second = new RawClient(server.port())) {
            long startAt = System.nanoTime();
            first.send(GET);
            second.send(GET);
            first.response();
            second.response();

            assertThat(System.nanoTime() - startAt).isGreaterThanOrEqualTo(200 * MS);
        }
    }

    @Test
    void more_requests_than_slots_wait_for_their_turn() throws Exception {
        try (LoopbackServer server = start("--concurrency", "2", "--delay", "30ms")) {
            assertThat(nanosOf(() -> askAtOnce(server, 6))).isGreaterThanOrEqualTo(3 * 30 * MS);
        }
    }

    private static boolean askAtOnce(LoopbackServer server, int clients) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            Callable<String> ask = () -> {
                try (RawClient client = new RawClient(server.port())) {
                    return client.ask(GET);
                }
            };
            for (Future<String> answer : threads.invokeAll(Collections.nCopies(clients, ask))) {
                assertThat(answer.get()).endsWith("ok");
            }
            return true;
        } finally {
            threads.shutdownNow();
        }
    }

    private static LoopbackServer start(String... words) throws IOException {
        return LoopbackServer.start(OptionWords.parse(List.of(words)));
    }

    private static long nanosOf(Callable<?> work) throws Exception {
        long startAt = System.nanoTime();
        work.call();
        return System.nanoTime() - startAt;
    }
}
