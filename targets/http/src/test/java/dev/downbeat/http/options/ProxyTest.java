package dev.downbeat.http.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions.Proxy;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy is given whole URLs, and makes a way through to what is encrypted. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class ProxyTest {
    private static final int REQUESTS = 30;

    private final Queue<String> heads = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ServerSocket listening;
    private volatile String tunnelStatus = "200 Connection established";

    ProxyTest() throws IOException {
        listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        threads.execute(() -> {
            while (!listening.isClosed()) {
                try {
                    Socket caller = listening.accept();
                    threads.execute(() -> serve(caller));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        listening.close();
        threads.shutdownNow();
    }

    /** A tunnel, or a redirect of all that comes to the first service that is asked for: enough of a proxy for a test. */
    private void serve(Socket caller) {
        try (caller) {
            String head = head(caller.getInputStream());
            boolean isTunnel = head.startsWith("CONNECT ");
            String[] first = head.split(" ", 3);
            URI service = URI.create(isTunnel ? "https://" + first[1] : first[1]);
            if (isTunnel) {
                heads.add(head);
                caller.getOutputStream()
                        .write(("HTTP/1.1 " + tunnelStatus + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                if (!tunnelStatus.startsWith("200")) {
                    return;
                }
            }
            try (Socket there = new Socket(service.getHost(), service.getPort())) {
                threads.execute(() -> pump(there, caller));
                if (isTunnel) {
                    pump(caller, there);
                    return;
                }
                for (String next = head; !next.isEmpty(); next = head(caller.getInputStream())) {
                    heads.add(next);
                    String path = next.replaceFirst("http://[^/]*", "");
                    there.getOutputStream().write(path.getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException closed) {
            // the caller has what it came for
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int one = in.read(); one >= 0; one = in.read()) {
            head.append((char) one);
            if (head.length() > 3 && head.indexOf("\r\n\r\n", head.length() - 4) >= 0) {
                return head.toString();
            }
        }
        return "";
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException closed) {
            // either side may be the first
        }
    }

    private RunResult run(String uri, Consumer<HttpOptions.Draft> options) throws IOException {
        HttpOptions built = HttpOptions.of(options.andThen(draft -> {
            draft.connections = 3;
            draft.proxy = Optional.of(Proxy.parse("http://ann:s3cret@127.0.0.1:" + listening.getLocalPort()));
        }));
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(300))))
                .maxRequests(REQUESTS)
                .build();
        return new LoadRun(plan, new HttpTarget(HttpRequest.get(uri + "a?b=c"), built)).run(Progress.none());
    }

    @Test
    void plain_http_through_a_proxy_uses_the_whole_url() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunResult result = run(server.uri(), draft -> {});
            assertThat(result.ledger().answered()).isEqualTo(REQUESTS);
            assertThat(heads)
                    .allMatch(head -> head.startsWith("GET " + server.uri() + "a?b=c HTTP/1.1\r\n")
                            && head.contains("\r\nProxy-Authorization: Basic YW5uOnMzY3JldA==\r\n"));
        }
    }

    @Test
    void what_is_encrypted_goes_through_a_tunnel_whose_time_is_the_handshakes() throws IOException {
        LoopbackOptions served = LoopbackOptions.of(draft -> draft.tls = true);
        try (LoopbackServer server = LoopbackServer.start(served)) {
            RunResult result = run(
                    server.uri(), draft -> draft.tls.trust(server.certificate().orElseThrow()));
            assertThat(result.ledger().answered()).isEqualTo(REQUESTS);
            assertThat(result.counts().count(TargetCounts.TUNNELS)).isEqualTo(3);
            assertThat(heads)
                    .hasSize(3)
                    .allMatch(head -> head.startsWith(
                                    "CONNECT " + URI.create(server.uri()).getAuthority() + " HTTP/1.1\r\n")
                            && head.contains("Proxy-Authorization: Basic"));
        }
    }

    @Test
    void a_proxy_that_refuses_is_named() throws IOException {
        tunnelStatus = "407 Proxy Authentication Required";
        LoopbackOptions served = LoopbackOptions.of(draft -> draft.tls = true);
        try (LoopbackServer server = LoopbackServer.start(served)) {
            assertThatThrownBy(() -> run(
                            server.uri(),
                            draft -> draft.tls.trust(server.certificate().orElseThrow())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("(connecting to the proxy 127.0.0.1:" + listening.getLocalPort()
                            + "): the proxy refused, status 407");
        }
    }

    @Test
    void an_invalid_proxy_is_refused_without_the_password() {
        assertThatThrownBy(() -> Proxy.parse("socks5://ann:s3cret@h:1"))
                .hasMessageStartingWith(
                        "a proxy must be http://HOST:PORT, with a user and a password before HOST if needed, but was")
                .message()
                .doesNotContain("s3cret");
        assertThat(Proxy.parse("http://ann:a%40b+c@h:1").authorizationLine())
                .isEqualTo("Proxy-Authorization: Basic YW5uOmFAYitj\r\n");
        assertThat(Proxy.parse("[::1]:3128")).hasToString("[::1]:3128");
        assertThat(Proxy.parse("proxy.example:3128")).hasToString("proxy.example:3128");
        assertThat(Proxy.parse("http://ann:p%40s%3As+50%@h:1").authorizationLine())
                .isEqualTo("Proxy-Authorization: Basic "
                        + Base64.getEncoder().encodeToString("ann:p@s:s+50%".getBytes(StandardCharsets.US_ASCII))
                        + "\r\n");
        assertThatThrownBy(() -> Proxy.parse("proxy.example")).hasMessageContaining("but was 'proxy.example'");
    }
}
