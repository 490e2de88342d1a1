package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.message.HttpResponse;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class HttpCallsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    /** What a listener was told, copied. */
    private record Known(Exchange exchange, @Nullable HttpResponse response) {
        HttpResponse answer() {
            if (response == null) {
                throw new AssertionError("no response: " + exchange.outcome);
            }
            return response;
        }

        String text() {
            return new String(answer().body(), StandardCharsets.UTF_8);
        }
    }

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/echo", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders()
                    .add("X-Said", String.valueOf(exchange.getRequestHeaders().getFirst("X-Say")));
            exchange.sendResponseHeaders(
                    exchange.getRequestURI().getQuery() == null ? 200 : 418, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/chunked", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 100; i++) {
                exchange.getResponseBody().write(("part " + i + "\n").getBytes(StandardCharsets.UTF_8));
            }
            exchange.close();
        });
        server.createContext("/slow", exchange -> {
            try {
                TimeUnit.MILLISECONDS.sleep(300);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
        threads.shutdownNow();
    }

    private HttpEndpoint at(String path) {
        return HttpEndpoint.parse("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private HttpCalls calls(int connections, Duration longestWait) throws IOException {
        return new HttpCalls(
                at("/"), HttpOptions.of(draft -> draft.connections = connections), longestWait, NanoClock.system());
    }

    private static CompletableFuture<Known> send(HttpCalls calls, HttpRequest request) {
        CompletableFuture<Known> told = new CompletableFuture<>();
        calls.send(request, (exchange, response) -> {
            Exchange copy = new Exchange(exchange.slot);
            copy.copy(exchange);
            told.complete(new Known(copy, response));
        });
        return told;
    }

    private HttpRequest post(String path, String body) {
        return HttpRequest.of(
                "POST",
                at(path),
                List.of(new HttpRequest.Header("X-Say", "hello")),
                body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void requests_that_differ_get_their_own_answers() throws Exception {
        try (HttpCalls calls = calls(3, LONG)) {
            List<CompletableFuture<Known>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(send(calls, post("/echo", "body " + i + "x".repeat(i * 50))));
            }
            for (int i = 0; i < all.size(); i++) {
                Known told = all.get(i).get(30, TimeUnit.SECONDS);
                assertThat(told.text()).isEqualTo("body " + i + "x".repeat(i * 50));
                assertThat(told.answer().fields())
                        .anyMatch(field -> field.name().equalsIgnoreCase("x-said")
                                && field.value().equals("hello"));
                assertThat(told.exchange().backlogWaitNanos()).isNotNegative();
            }
            assertThat(all.get(0).get().exchange().connectNanos).isPositive();
            assertThat(all.get(199).get().exchange().position).isGreaterThan(1);
        }
    }

    @Test
    void the_counts_of_connections_have_whatever_the_last_response_ended() throws Exception {
        try (LoopbackServer closing = LoopbackServer.start(LoopbackOptions.of(draft -> draft.closeAfter = 1));
                HttpCalls calls = new HttpCalls(
                        HttpEndpoint.parse(closing.uri().toString()),
                        HttpOptions.of(draft -> draft.connections = 1),
                        LONG,
                        NanoClock.system())) {
            CompletableFuture<ConnectionCounts> seen = new CompletableFuture<>();
            HttpRequest request =
                    HttpRequest.of("GET", HttpEndpoint.parse(closing.uri().toString()), List.of(), new byte[0]);
            calls.send(request, (exchange, response) -> seen.complete(calls.connections()));
            ConnectionCounts counts = seen.get(30, TimeUnit.SECONDS);
            assertThat(counts.opened()).isEqualTo(1);
            assertThat(counts.closedByServerWithNotice() + counts.closedByServer())
                    .isEqualTo(1);
        }
    }

    @Test
    void a_failed_status_has_a_body_too_and_chunks_are_put_together() throws Exception {
        try (HttpCalls calls = calls(1, LONG)) {
            Known refused = send(calls, post("/echo?teapot", "short and stout")).get(30, TimeUnit.SECONDS);
            assertThat(refused.exchange().outcome.reason()).isEqualTo("HTTP 418");
            assertThat(refused.answer().status()).isEqualTo(418);
            assertThat(refused.text()).isEqualTo("short and stout");
            Known chunked = send(calls, HttpRequest.of("GET", at("/chunked"), List.of(), new byte[0]))
                    .get(30, TimeUnit.SECONDS);
            assertThat(chunked.text().lines()).hasSize(100).endsWith("part 99");
            Known head = send(calls, HttpRequest.of("HEAD", at("/echo"), List.of(), new byte[0]))
                    .get(30, TimeUnit.SECONDS);
            assertThat(head.answer().status()).isEqualTo(200);
            assertThat(head.text()).isEmpty();
        }
    }

    @Test
    void over_HTTP_2_calls_share_a_connection() throws Exception {
        LoopbackOptions options = LoopbackOptions.of(draft -> {
            draft.delay = new ServiceLaw.Constant(5_000_000);
            draft.bodyBytes = 30_000;
        });
        try (LoopbackServer http2 = LoopbackServer.start(options);
                HttpCalls calls = new HttpCalls(
                        HttpEndpoint.parse(http2.uri()),
                        HttpOptions.of(draft -> {
                            draft.connections = 2;
                            draft.http = HttpVersion.HTTP_2;
                            draft.preconnect = false;
                        }),
                        LONG,
                        NanoClock.system())) {
            List<CompletableFuture<Known>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                HttpEndpoint endpoint = HttpEndpoint.parse(http2.uri() + i);
                all.add(send(calls, HttpRequest.of("POST", endpoint, List.of(), new byte[i * 100])));
            }
            for (CompletableFuture<Known> told : all) {
                assertThat(told.get(30, TimeUnit.SECONDS).answer().status()).isEqualTo(200);
                assertThat(told.get().answer().body()).hasSize(30_000);
            }
            assertThat(all.stream()
                            .mapToInt(told -> told.join().exchange().position)
                            .max())
                    .hasValue(50);
            calls.send(HttpRequest.get(http2.uri()), (exchange, response) -> {}).abort();
            assertThat(send(calls, HttpRequest.get(http2.uri()))
                            .get(30, TimeUnit.SECONDS)
                            .exchange()
                            .outcome
                            .fate())
                    .isEqualTo(Fate.ANSWERED);
            assertThat(http2.stats().connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void waiting_too_long_for_a_connection_is_reported() throws Exception {
        try (HttpCalls calls = calls(1, Duration.ofMillis(50))) {
            HttpRequest slow = HttpRequest.of("GET", at("/slow"), List.of(), new byte[0]);
            CompletableFuture<Known> first = send(calls, slow);
            Known second = send(calls, slow).get(30, TimeUnit.SECONDS);
            assertThat(second.response()).isNull();
            assertThat(second.exchange().outcome.reason()).isEqualTo("no connection was free in time");
            assertThat(first.get(30, TimeUnit.SECONDS).answer().status()).isEqualTo(204);
        }
    }

    @Test
    void a_call_that_is_abandoned_is_not_heard_of_and_frees_its_connection() throws Exception {
        try (HttpCalls calls = calls(1, LONG)) {
            List<String> heard = Collections.synchronizedList(new ArrayList<>());
            HttpRequest slow = HttpRequest.of("GET", at("/slow"), List.of(), new byte[0]);
            HttpCalls.HttpCall running = calls.send(slow, (exchange, response) -> heard.add("running"));
            HttpCalls.HttpCall waits = calls.send(slow, (exchange, response) -> heard.add("waiting"));
            waits.abort();
            running.abort();
            assertThat(send(calls, post("/echo", "next"))
                            .get(30, TimeUnit.SECONDS)
                            .text())
                    .isEqualTo("next");
            running.abort(); // it is over: harmless
            assertThat(send(calls, post("/echo", "last"))
                            .get(30, TimeUnit.SECONDS)
                            .text())
                    .isEqualTo("last");
            assertThat(heard).isEmpty();
        }
    }

    /** The thread's own handler prints what was thrown. */
    @Test
    void a_throwing_listener_does_not_end_other_calls() throws Exception {
        try (HttpCalls calls = calls(1, LONG)) {
            calls.send(post("/echo", "broken"), new HttpCalls.HttpCall.Listener() {
                @Override
                public void started(long startedAt) {
                    throw new IllegalStateException("a listener's mistake, on purpose");
                }

                @Override
                public void ended(Exchange exchange, @Nullable HttpResponse response) {
                    throw new IllegalStateException("another, on purpose");
                }
            });
            assertThat(send(calls, post("/echo", "next"))
                            .get(30, TimeUnit.SECONDS)
                            .text())
                    .isEqualTo("next");
        }
    }

    @Test
    void an_unreachable_server_is_an_outcome() throws Exception {
        int port = 1; // nobody listens there
        HttpEndpoint nowhere = HttpEndpoint.parse("http://127.0.0.1:" + port);
        try (HttpCalls calls = new HttpCalls(nowhere, HttpOptions.of(draft -> {}), LONG, NanoClock.system())) {
            Known told = send(calls, HttpRequest.of("GET", nowhere, List.of(), new byte[0]))
                    .get(30, TimeUnit.SECONDS);
            assertThat(told.response()).isNull();
            assertThat(told.exchange().outcome.reason()).isEqualTo("connection refused");
        }
    }

    @Test
    void a_listener_may_close_the_client() throws Exception {
        HttpCalls calls = calls(1, LONG);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        calls.send(HttpRequest.of("GET", at("/echo"), List.of(), new byte[0]), (exchange, response) -> {
            calls.close();
            closed.complete(true);
        });
        assertThat(closed.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closing_ends_what_is_out() throws Exception {
        HttpCalls calls = calls(1, LONG);
        HttpRequest slow = HttpRequest.of("GET", at("/slow"), List.of(), new byte[0]);
        CompletableFuture<Known> running = send(calls, slow);
        CompletableFuture<Known> waits = send(calls, slow);
        calls.close();
        CompletableFuture<Known> late = send(calls, slow);
        for (CompletableFuture<Known> told : List.of(running, waits, late)) {
            assertThat(told.get(30, TimeUnit.SECONDS).exchange().outcome.reason())
                    .isEqualTo("the client was closed");
        }
    }
}
