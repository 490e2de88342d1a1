package dev.downbeat.loopback;

import static dev.downbeat.loopback.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.OptionWords;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TlsTest {
    @ParameterizedTest
    @EnumSource(CertificateKey.class)
    void a_client_that_trusts_the_certificate_speaks_tls(CertificateKey key) throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.certificateKey = key;
        }))) {
            SSLContext trusting = trusting(server.certificate().orElseThrow());

            assertThat(server.uri()).isEqualTo("https://127.0.0.1:" + server.port() + "/");
            assertThat(server.certificate().orElseThrow().getPublicKey().getAlgorithm())
                    .isEqualTo(key.name());
            // The HTTP client checks the name in the certificate too.
            for (String host : new String[] {"127.0.0.1", "localhost"}) {
                HttpRequest request = HttpRequest.newBuilder(URI.create("https://" + host + ":" + server.port() + "/"))
                        .build();
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(trusting)
                        .build();
                assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("ok");
            }
            for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
                try (RawClient client = new RawClient(connect(trusting, server.port(), protocol))) {
                    assertThat(client.ask(GET)).endsWith("ok");
                    client.send("GET / HTTP/1.0\r\n\r\n");
                    assertThat(client.rest()).endsWith("ok");
                }
                try (RawClient client = new RawClient(connect(trusting, server.port(), protocol))) {
                    client.send(RawClient.get("misbehave=reset"));
                    assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
                }
            }
            try (RawClient plain = new RawClient(server.port())) {
                plain.send(GET);
                assertThat(plain.rest()).doesNotContain("HTTP/1.1 200");
            }
        }
    }

    @Test
    void new_instances_start_cold_for_http2_too() throws Exception {
        List<String> args = List.of("--tls", "--cold", "30ms");
        try (LoopbackServer server = LoopbackServer.start(OptionWords.parse(args))) {
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(trusting(server.certificate().orElseThrow()))
                    .build();
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri() + "?q=100%25"))
                    .build();
            HttpResponse<String> first = client.send(request, BodyHandlers.ofString());
            HttpResponse<String> second = client.send(request, BodyHandlers.ofString());

            assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(first.headers().firstValue("x-cold-start")).hasValue("true");
            assertThat(second.headers().firstValue("x-cold-start")).isEmpty();
        }
    }

    private static SSLSocket connect(SSLContext context, int port, String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setEnabledProtocols(new String[] {protocol});
        socket.startHandshake();
        assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
        return socket;
    }

    private static SSLContext trusting(X509Certificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("loopback", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
