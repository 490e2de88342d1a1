package dev.downbeat.loopback;

import static dev.downbeat.loopback.RawClient.GET;
import static dev.downbeat.loopback.RawClient.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.OptionWords;
import dev.downbeat.testing.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoopbackServerTest {
    @Test
    void a_plain_server_answers_ok_and_keeps_the_connection() throws Exception {
        try (LoopbackServer server = start();
                RawClient client = new RawClient(server.port())) {
            String expected = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n"
                    + "Connection: keep-alive\r\n\r\nok";
            assertThat(client.ask(GET)).isEqualTo(expected);
            assertThat(client.ask(GET)).isEqualTo(expected);
            assertThat(server.uri()).isEqualTo("http://127.0.0.1:" + server.port() + "/");
            assertThat(server.certificate()).isEmpty();
            assertThat(server.stats()).isEqualTo(new LoopbackStats(1, 0, 2, 2, 0, 0));
        }
    }

    /** As under a limit of processes, which other programs may leave again. */
    @Test
    @Timeout(60)
    void a_connection_without_a_thread_is_closed_and_the_next_one_is_served() throws Exception {
        AtomicInteger started = new AtomicInteger();
        LoopbackOptions options = OptionWords.parse(List.of());
        try (LoopbackServer server = LoopbackServer.start(options, thread -> {
            if (started.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            thread.start();
        })) {
            try (RawClient first = new RawClient(server.port())) {
                assertThatThrownBy(first::head).isInstanceOf(IOException.class);
            }
            try (RawClient second = new RawClient(server.port())) {
                assertThat(second.ask(GET)).startsWith("HTTP/1.1 200 OK");
                assertThat(server.openConnections()).isEqualTo(1);
            }
        }
    }

    @Test
    void any_http_client_can_talk_to_it() throws Exception {
        try (LoopbackServer server = start("--body-size", "5000")) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            HttpRequest post = HttpRequest.newBuilder(URI.create(server.uri()))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[100_000]))
                    .expectContinue(true)
                    .build();
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(post, BodyHandlers.ofString()).body()).hasSize(5000);
            }
            assertThat(server.stats().connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void pipelined_requests_are_answered_in_order() throws Exception {
        try (LoopbackServer server = start();
                RawClient client = new RawClient(server.port())) {
            client.send(get("status=201&delay=5ms") + get("status=404") + get("status=503"));

            assertThat(client.response()).startsWith("HTTP/1.1 201 Created\r\n");
            assertThat(client.response()).startsWith("HTTP/1.1 404 Not Found\r\n");
            assertThat(client.response()).startsWith("HTTP/1.1 503 Service Unavailable\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
            })
    void a_client_that_wants_the_connection_closed_gets_it_closed(String request) throws Exception {
        try (LoopbackServer server = start();
                RawClient client = new RawClient(server.port())) {
            client.send(request);

            assertThat(client.rest()).contains("\r\nConnection: close\r\n").endsWith("\r\n\r\nok");
            assertThat(server.stats().connectionsClosed()).isZero();
        }
    }

    @Test
    void head_gets_the_length_without_the_body() throws Exception {
        try (LoopbackServer server = start();
                RawClient client = new RawClient(server.port())) {
            client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n" + GET);

            assertThat(client.head()).contains("\r\nContent-Length: 2\r\n");
            assertThat(client.response()).endsWith("\r\n\r\nok");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statuses_without_a_body_have_none(int status) throws Exception {
        try (LoopbackServer server = start("--status", Integer.toString(status));
                RawClient client = new RawClient(server.port())) {
            client.send(GET + GET);

            assertThat(client.head()).startsWith("HTTP/1.1 " + status).doesNotContain("Content-Length");
            assertThat(client.head()).startsWith("HTTP/1.1 " + status);
        }
    }

    @Test
    void a_body_is_awaited_only_after_100_continue() throws Exception {
        try (LoopbackServer server = start();
                RawClient client = new RawClient(server.port())) {
            client.send("PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
            assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            client.send("abc");
            assertThat(client.response()).startsWith("HTTP/1.1 200 OK\r\n");
        }
    }

    @Test
    void an_invalid_request_gets_400_and_close() throws Exception {
        try (LoopbackServer server = start();
                RawClient client = new RawClient(server.port())) {
            client.send("nonsense\r\n\r\n" + "x".repeat(100_000));

            assertThat(client.rest())
                    .startsWith("HTTP/1.1 400 Bad Request\r\n")
                    .endsWith("\r\n\r\nrequest line is not METHOD TARGET HTTP/1.1\n");
            assertThat(server.stats().requestsMalformed()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delay=5 | but was '5': duration needs a unit: write 5ms or 5s",
                "status=99999999999 | status must be from -2147483648 to 2147483647, but was 99999999999",
                "size=-1 | body-size must be from 0 to 104857600, but was -1",
                "misbehave=%zz | URLDecoder: Illegal hex characters in escape (%) pattern",
            })
    void a_query_that_cannot_be_gets_400_with_the_reason(String query, String reason) throws Exception {
        try (LoopbackServer server = start();
                RawClient client = new RawClient(server.port())) {
            assertThat(client.ask(get(query))).startsWith("HTTP/1.1 400 ").contains(reason);
        }
    }

    @Test
    void a_query_overrides_for_one_request_and_unknown_names_are_ignored() throws Exception {
        try (LoopbackServer server = start("--status", "503");
                RawClient client = new RawClient(server.port())) {
            assertThat(client.ask(get("q=100%&user=7&status=200&size=5&delay=exp%3A1us")))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .endsWith("\r\n\r\nokoko");
            assertThat(client.ask(GET)).startsWith("HTTP/1.1 503 ").endsWith("\r\n\r\nok");
        }
    }

    @Test
    void the_last_response_before_a_close_announces_it() throws Exception {
        try (LoopbackServer server = start("--close-after", "2");
                RawClient client = new RawClient(server.port())) {
            assertThat(client.ask(GET)).contains("\r\nConnection: keep-alive\r\n");
            client.send(GET);

            assertThat(client.rest()).contains("\r\nConnection: close\r\n").endsWith("ok");
            assertThat(server.stats().connectionsClosed()).isEqualTo(1);
        }
    }

    @Test
    void a_silent_close_is_not_announced() throws Exception {
        try (LoopbackServer server = start("--close-after", "2", "--close-silently");
                RawClient client = new RawClient(server.port())) {
            client.ask(GET);
            client.send(GET);

            assertThat(client.rest())
                    .contains("\r\nConnection: keep-alive\r\n")
                    .doesNotContain("close")
                    .endsWith("ok");
            assertThat(server.stats().connectionsClosed()).isEqualTo(1);
        }
    }

    @Test
    void a_taken_port_is_named() throws Exception {
        try (LoopbackServer server = start()) {
            assertThatThrownBy(() -> start("--port", Integer.toString(server.port())))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot listen on 127.0.0.1 port " + server.port() + ": ");
        }
    }

    @Test
    void a_refusing_server_serves_old_connections_and_refuses_new_ones() throws Exception {
        try (LoopbackServer server = start();
                RawClient client = new RawClient(server.port())) {
            client.ask(GET);
            server.refuse();

            assertThat(client.ask(GET)).endsWith("ok");
            assertThatThrownBy(() -> new RawClient(server.port())).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void a_free_port_refuses_connections() throws Exception {
        int port = FreePort.find();

        assertThatThrownBy(() -> new RawClient(port)).isInstanceOf(ConnectException.class);
        try (LoopbackServer server = start("--port", Integer.toString(port))) {
            assertThat(server.port()).isEqualTo(port);
        }
    }

    @Test
    @Timeout(60)
    void closing_ends_waiting_requests_and_all_threads() throws Exception {
        LoopbackServer server = start("--delay", "1h");
        try (RawClient client = new RawClient(server.port());
                RawClient idle = new RawClient(server.port())) {
            client.send(GET);
            while (server.stats().requestsReceived() == 0 || server.stats().connectionsAccepted() < 2) {
                Thread.onSpinWait();
            }
            server.close();
            server.close();

            assertThat(client.rest()).isEmpty();
            assertThat(idle.rest()).isEmpty();
            assertThat(server.openConnections()).isZero();
        }
    }

    @Test
    void the_same_seed_gives_the_nth_connection_the_same_chance() throws Exception {
        List<String> one = garbage("7");

        assertThat(one).isEqualTo(garbage("7")).isNotEqualTo(garbage("8")).doesNotHaveDuplicates();
    }

    private static List<String> garbage(String seed) throws Exception {
        List<String> seen = new ArrayList<>();
        try (LoopbackServer server = start("--misbehave", "garbage", "--seed", seed)) {
            for (int connection = 0; connection < 3; connection++) {
                try (RawClient client = new RawClient(server.port())) {
                    client.send(GET);
                    seen.add(client.rest());
                }
            }
        }
        return seen;
    }

    private static LoopbackServer start(String... words) throws IOException {
        return LoopbackServer.start(OptionWords.parse(List.of(words)));
    }
}
