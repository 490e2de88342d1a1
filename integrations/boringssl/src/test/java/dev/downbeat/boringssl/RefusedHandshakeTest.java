package dev.downbeat.boringssl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Why there is no connection, in the same words with both implementations of TLS. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class RefusedHandshakeTest {
    private static final String PASSWORD = "password";

    @TempDir
    static Path folder;

    private static X509Certificate ca;

    /** A server whose certificate, by the CA, has expired. */
    private static SSLContext expired;

    /**
     * Accepts connections until the test is over. What the client sent after the server's refusal is read: a close before
     * that is a reset, and may overtake the reason.
     */
    private static void serve(ServerSocket server, SSLContext context, Consumer<SSLSocket> how) {
        Thread serving = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket plain = server.accept()) {
                    SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(plain, null, false);
                    secured.setUseClientMode(false);
                    how.accept(secured);
                    try {
                        secured.getInputStream().read();
                    } catch (IOException refused) {
                        plain.getInputStream().readAllBytes();
                    }
                } catch (IOException over) {
                    // the client or the test has ended
                }
            }
        });
        serving.setDaemon(true);
        serving.start();
    }

    private static String refusal(
            SSLContext context, X509Certificate trusted, Consumer<SSLSocket> how, String engine, String version)
            throws IOException {
        return refusal(context, trusted, how, engine, version, HttpOptions.HttpVersion.HTTP_1_1);
    }

    private static String refusal(
            SSLContext context,
            X509Certificate trusted,
            Consumer<SSLSocket> how,
            String engine,
            String version,
            HttpOptions.HttpVersion http)
            throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            serve(server, context, how);
            HttpOptions options = HttpOptions.of(draft -> {
                draft.connections = 1;
                draft.http = http;
                draft.tls.trust(trusted);
                draft.sendsAgain = false;
                draft.tls.protocols = List.of(version);
                if (engine.equals("boringssl")) {
                    draft.tls.provider = new BoringSsl();
                }
            });
            RunPlan one = RunPlan.builder(new Workload.Closed(1, ThinkTime.none()))
                    .maxRequests(1)
                    .build();
            HttpTarget target =
                    new HttpTarget(HttpRequest.get("https://127.0.0.1:" + server.getLocalPort() + "/"), options);
            // TLS 1.3 opens the connection before the server has seen the client's certificate
            return String.join(
                    "",
                    new LoadRun(one, target)
                            .run(Progress.none())
                            .recording()
                            .failures()
                            .keySet());
        } catch (IOException nothing) {
            return String.valueOf(nothing.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({"boringssl,TLSv1.2", "boringssl,TLSv1.3", "jdk,TLSv1.2", "jdk,TLSv1.3"})
    void a_client_certificate_is_wanted(String engine, String version) throws Exception {
        SelfSignedCertificate own = SelfSignedCertificate.of(CertificateKey.EC);
        assertThat(refusal(own.context(), own.certificate(), server -> server.setNeedClientAuth(true), engine, version))
                .as("in TLS 1.2 a newer JDK's server only says that it refuses the handshake")
                .containsPattern("TLS: the server .*wants? a client certificate.* \\(--client-cert;");
    }

    @ParameterizedTest
    @CsvSource({"boringssl,TLSv1.2", "boringssl,TLSv1.3", "jdk,TLSv1.2", "jdk,TLSv1.3"})
    void no_version_is_common(String engine, String version) throws Exception {
        SelfSignedCertificate own = SelfSignedCertificate.of(CertificateKey.EC);
        String[] other = {version.equals("TLSv1.2") ? "TLSv1.3" : "TLSv1.2"};
        assertThat(refusal(
                        own.context(), own.certificate(), server -> server.setEnabledProtocols(other), engine, version))
                .contains("TLS: the server and this client share no TLS version");
    }

    /** nginx refuses the offer with an alert; OpenSSL's own server ignores it. */
    @ParameterizedTest
    @CsvSource({"boringssl,http/1.1", "boringssl,", "jdk,http/1.1", "jdk,"})
    void HTTP_2_is_not_spoken(String engine, @Nullable String spoken) throws Exception {
        SelfSignedCertificate own = SelfSignedCertificate.of(CertificateKey.EC);
        Consumer<SSLSocket> how = server -> {
            SSLParameters parameters = server.getSSLParameters();
            parameters.setApplicationProtocols(spoken == null ? new String[0] : new String[] {spoken});
            server.setSSLParameters(parameters);
        };
        assertThat(refusal(own.context(), own.certificate(), how, engine, "TLSv1.3", HttpOptions.HttpVersion.HTTP_2))
                .endsWith(
                        "TLS: the server did not negotiate HTTP/2 (ALPN): use HTTP/1.1 (API: without http2), or let it choose (--http auto)");
        assertThat(refusal(own.context(), own.certificate(), how, engine, "TLSv1.3", HttpOptions.HttpVersion.AUTO))
                .as("falls back to HTTP/1.1, which this server does not answer either")
                .isNotEmpty()
                .doesNotContain("TLS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void the_certificate_has_expired(String engine) throws Exception {
        assertThat(refusal(expired, ca, server -> {}, engine, "TLSv1.3"))
                .containsPattern("TLS: the server's certificate expired on 2020-0[12]-[0-9]{2} ");
    }

    /** The JDK checks no dates of a certificate that is trusted itself, only of one below it. */
    @BeforeAll
    static void issue() throws Exception {
        keytool("-genkeypair -alias ca -keyalg EC -groupname secp256r1 -dname CN=ca -ext bc:c");
        keytool(
                "-genkeypair -alias server -keyalg EC -groupname secp256r1 -dname CN=localhost -signer ca -ext san=ip:127.0.0.1"
                        + " -startdate 2020/01/01 -validity 31");
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("keys.p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        ca = (X509Certificate) store.getCertificate("ca");
        store.deleteEntry("ca");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        expired = SSLContext.getInstance("TLS");
        expired.init(keys.getKeyManagers(), null, null);
    }

    private static void keytool(String words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:+UseSerialGC",
                "-J-XX:TieredStopAtLevel=1"));
        command.addAll(Arrays.asList(words.split(" ")));
        command.addAll(List.of("-noprompt", "-keystore", "keys.p12", "-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
