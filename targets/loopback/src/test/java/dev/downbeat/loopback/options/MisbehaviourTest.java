package dev.downbeat.loopback.options;

import static dev.downbeat.loopback.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.LoopbackStats;
import dev.downbeat.loopback.RawClient;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MisbehaviourTest {
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    @Test
    void reset_is_seen_as_a_reset() throws Exception {
        RawClient client = asked(server("reset"));

        assertThatThrownBy(client::rest).isInstanceOf(SocketException.class).hasMessageContaining("reset");
    }

    @Test
    void close_without_answer_is_an_empty_end() throws Exception {
        LoopbackServer server = server("close-without-answer");

        assertThat(asked(server).rest()).isEmpty();
        assertThat(server.stats()).isEqualTo(new LoopbackStats(1, 1, 1, 0, 1, 0));
    }

    @Test
    void garbage_does_not_begin_like_http() throws Exception {
        String garbage = asked(server("garbage")).rest();

        assertThat(garbage).hasSize(256);
        assertThat(garbage.charAt(0)).isGreaterThan((char) 127);
    }

    @Test
    void a_bad_status_line_has_no_status_code() throws Exception {
        assertThat(asked(server("bad-status-line")).rest()).startsWith("HTTP/1.1 2x0 Fine\r\n");
    }

    @Test
    void half_an_answer_promises_more_than_comes() throws Exception {
        assertThat(asked(server("half-answer", "--body-size", "100")).rest())
                .contains("\r\nContent-Length: 100\r\n")
                .endsWith("\r\n\r\n" + "ok".repeat(25));
    }

    @Test
    void a_slow_body_takes_its_time() throws Exception {
        LoopbackServer server = server("slow-body", "--body-size", "20", "--body-time", "100ms");
        long startAt = System.nanoTime();
        RawClient client = asked(server);

        assertThat(client.response()).endsWith("\r\n\r\n" + "ok".repeat(10));
        assertThat(System.nanoTime() - startAt).isGreaterThanOrEqualTo(100_000_000);
        assertThat(client.ask(RawClient.get("misbehave=none"))).endsWith("ok");
    }

    @Test
    void a_large_slow_body_comes_in_time_and_whole() throws Exception {
        LoopbackServer server = server("slow-body", "--body-size", "1000000", "--body-time", "20ms");

        assertThat(asked(server).response()).hasSizeGreaterThan(1_000_000);
    }

    @Test
    void headers_that_never_come_hold_the_connection() throws Exception {
        LoopbackServer server = server("headers-never");
        RawClient client = asked(server);
        client.patience(100);

        assertThatThrownBy(client::rest).isInstanceOf(SocketTimeoutException.class);
        assertThat(server.stats()).isEqualTo(new LoopbackStats(1, 0, 1, 0, 1, 0));
    }

    @Test
    void a_chunked_answer_ends_with_a_trailer() throws Exception {
        RawClient client = asked(server("chunked", "--body-size", "5"));

        assertThat(client.head()).contains("\r\nTransfer-Encoding: chunked\r\n").doesNotContain("Content-Length");
        assertThat(client.head()).isEqualTo("2;half=1\r\nok\r\n3\r\noko\r\n0\r\nDownbeat-Trailer: end\r\n\r\n");
        client.send("GET / HTTP/1.0\r\n\r\n");
        assertThat(client.rest()).contains("\r\nContent-Length: 5\r\n").endsWith("\r\n\r\nokoko");
    }

    @Test
    void an_answer_without_length_ends_with_the_connection() throws Exception {
        assertThat(asked(server("no-length")).rest())
                .contains("\r\nConnection: close\r\n")
                .doesNotContain("Content-Length")
                .endsWith("\r\n\r\nok");
    }

    @Test
    void an_unasked_100_comes_before_the_answer() throws Exception {
        RawClient client = asked(server("continue-first"));

        assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
        assertThat(client.response()).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nok");
    }

    @ParameterizedTest
    @EnumSource(Misbehaviour.class)
    void an_http_client_takes_what_is_valid_and_refuses_what_is_not(Misbehaviour misbehaviour) throws Exception {
        LoopbackServer server = server(misbehaviour.word(), "--body-time", "10ms");
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri()))
                .timeout(Duration.ofMillis(misbehaviour == Misbehaviour.HEADERS_NEVER ? 1_000 : 10_000))
                .build();
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

        if (misbehaviour.answers()) {
            for (int i = 0; i < 2; i++) {
                assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("ok");
            }
            assertThat(server.stats().requestsAnswered()).isEqualTo(2);
        } else {
            assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
            assertThat(server.stats().requestsSpoiled()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "no-length", "slow-body", "continue-first"})
    void head_has_no_body_in_any_valid_answer(String word) throws Exception {
        RawClient client = client(server(word));
        client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(client.rest()).endsWith("\r\n\r\n").doesNotContain("ok").contains("200 OK");
    }

    private LoopbackServer server(String word, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("--misbehave", word));
        words.addAll(List.of(more));
        LoopbackServer server = LoopbackServer.start(OptionWords.parse(words));
        open.add(server);
        return server;
    }

    private RawClient client(LoopbackServer server) throws IOException {
        RawClient client = new RawClient(server.port());
        open.add(0, client);
        return client;
    }

    private RawClient asked(LoopbackServer server) throws IOException {
        RawClient client = client(server);
        client.send(GET);
        return client;
    }
}
