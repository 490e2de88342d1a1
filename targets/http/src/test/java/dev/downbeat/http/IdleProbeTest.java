package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.IdleResult.Ending;
import dev.downbeat.exchange.IdleResult.Probe;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.testing.EndToEnd;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each end that an idle connection can have, made by a server of one connection. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class IdleProbeTest {
    /** What the server does when a connection has been idle for {@code LIMIT_MILLIS}. */
    private enum Conduct {
        STAYS,
        CLOSES,
        RESETS,
        RESETS_WHEN_USED,
        SAYS_NOTHING,
        CLOSES_AT_ONCE
    }

    private static final int LIMIT_MILLIS = 300;
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(2_000);

    /** Serves one connection, and ends. */
    private static void serve(ServerSocket listener, Conduct conduct) {
        try (Socket socket = listener.accept()) {
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8_192];
            boolean hasDropped = false;
            while (in.read(buffer) > 0) {
                if (hasDropped && conduct == Conduct.SAYS_NOTHING) {
                    continue;
                }
                if (hasDropped && conduct == Conduct.RESETS_WHEN_USED) {
                    socket.setSoLinger(true, 0);
                    return;
                }
                String end = conduct == Conduct.CLOSES_AT_ONCE ? "Connection: close\r\n" : "";
                socket.getOutputStream()
                        .write(("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + end + "\r\nok")
                                .getBytes(StandardCharsets.US_ASCII));
                switch (conduct) {
                    case CLOSES, RESETS -> {
                        TimeUnit.MILLISECONDS.sleep(LIMIT_MILLIS);
                        if (conduct == Conduct.RESETS) {
                            socket.setSoLinger(true, 0);
                        }
                        return;
                    }
                    case SAYS_NOTHING, RESETS_WHEN_USED -> hasDropped = true;
                    case STAYS, CLOSES_AT_ONCE -> {}
                }
            }
        } catch (IOException gone) {
            // The probe has ended.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Probe probe(Conduct conduct, long idleNanos) throws IOException {
        return probe(conduct, idleNanos, () -> false).orElseThrow();
    }

    private static Optional<Probe> probe(Conduct conduct, long idleNanos, BooleanSupplier stopped) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> serve(listener, conduct), "idle-probe-server");
            server.setDaemon(true);
            server.start();
            HttpOptions options = HttpOptions.of(draft -> {
                draft.connections = 1;
                draft.cold = true;
                draft.sendsAgain = false;
                draft.pacing = Pacing.BLOCK;
            });
            HttpTarget target =
                    new HttpTarget(HttpRequest.get("http://127.0.0.1:" + listener.getLocalPort() + "/"), options);
            // only who never hears anything waits so long; the first answer of a busy machine takes its time
            long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(conduct == Conduct.SAYS_NOTHING ? 1_500 : 20_000);
            return new IdleProbe(idleNanos, false, timeoutNanos, NanoClock.system(), stopped).run(target);
        }
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "STAYS, KEPT",
        "CLOSES, CLOSED",
        "RESETS, BROKEN",
        "RESETS_WHEN_USED, BROKEN_ON_USE",
        "SAYS_NOTHING, SILENT",
        "CLOSES_AT_ONCE, NOT_KEPT"
    })
    void an_end_is_reported_under_its_name(Conduct conduct, Ending ending) throws IOException {
        boolean ends = conduct == Conduct.CLOSES || conduct == Conduct.RESETS; // while idle, so it must be awaited
        long begunAt = System.nanoTime();
        long idleNanos = ends ? LONG_NANOS : LONG_NANOS / 20;
        Probe seen = probe(conduct, idleNanos);
        assertThat(seen.ending()).as("%s", seen).isEqualTo(ending);
        assertThat(seen.openNanos()).isPositive().isLessThan(seen.firstNanos());
        assertThat(seen.secondNanos() > 0).isEqualTo(ending == Ending.KEPT);
        if (!ends && ending != Ending.NOT_KEPT) {
            assertThat(seen.endedNanos()).isBetween(idleNanos, System.nanoTime() - begunAt);
        }
    }

    @Test
    void an_end_that_comes_is_seen_when_it_comes() throws IOException {
        assertThat(probe(Conduct.CLOSES, LONG_NANOS).endedNanos())
                .isBetween(TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS) * 9 / 10, LONG_NANOS - 1);
    }

    @Test
    void a_connection_is_kept_for_less_than_its_server_keeps_it() throws IOException {
        assertThat(probe(Conduct.SAYS_NOTHING, LONG_NANOS).ending()).isEqualTo(Ending.SILENT);
        assertThat(probe(Conduct.STAYS, 1_000_000).ending()).isEqualTo(Ending.KEPT);
    }

    @Test
    void a_stop_ends_the_pause_without_an_answer() throws IOException {
        assertThat(probe(Conduct.STAYS, TimeUnit.HOURS.toNanos(1), () -> true)).isEmpty();
    }

    @Test
    void a_connection_that_is_refused_is_not_kept_and_the_reason_is_told() throws IOException {
        HttpTarget nobody = new HttpTarget(HttpRequest.get("http://127.0.0.1:1/"), HttpOptions.of(draft -> {
            draft.connections = 1;
            draft.cold = true;
        }));
        assertThat(new IdleProbe(1, false, 1_000_000_000, NanoClock.system(), () -> true)
                        .run(nobody)
                        .orElseThrow()
                        .reason())
                .isEqualTo("connection refused");
    }
}
