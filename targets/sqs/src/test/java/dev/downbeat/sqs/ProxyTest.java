package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.run.Progress;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.sqs.operation.QueueRehearsal;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsProxy;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.sqs.options.Topic;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxy is asked by all clients alike, and named in the report. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProxyTest {
    /** Leads everything to one server, whatever is asked for, by a tunnel or by forwarding. */
    private static final class Proxy implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        private final URI to;
        private final AtomicInteger asked = new AtomicInteger();
        private final StringBuffer heads = new StringBuffer();

        Proxy(URI to) throws IOException {
            this.to = to;
            start(() -> {
                while (true) {
                    Socket socket = server.accept();
                    start(() -> serve(socket));
                }
            });
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException closed) {
                    // So it is over.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private void serve(Socket client) throws IOException {
            try (client;
                    Socket service = new Socket(InetAddress.getLoopbackAddress(), to.getPort())) {
                client.setTcpNoDelay(true);
                service.setTcpNoDelay(true);
                asked.incrementAndGet();
                InputStream in = client.getInputStream();
                StringBuilder line = new StringBuilder();
                for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
                    line.append((char) c);
                }
                if (line.indexOf("CONNECT ") == 0) {
                    StringBuilder head = new StringBuilder("\r\n");
                    while (head.indexOf("\r\n\r\n") < 0) {
                        head.append((char) in.read());
                    }
                    client.getOutputStream()
                            .write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } else {
                    service.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
                }
                start(() -> copy(service.getInputStream(), client.getOutputStream()));
                byte[] bytes = new byte[65_536];
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                    heads.append(new String(bytes, 0, read, StandardCharsets.ISO_8859_1));
                    service.getOutputStream().write(bytes, 0, read);
                }
            }
        }

        private static void copy(InputStream in, OutputStream out) throws IOException {
            in.transferTo(out);
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void a_service_behind_a_proxy_is_measured_by_each_client(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start();
                Proxy proxy = new Proxy(server.uri())) {
            URI there = URI.create("http://127.0.0.1:" + proxy.server.getLocalPort());
            RunResult result = Runs.of(
                    "http://queue.example/000000000000/orders",
                    server.options(transport).andThen(draft -> draft.proxy = SqsProxy.of(there)),
                    Runs.plan(100, Duration.ofMillis(200)));
            assertThat(result.recording().failures()).isEmpty();
            assertThat(result.ledger().answered()).isEqualTo(20);
            assertThat(result.target()).endsWith("client, by the proxy 127.0.0.1:" + there.getPort());
            assertThat(proxy.asked).hasPositiveValue();
        }
    }

    @Test
    void downbeats_own_client_sends_the_credentials_of_a_proxy() throws IOException {
        try (FakeSqs server = FakeSqs.start();
                Proxy proxy = new Proxy(server.uri())) {
            URI there = URI.create("http://user:p%20w@127.0.0.1:" + proxy.server.getLocalPort());
            Runs.of(
                    "http://queue.example/000000000000/orders",
                    server.options(SqsTransport.DOWNBEAT).andThen(draft -> draft.proxy = SqsProxy.of(there)),
                    Runs.plan(100, Duration.ofMillis(50)));
            assertThat(proxy.heads).contains("Proxy-Authorization: Basic dXNlcjpwIHc=\r\n");
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void the_rehearsal_does_not_go_through_the_proxy(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start();
                Proxy proxy = new Proxy(server.uri())) {
            SqsOptions options = SqsOptions.of(server.options(transport)
                    .andThen(draft ->
                            draft.proxy = SqsProxy.of(URI.create("http://127.0.0.1:" + proxy.server.getLocalPort()))));
            QueueRehearsal.run(options); // a target does so only once in a JVM
            SqsTarget rehearsed = new SqsTarget("http://queue.example/000000000000/orders", options);
            RunResult result =
                    new LoadRun(Runs.plan(100, Duration.ofMillis(200)).build(), rehearsed).run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(20);
            assertThat(server.sends()).isEqualTo(20);
        }
    }

    @Test
    void an_encrypted_topic_is_not_shown_to_a_proxy() {
        SqsOptions options = SqsOptions.of(draft -> {
            draft.region = Optional.of("eu-west-1");
            draft.operation = SqsOperation.DELIVERY;
            draft.through = Optional.of(new Topic("arn:aws:sns:us-east-1:000000000000:orders"));
            draft.topicEndpoint = Optional.of(URI.create("https://topics.example"));
            draft.proxy = SqsProxy.of(URI.create("http://egress.test:8888"));
        });
        assertThatThrownBy(() -> new SqsTarget("http://queue.example/000000000000/orders", options))
                .hasMessageStartingWith("the downbeat transport cannot use a proxy for topics.example");
    }

    @Test
    void our_own_client_refuses_a_proxy_for_https_instead_of_passing_it_by() {
        Consumer<SqsOptions.Draft> options = draft -> {
            draft.region = Optional.of("eu-west-1");
            draft.proxy = SqsProxy.of(URI.create("http://egress.test:8888"));
        };
        assertThatThrownBy(() -> new SqsTarget("orders", SqsOptions.of(options)))
                .hasMessage(
                        "the downbeat transport cannot use a proxy for sqs.eu-west-1.amazonaws.com, but"
                                + " egress.test:8888 is configured: give --transport netty or --proxy none, or except it in no_proxy");
        assertThat(new SqsTarget(
                                "orders", SqsOptions.of(options.andThen(draft -> draft.transport = SqsTransport.NETTY)))
                        .describe())
                .endsWith("Netty client, by the proxy egress.test:8888");
    }

    @ParameterizedTest(name = "{0} {1}={2} not for {3}: {4}")
    @CsvSource({
        "https://sqs.eu-west-1.amazonaws.com,HTTPS_PROXY,http://p:3128,'',http://p:3128",
        "https://sqs.eu-west-1.amazonaws.com,https_proxy,p:3128,'',http://p:3128",
        "https://sqs.eu-west-1.amazonaws.com,HTTP_PROXY,http://p:3128,'',''",
        "http://queue.example,HTTP_PROXY,http://p:3128,'',http://p:3128",
        "http://queue.example,HTTP_PROXY,http://p:3128,'.example',''",
        "http://queue.example,HTTP_PROXY,http://p:3128,'a, *',''",
        "http://queue.example,HTTP_PROXY,http://p:3128,'a .example',''",
        "http://queue.example,HTTP_PROXY,http://p:3128,'QUEUE.*',''",
        "http://localhost:9324,HTTP_PROXY,http://p:3128,localhost,''",
        "http://10.1.2.3,HTTP_PROXY,http://p:3128,'10.*',''",
        "http://192.168.10.7,HTTP_PROXY,http://p:3128,'10.*',http://p:3128",
        "http://queue.example,HTTP_PROXY,http://p:3128,'x\\E(',http://p:3128"
    })
    void the_environment_names_the_proxy(String service, String name, String value, String except, String proxy) {
        assertThat(SqsProxy.to(URI.create(service), Map.of(name, value, "NO_PROXY", except))
                        .map(proxied -> "http://" + proxied)
                        .orElse(""))
                .isEqualTo(proxy);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"https://p:1", "socks5://p:1", "http://my_proxy:3128", "http://u:p%ss@h"})
    void a_wrong_proxy_of_the_environment_is_refused_without_its_value(String value) {
        assertThatThrownBy(() -> SqsProxy.to(URI.create("http://queue.example"), Map.of("http_proxy", value)))
                .hasMessage("environment variable http_proxy: a proxy must be http://HOST:PORT");
    }
}
