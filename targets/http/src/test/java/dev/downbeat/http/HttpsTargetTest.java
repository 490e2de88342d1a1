package dev.downbeat.http;

import static dev.downbeat.http.TwoHundredRequests.allAnswered;
import static dev.downbeat.http.TwoHundredRequests.plan;
import static dev.downbeat.http.TwoHundredRequests.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Real requests over TLS, the handshake and what may go wrong with it included. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class HttpsTargetTest {
    /** Packets in pieces are long, and ciphers slow without the second compiler. */
    private static final int IN_PIECES = 32;

    private static HttpOptions.Builder few() {
        return HttpOptions.builder().connections(4);
    }

    @ParameterizedTest
    @EnumSource(CertificateKey.class)
    void tls_is_spoken_and_its_handshake_timed(CertificateKey key) throws IOException {
        LoopbackOptions options = LoopbackOptions.builder()
                .tls(true)
                .certificateKey(key)
                .closeAfter(20)
                .closeNotice(true)
                .build();
        try (LoopbackServer server = LoopbackServer.start(options)) {
            HttpOptions trusting =
                    few().trust(server.certificate().orElseThrow()).build();
            RunResult result = run(plan().build(), server.uri(), trusting);

            assertThat(result.ledger()).isEqualTo(allAnswered());
            assertThat(result.recording().waits().handshake().count())
                    .isEqualTo(result.recording().waits().connect().count())
                    .isEqualTo(result.connections().opened() - 4);
            assertThat(result.recording().waits().handshake().minNanos()).isPositive();
        }
    }

    /** Connections of a lane share their buffers: a packet that came or left in pieces must stay its own connection's. */
    @ParameterizedTest(name = "{0} bytes there, {1} bytes back, {2}")
    @CsvSource({
        "0, 300, TLSv1.3",
        "0, 300, TLSv1.2",
        "0, 100000, TLSv1.3",
        "0, 1000000, TLSv1.2",
        "500000, 20, TLSv1.3",
        "300000, 300000, TLSv1.3"
    })
    void packets_in_pieces_stay_with_their_connection(int requestBytes, int responseBytes, String version)
            throws IOException {
        LoopbackOptions options =
                LoopbackOptions.builder().tls(true).bodyBytes(responseBytes).build();
        try (LoopbackServer server = LoopbackServer.start(options)) {
            HttpOptions.Builder trusting = HttpOptions.builder()
                    .connections(16)
                    .trust(server.certificate().orElseThrow());
            trusting.tls().protocols(List.of(version));
            HttpRequest request = HttpRequest.of(
                    requestBytes == 0 ? "GET" : "POST",
                    HttpRequest.get(server.uri()).endpoint(),
                    List.of(),
                    new byte[requestBytes]);
            RunPlan plan = RunPlan.builder(new Workload.Closed(16, ThinkTime.none()))
                    .maxRequests(IN_PIECES)
                    .timeout(Duration.ofMinutes(2))
                    .build();
            RunResult result = new LoadRun(plan, new HttpTarget(request, trusting.build())).run(Progress.none());
            assertThat(result.ledger()).isEqualTo(new Ledger(IN_PIECES, IN_PIECES, 0, 0, 0, 0, 0));
            assertThat(result.connections().opened()).isEqualTo(16);
        }
    }

    @Test
    void an_untrusted_certificate_is_refused_unless_checks_are_off() throws IOException {
        LoopbackOptions options = LoopbackOptions.builder().tls(true).build();
        try (LoopbackServer server = LoopbackServer.start(options)) {
            assertThatThrownBy(() -> run(plan().build(), server.uri(), few().build()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("certificate is not trusted");
            RunResult result =
                    run(plan().build(), server.uri(), few().verify(false).build());
            assertThat(result.ledger()).isEqualTo(allAnswered());
        }
    }

    @Test
    void tls_to_a_plain_port_is_one_clear_line() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String url = server.uri().replace("http:", "https:");
            assertThatThrownBy(() -> run(plan().build(), url, few().build()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port() + ": TLS: the server does not speak TLS");
        }
    }

    @Test
    void a_plain_request_to_a_port_of_tls_says_what_to_try() throws IOException {
        LoopbackOptions options = LoopbackOptions.builder().tls(true).build();
        try (LoopbackServer server = LoopbackServer.start(options)) {
            String url = server.uri().replace("https:", "http:");
            RunResult result = run(plan().build(), url, few().build());
            assertThat(result.recording().failures().keySet())
                    .anyMatch(reason -> reason.contains("the server speaks TLS (try https://)"));
        }
    }

    @Test
    @Timeout(8)
    void a_stop_is_heard_while_a_server_keeps_us_waiting_for_its_handshake() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            LoadRun run = new LoadRun(
                    plan().build(),
                    new HttpTarget(HttpRequest.get("https://127.0.0.1:" + silent.getLocalPort() + "/"), few().build()));
            Thread stopper = new Thread(() -> {
                try (Socket ours = silent.accept()) {
                    ours.getInputStream().read(); // the client's hello: it waits for ours now
                    run.stop();
                    ours.getInputStream().readAllBytes();
                } catch (IOException closed) {
                    // the client has gone, as it should
                }
            });
            stopper.start();
            assertThatThrownBy(() -> run.run(Progress.none()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("interrupted while connecting");
            stopper.join();
        }
    }
}
