package dev.downbeat.loopback.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses as RFC 9112 writes them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CannedResponseTest {
    private static final String TYPE = "Content-Type: text/plain\r\n";

    private static void assertIs(CannedResponse response, String head, String body) {
        assertThat(new String(response.bytes(), StandardCharsets.US_ASCII)).isEqualTo(head + "\r\n" + body);
        assertThat(response.headLength()).isEqualTo(head.length() + 2);
        assertThat(response.length()).isEqualTo(head.length() + 2 + body.length());
    }

    @Test
    void a_plain_response_has_a_body_of_its_length() {
        assertIs(
                CannedResponse.plain(200, 3, false, false),
                "HTTP/1.1 200 OK\r\n" + TYPE + "Content-Length: 3\r\nConnection: keep-alive\r\n",
                "oko");
        assertIs(
                CannedResponse.plain(503, 0, true, true),
                "HTTP/1.1 503 Service Unavailable\r\nX-Cold-Start: true\r\n" + TYPE
                        + "Content-Length: 0\r\nConnection: close\r\n",
                "");
        assertIs(
                CannedResponse.plain(204, 3, false, false),
                "HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n",
                "");
        assertIs(CannedResponse.plain(304, 3, true, false), "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n", "");
    }

    @Test
    void a_refusal_says_why_and_closes() {
        assertIs(
                CannedResponse.refusal(400, "no"),
                "HTTP/1.1 400 Bad Request\r\n" + TYPE + "Content-Length: 3\r\nConnection: close\r\n",
                "no\n");
    }

    @Test
    void a_response_without_a_length_ends_with_its_connection() {
        assertIs(CannedResponse.withoutLength(200, 2), "HTTP/1.1 200 OK\r\n" + TYPE + "Connection: close\r\n", "ok");
        assertThat(new String(CannedResponse.withoutLength(204, 2).bytes(), StandardCharsets.US_ASCII))
                .endsWith("\r\n\r\n");
    }

    @Test
    void chunks_halve_a_body() {
        String head = "HTTP/1.1 200 OK\r\n" + TYPE + "Transfer-Encoding: chunked\r\nTrailer: Downbeat-Trailer\r\n";
        String end = "0\r\nDownbeat-Trailer: end\r\n\r\n";
        assertIs(
                CannedResponse.chunked(200, 21, false),
                head + "Connection: keep-alive\r\n",
                "a;half=1\r\nokokokokok\r\nb\r\nokokokokoko\r\n" + end);
        assertIs(CannedResponse.chunked(200, 1, true), head + "Connection: close\r\n", "1\r\no\r\n" + end);
        assertIs(CannedResponse.chunked(200, 0, true), head + "Connection: close\r\n", end);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "201, Created",
        "301, Moved Permanently",
        "302, Found",
        "401, Unauthorized",
        "403, Forbidden",
        "404, Not Found",
        "408, Request Timeout",
        "429, Too Many Requests",
        "500, Internal Server Error",
        "502, Bad Gateway",
        "504, Gateway Timeout",
        "299, Status"
    })
    void a_status_has_its_usual_reason(int status, String reason) {
        assertThat(new String(CannedResponse.plain(status, 0, true, false).bytes(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 " + status + " " + reason + "\r\n");
    }
}
