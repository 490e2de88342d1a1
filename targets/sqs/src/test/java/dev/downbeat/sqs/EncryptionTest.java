package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.record.Part;
import dev.downbeat.run.RunResult;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS: what a new connection costs is split, and strangers are not trusted. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EncryptionTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    static Path folder;

    private static SSLContext context;
    private static X509Certificate certificate;

    @BeforeAll
    static void makeKey() throws Exception {
        Path file = folder.resolve("key.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder((keytool + " -genkeypair -alias a -keyalg EC -dname CN=localhost"
                                + " -ext san=ip:127.0.0.1,dns:localhost -storetype PKCS12 -validity 30 -storepass "
                                + PASSWORD + " -keystore " + file)
                        .split(" "))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        certificate = (X509Certificate) store.getCertificate("a");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
    }

    @ParameterizedTest(name = "{0}, encrypted: {1}")
    @CsvSource({"DOWNBEAT, true", "APACHE, true", "NETTY, true", "APACHE, false"})
    void a_connection_without_an_answer_was_opened_all_the_same(SqsTransport transport, boolean isEncrypted)
            throws IOException {
        try (FakeSqs server = (isEncrypted ? FakeSqs.encrypted(context) : FakeSqs.start())
                .delay(Duration.ofSeconds(20).toNanos())) {
            RunResult result = Runs.of(
                    server.queue(),
                    server.options(transport).andThen(draft -> {
                        draft.trusted = Optional.of(certificate);
                        draft.maxConnections = 4;
                    }),
                    Runs.plan(4, Duration.ofSeconds(1)).timeout(Duration.ofSeconds(3)));
            assertThat(result.ledger().timedOut()).isEqualTo(4);
            assertThat(result.connections().failed()).isZero();
            assertThat(result.connections().opened()).isEqualTo(4);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"DOWNBEAT", "APACHE", "NETTY"})
    void the_parts_of_a_new_connection_are_distinguished(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.encrypted(context).closeAfter(10)) {
            RunResult result = Runs.of(server.queue(), server.options(transport).andThen(draft -> {
                draft.trusted = Optional.of(certificate);
                draft.maxConnections = 1;
            }));
            assertThat(result.recording().failures()).isEmpty();
            assertThat(result.ledger().answered()).isEqualTo(100);
            assertThat(result.connections().opened()).isEqualTo(10);
            assertThat(result.connections().closedByServerWithNotice()).isEqualTo(10);
            // Netty's pool may begin a connection for one request and give it to a later one, which it cost nothing.
            long least = transport == SqsTransport.NETTY ? 1 : 10;
            // Our own engine looks up no address in numbers.
            assertThat(result.recording().waits().lookup().count())
                    .isBetween(transport == SqsTransport.DOWNBEAT ? 0 : least, 10L);
            assertThat(List.of(
                            result.recording().waits().connect().count(),
                            result.recording().waits().handshake().count()))
                    .allMatch(count -> count >= least && count <= 10);
            // A handshake is arithmetic, a connect on one machine is none.
            assertThat(result.recording().waits().handshake().valueAtPercentile(50))
                    .isGreaterThan(result.recording().waits().connect().valueAtPercentile(50));
            assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(10);
            Map<Part, Long> parts = result.recording().anatomy().attribution().meansNanos(0, Long.MAX_VALUE / 4);
            assertThat(parts.get(Part.HANDSHAKE)).isPositive();
            if (transport != SqsTransport.NETTY) {
                assertThat(result.connections().resumed()).isBetween(1L, 9L);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void an_unknown_certificate_is_not_trusted_unless_checks_are_off(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.encrypted(context)) {
            // CRT tries again until then, and says no more than that it took too long.
            Duration patience = Duration.ofSeconds(transport == SqsTransport.CRT ? 2 : 60);
            Consumer<SqsOptions.Draft> strict =
                    server.options(transport).andThen(draft -> draft.acquireTimeout = patience);
            assertThatThrownBy(() -> Runs.of(server.queue(), strict))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            transport == SqsTransport.CRT
                                    ? "CRT client: "
                                    : "client: TLS: the server's certificate is not trusted");
            RunResult result = Runs.of(server.queue(), server.options(transport).andThen(draft -> {
                draft.verifyServer = false;
                draft.maxConnections = 5;
            }));
            assertThat(result.ledger().answered()).isEqualTo(100);
        }
    }
}
