package dev.downbeat.http;

import static dev.downbeat.http.Http2TargetTest.http2;
import static dev.downbeat.http.TwoHundredRequests.run;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.h2.Frames;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.two.H2ReceiverFuzzTest;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a bare socket answers is no HTTP/2, or hardly: the loopback server would not send it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class GarbledHttp2Test {
    private static final int MUTATED_CONNECTIONS = 500;

    @Test
    void a_server_of_HTTP_1_1_is_named_as_such() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket accepted = socket.accept()) {
                    accepted.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
                    drain(accepted.getInputStream());
                } catch (IOException gone) {
                    // The client has seen enough.
                }
            });
            server.start();
            HttpTarget target = new HttpTarget(
                    HttpRequest.get("http://127.0.0.1:" + socket.getLocalPort() + "/"), HttpOptions.of(http2(1, 10)));
            assertThatThrownBy(() -> target.open(0, 1, NanoClock.system(), exchange -> {}))
                    .hasMessageContaining("not HTTP/2: HTTP/1.1 was answered");
            server.join();
        }
    }

    private static void drain(InputStream in) throws IOException {
        byte[] bytes = new byte[8192];
        while (in.read(bytes) >= 0) {
            // Nobody reads it.
        }
    }

    /** Twenty frames for each connection; {@link H2ReceiverFuzzTest} has many more. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 1)
    void corrupt_frames_end_connections_and_never_the_run(long seed) throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> garble(socket, new SplittableRandom(seed)));
            server.setDaemon(true);
            server.start();
            RunPlan plan = RunPlan.builder(new Workload.Closed(4, ThinkTime.none()))
                    .maxRequests(MUTATED_CONNECTIONS)
                    .timeout(Duration.ofMillis(100))
                    .build();
            RunResult result = run(
                    plan,
                    "http://127.0.0.1:" + socket.getLocalPort() + "/",
                    HttpOptions.of(http2(1, 4).andThen(draft -> draft.cold = true)));
            assertThat(result.ledger().planned()).isEqualTo(MUTATED_CONNECTIONS);
            assertThat(result.ledger().failed()).isPositive();
        }
    }

    /** Answers the first streams of each connection with frames of which some bytes are wrong, and closes it. */
    private static void garble(ServerSocket socket, SplittableRandom random) {
        while (true) {
            try (Socket accepted = socket.accept()) {
                accepted.setTcpNoDelay(true);
                accepted.setSoTimeout(50);
                InputStream in = accepted.getInputStream();
                Frames frames = new Frames();
                frames.settings(Frames.MAX_CONCURRENT_STREAMS, 4);
                accepted.getOutputStream().write(frames.array(), 0, frames.length());
                in.readNBytes(Frames.PREFACE.length());
                in.read(new byte[4096]);
                frames.clear();
                for (int left = 20; left > 0; left--) {
                    int stream = 1 + 2 * random.nextInt(4);
                    switch (random.nextInt(6)) {
                        case 0 -> frames.windowUpdate(stream, 1);
                        case 1 -> frames.ping(left);
                        case 2 -> {
                            frames.head(4, Frames.DATA, random.nextInt(2), stream);
                            frames.append(new byte[4]);
                        }
                        case 3 -> frames.settings(Frames.INITIAL_WINDOW_SIZE, random.nextInt(100_000));
                        default -> {
                            int at = frames.beginHeaders();
                            frames.one(0x88);
                            frames.endHeaders(at, stream, random.nextBoolean());
                        }
                    }
                }
                for (int left = random.nextInt(3); left > 0; left--) {
                    frames.array()[random.nextInt(frames.length())] = (byte) random.nextInt();
                }
                accepted.getOutputStream().write(frames.array(), 0, frames.length());
            } catch (IOException ended) {
                if (socket.isClosed()) {
                    return;
                }
            }
        }
    }
}
