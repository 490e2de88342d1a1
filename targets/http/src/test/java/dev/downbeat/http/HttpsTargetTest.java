package dev.downbeat.http;

import static dev.downbeat.http.TwoHundredRequests.allAnswered;
import static dev.downbeat.http.TwoHundredRequests.plan;
import static dev.downbeat.http.TwoHundredRequests.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
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
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real requests over TLS, the handshake and what may go wrong with it included. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(180)
class HttpsTargetTest {
    /** Packets in pieces are long, and ciphers slow without the second compiler. */
    private static final int IN_PIECES = 32;

    private static Consumer<HttpOptions.Draft> few() {
        return draft -> draft.connections = 4;
    }

    @ParameterizedTest
    @EnumSource(CertificateKey.class)
    void tls_is_spoken_and_its_handshake_timed(CertificateKey key) throws IOException {
        LoopbackOptions options = LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.certificateKey = key;
            draft.closeAfter = 20;
            draft.closeNotice = true;
        });
        try (LoopbackServer server = LoopbackServer.start(options)) {
            HttpOptions trusting = HttpOptions.of(
                    few().andThen(draft -> draft.tls.trust(server.certificate().orElseThrow())));
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
        LoopbackOptions options = LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.bodyBytes = responseBytes;
        });
        try (LoopbackServer server = LoopbackServer.start(options)) {
            Consumer<HttpOptions.Draft> trusting = draft -> {
                draft.connections = 16;
                draft.tls.trust(server.certificate().orElseThrow());
                draft.tls.protocols = List.of(version);
            };
            HttpRequest request = HttpRequest.of(
                    requestBytes == 0 ? "GET" : "POST",
                    HttpRequest.get(server.uri()).endpoint(),
                    List.of(),
                    new byte[requestBytes]);
            RunPlan plan = RunPlan.builder(new Workload.Closed(16, ThinkTime.none()))
                    .maxRequests(IN_PIECES)
                    .timeout(Duration.ofMinutes(2))
                    .build();
            RunResult result =
                    new LoadRun(plan, new HttpTarget(request, HttpOptions.of(trusting))).run(Progress.none());
            assertThat(result.ledger()).isEqualTo(new Ledger(IN_PIECES, IN_PIECES, 0, 0, 0, 0, 0));
            assertThat(result.connections().opened()).isEqualTo(16);
        }
    }

    @Test
    void an_untrusted_certificate_is_refused_unless_checks_are_off() throws IOException {
        LoopbackOptions options = LoopbackOptions.of(draft -> draft.tls = true);
        try (LoopbackServer server = LoopbackServer.start(options)) {
            assertThatThrownBy(() -> run(plan().build(), server.uri(), HttpOptions.of(few())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("certificate is not trusted");
            RunResult result =
                    run(plan().build(), server.uri(), HttpOptions.of(few().andThen(draft -> draft.tls.verify = false)));
            assertThat(result.ledger()).isEqualTo(allAnswered());
        }
    }

    @Test
    void tls_to_a_plain_port_is_one_clear_line() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String url = server.uri().replace("http:", "https:");
            assertThatThrownBy(() -> run(plan().build(), url, HttpOptions.of(few())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port() + ": TLS: the server does not speak TLS");
        }
    }

    @Test
    void a_plain_request_to_a_port_of_tls_says_what_to_try() throws IOException {
        LoopbackOptions options = LoopbackOptions.of(draft -> draft.tls = true);
        try (LoopbackServer server = LoopbackServer.start(options)) {
            String url = server.uri().replace("https:", "http:");
            RunResult result = run(plan().build(), url, HttpOptions.of(few()));
            assertThat(result.recording().failures().keySet())
                    .anyMatch(reason -> reason.contains("the server speaks TLS (try https://)"));
        }
    }

    @Test
    @Timeout(40) // less than the connect timeout
    void a_stop_is_heard_while_a_server_keeps_us_waiting_for_its_handshake() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            LoadRun run = new LoadRun(
                    plan().build(),
                    new HttpTarget(
                            HttpRequest.get("https://127.0.0.1:" + silent.getLocalPort() + "/"),
                            HttpOptions.of(few().andThen(draft -> draft.connectTimeout = Duration.ofMinutes(1)))));
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

    /** Without a notice, it may have been cut short on the way. */
    @ParameterizedTest(name = "notice: {0}")
    @ValueSource(booleans = {true, false})
    void a_body_until_close_is_complete_only_with_a_notice(boolean notice) throws Exception {
        SSLSocketFactory secured =
                SelfSignedCertificate.of(CertificateKey.EC).context().getSocketFactory();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> {
                try (Socket plain = server.accept()) {
                    SSLSocket secure = (SSLSocket) secured.createSocket(plain, null, false);
                    secure.getInputStream().read(new byte[1000]);
                    secure.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nbody".getBytes(StandardCharsets.ISO_8859_1));
                    if (notice) {
                        secure.shutdownOutput(); // a notice, but no FIN
                    } else {
                        plain.shutdownOutput();
                    }
                    plain.getInputStream().readAllBytes(); // until the client closes
                } catch (IOException closed) {
                    // the client has gone
                }
            });
            serving.start();
            RunPlan one = plan().maxRequests(1).timeout(Duration.ofSeconds(5)).build();
            RunResult result = run(one, "https://127.0.0.1:" + server.getLocalPort() + "/", HttpOptions.of(draft -> {
                draft.connections = 1;
                draft.tls.verify = false;
            }));
            serving.join();
            assertThat(result.ledger().answered()).isEqualTo(notice ? 1 : 0);
            assertThat(result.recording().failures())
                    .isEqualTo(notice ? Map.of() : Map.of("closed in mid-response", 1L));
        }
    }

    /** As IIS and Apache do for a path that needs a certificate. */
    private static void answerAfterRenegotiation(SSLSocket secure) throws IOException {
        byte[] room = new byte[1000];
        if (secure.getInputStream().read(room) < 0) {
            return;
        }
        secure.addHandshakeCompletedListener(completed -> {
            try {
                secure.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException gone) {
                // the client has not waited
            }
        });
        secure.getSession().invalidate();
        secure.startHandshake();
        while (secure.getInputStream().read(room) >= 0) {
            // the handshake, and then the end
        }
    }

    @Test
    void a_server_may_negotiate_again_before_it_answers() throws Exception {
        SelfSignedCertificate made = SelfSignedCertificate.of(CertificateKey.EC);
        try (SSLServerSocket server = (SSLServerSocket)
                made.context().getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> {
                try (SSLSocket accepted = (SSLSocket) server.accept()) {
                    answerAfterRenegotiation(accepted);
                } catch (IOException refused) {
                    // the client has gone
                }
            });
            serving.start();
            Consumer<HttpOptions.Draft> options = draft -> {
                draft.connections = 1;
                draft.tls.trust(made.certificate());
                draft.tls.protocols = List.of("TLSv1.2");
            };
            RunPlan one = plan().maxRequests(1).timeout(Duration.ofSeconds(20)).build();
            RunResult result = run(one, "https://127.0.0.1:" + server.getLocalPort() + "/", HttpOptions.of(options));
            assertThat(result.ledger().answered()).isEqualTo(1);
            serving.join();
        }
    }

    private static SSLServerSocketFactory asking(KeyStore keys, char[] password) throws GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, password);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context.getServerSocketFactory();
    }

    @ParameterizedTest(name = "a client with a key: {0}")
    @ValueSource(booleans = {true, false})
    void a_server_that_asks_for_a_certificate_gets_that_of_the_client(boolean hasKey) throws Exception {
        char[] password = "password".toCharArray();
        SelfSignedCertificate made = SelfSignedCertificate.of(CertificateKey.EC);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("key", made.privateKey(), password, new Certificate[] {made.certificate()});
        keys.setCertificateEntry("trusted", made.certificate());
        try (SSLServerSocket server =
                (SSLServerSocket) asking(keys, password).createServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            server.setNeedClientAuth(true);
            Thread serving = new Thread(() -> {
                try (Socket accepted = server.accept()) {
                    if (accepted.getInputStream().read(new byte[1000]) > 0) {
                        accepted.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                                        .getBytes(StandardCharsets.ISO_8859_1));
                        accepted.getInputStream().read();
                    }
                } catch (IOException refused) {
                    // the client has no certificate
                }
            });
            serving.start();
            HttpOptions options = HttpOptions.of(draft -> {
                draft.connections = 1;
                draft.sendsAgain = false;
                draft.tls.trust(made.certificate());
                draft.tls.protocols = List.of("TLSv1.2"); // whose handshake ends with the server's verdict
                if (hasKey) {
                    draft.tls.clientKey(keys, password);
                }
            });
            RunPlan one = plan().maxRequests(1).timeout(Duration.ofSeconds(5)).build();
            String url = "https://127.0.0.1:" + server.getLocalPort() + "/";
            if (hasKey) {
                assertThat(run(one, url, options).ledger().answered()).isEqualTo(1);
            } else {
                assertThatThrownBy(() -> run(one, url, options)).isInstanceOf(IOException.class);
            }
            serving.join();
        }
        assertThatThrownBy(() -> HttpOptions.of(draft -> draft.tls.clientKey(keys, "wrong".toCharArray())))
                .hasMessageStartingWith("client key: ");
    }
}
