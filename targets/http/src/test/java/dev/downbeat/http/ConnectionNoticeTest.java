package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over TLS a body that ends with the connection ends with a notice; without one it may have been cut short. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class ConnectionNoticeTest {
    private static SSLContext context(Path directory) throws Exception {
        Path file = directory.resolve("key.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "loopback")
                .redirectErrorStream(true)
                .start();
        assertThat(process.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, "loopback".toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, "loopback".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_body_until_close_is_complete_only_with_a_notice(boolean notice, @TempDir Path directory) throws Exception {
        SSLContext context = context(directory);
        List<Socket> kept = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> {
                try {
                    Socket plain = server.accept();
                    kept.add(plain);
                    SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(plain, null, false);
                    secure.getInputStream().read(new byte[1000]);
                    secure.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nbody".getBytes(StandardCharsets.ISO_8859_1));
                    if (notice) {
                        secure.shutdownOutput(); // a notice, but no FIN
                    } else {
                        plain.shutdownOutput();
                    }
                } catch (IOException closed) {
                    // the client has gone
                }
            });
            serving.start();
            RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(100))))
                    .maxRequests(1)
                    .timeout(Duration.ofSeconds(5))
                    .build();
            HttpOptions options =
                    HttpOptions.builder().connections(1).verify(false).build();
            RunResult result = new LoadRun(
                            plan,
                            new HttpTarget(
                                    HttpRequest.get("https://127.0.0.1:" + server.getLocalPort() + "/"), options))
                    .run(Progress.none());
            serving.join();
            assertThat(result.ledger().answered()).isEqualTo(notice ? 1 : 0);
            if (!notice) {
                assertThat(result.recording().failures()).containsOnlyKeys("closed in mid-response");
            }
        }
        for (Socket connection : kept) {
            connection.close();
        }
    }
}
