package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a redirect leads to and what is sent there (RFC 3986, 5.2; RFC 9110, 15.4); without a server. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RedirectRulesTest {
    private final Exchange exchange = Written.exchange(0, 0);

    private static RequestWriter writer(String request, int hops) {
        return Written.set(request, RequestSet.Order.MIX).following(hops).writer(1, false);
    }

    /** What follows a response: the next request, or else the outcome. */
    private String next(RequestWriter writer, int status, String... lines) {
        RequestWriter.ResponseSink sink = Objects.requireNonNull(writer.sink(exchange));
        for (String line : lines) {
            byte[] text = ("__" + line).getBytes(StandardCharsets.ISO_8859_1);
            sink.line(text, 2, text.length);
        }
        exchange.status = status;
        Outcome outcome = writer.outcome(exchange, Outcome.answered());
        exchange.outcome = outcome;
        RequestBytes bytes = new RequestBytes();
        return writer.writeFollowUp(exchange, bytes)
                ? new String(bytes.array(), 0, bytes.length(), StandardCharsets.ISO_8859_1).replace("\r\n", "\n")
                : outcome.reason();
    }

    private String first(String request, int status, String... lines) {
        RequestWriter writer = writer(request, 1);
        Written.write(writer, exchange);
        return next(writer, status, lines);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            /x           | /x
            x            | /a/x
            ./           | /a/
            .            | /a/
            ..           | /
            ../..        | /
            ../../x      | /x
            d/..         | /a/
            /d/e/..      | /d/
            /d/e/.       | /d/e/
            /d//e/       | /d//e/
            ?d           | /a/b?d
            '#f'         | /a/b
            x?y#z        | /a/x?y
            http://h/y#z | /y
            http://h     | /
            http://h?q   | /?q
            HTTP://H:80/q | /q
            //h/z        | /z
            """)
    void a_target_within_the_service_is_followed(String location, String resource) {
        assertThat(first("GET http://h/a/b?c=1", 302, "Location: " + location))
                .startsWith("GET " + resource + " HTTP/1.1\nHost: h\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            https://h/   | redirect to another service
            http://h:81/ | redirect to another service
            //i/         | redirect to another service
            mailto:a@b   | redirect to something that is not a URL
            http://h:x/  | redirect to something that is not a URL
            """)
    void any_other_is_a_failure(String location, String reason) {
        assertThat(first("GET http://h/", 302, "Location: " + location)).isEqualTo(reason);
        assertThat(exchange.outcome.isResponse()).as("the service has answered").isTrue();
    }

    @Test
    void a_unix_socket_has_no_port() {
        assertThat(first("GET unix:/s:/a", 302, "Location: http://localhost:99/b"))
                .startsWith("GET /b HTTP/1.1\n");
    }

    @ParameterizedTest(name = "{0} after {1} is {2}")
    @CsvSource({
        "POST, 301, GET",
        "POST, 302, GET",
        "POST, 303, GET",
        "POST, 307, POST",
        "POST, 308, POST",
        "PUT, 301, PUT",
        "PUT, 302, PUT",
        "PUT, 303, GET",
        "HEAD, 303, HEAD",
        "GET, 308, GET",
        "POST, 300, answered",
        "POST, 304, answered",
        "POST, 306, answered",
        "POST, 309, answered",
    })
    void a_body_goes_with_its_method(String method, int status, String next) {
        String sent = first(method + " http://h/a\nContent-Type: text/plain\nX-A: b\n\nbody", status, "lOCATION:/x");
        if (next.equals("answered")) {
            assertThat(sent).isEqualTo(next);
            return;
        }
        boolean hasBody = method.equals(next) && status != 303;
        assertThat(sent)
                .isEqualTo(next + " /x HTTP/1.1\nHost: h\nUser-Agent: downbeat\nAccept: */*\n"
                        + (hasBody ? "Content-Type: text/plain\n" : "")
                        + "X-A: b\n"
                        + (hasBody ? "Content-Length: 4\n\nbody" : "\n"));
    }

    @Test
    void a_location_is_that_of_the_last_head_and_of_a_redirect_alone() {
        assertThat(first("GET http://h/", 302, "HTTP/1.1 103 Early", "Location: /x", "HTTP/1.1 302 Found", "Server: s"))
                .isEqualTo("answered");
        assertThat(first("GET http://h/", 200, "HTTP/1.1 200 OK", "Location: /x"))
                .isEqualTo("answered");
        assertThat(first("GET http://h/", 302, "Relocation: /x", "Location")).isEqualTo("answered");
    }

    @Test
    void each_request_has_its_own_hops() {
        RequestWriter writer = writer("GET http://h/a/b", 2);
        for (int request = 0; request < 2; request++) {
            Written.write(writer, exchange);
            assertThat(next(writer, 302, "Location: c/d")).startsWith("GET /a/c/d ");
            assertThat(next(writer, 302, "Location: e"))
                    .as("relative to the last")
                    .startsWith("GET /a/c/e ");
            assertThat(next(writer, 302, "Location: f")).isEqualTo("more than 2 redirects");
            assertThat(exchange.outcome.isResponse()).isTrue();
        }
        assertThat(writer.writeFollowUp(exchange, new RequestBytes())).isFalse();
        RequestWriter one = writer("GET http://h/", 1);
        Written.write(one, exchange);
        next(one, 302, "Location: c");
        assertThat(next(one, 302, "Location: d")).isEqualTo("more than 1 redirect");
    }
}
