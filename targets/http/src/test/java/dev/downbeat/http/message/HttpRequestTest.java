package dev.downbeat.http.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.Written;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpRequestTest {

    private static String encoded(HttpRequest request, boolean close) {
        return new String(request.encode(close), StandardCharsets.UTF_8);
    }

    @Test
    void a_get_has_what_every_server_wants() {
        assertThat(encoded(HttpRequest.get("http://example.test:8080/a?b=c"), false))
                .isEqualTo(
                        "GET /a?b=c HTTP/1.1\r\nHost: example.test:8080\r\nUser-Agent: downbeat\r\nAccept: */*\r\n\r\n");
    }

    @Test
    void headers_that_are_given_replace_the_usual_ones_and_a_body_has_its_length() {
        HttpRequest post = HttpRequest.of(
                "POST",
                HttpEndpoint.parse("http://localhost/"),
                List.of(HttpRequest.Header.parse("host: other"), HttpRequest.Header.parse("X-A:  b ")),
                "grün".getBytes(StandardCharsets.UTF_8));
        assertThat(encoded(post, true))
                .isEqualTo("POST / HTTP/1.1\r\nUser-Agent: downbeat\r\nAccept: */*\r\nhost: other\r\nX-A: b\r\n"
                        + "Content-Length: 5\r\nConnection: close\r\n\r\ngrün");
    }

    @Test
    void values_that_would_split_a_request_are_refused() {
        assertThatThrownBy(() -> new HttpRequest.Header("X", "a\r\nY: b")).hasMessageContaining("line breaks");
        assertThatThrownBy(() -> HttpRequest.Header.parse("no colon"))
                .hasMessage("a header must be 'Name: value', but one has no colon");
        HttpEndpoint here = HttpEndpoint.parse("http://localhost/");
        assertThatThrownBy(() -> HttpRequest.of("GET /", here, List.of(), new byte[0]))
                .hasMessageContaining("'GET /'");
        List<HttpRequest.Header> length = List.of(new HttpRequest.Header("Content-Length", "1"));
        assertThatThrownBy(() -> HttpRequest.of("PUT", here, length, new byte[0]))
                .hasMessageContaining("Content-Length");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost, http://localhost/, localhost:80, localhost",
        "HTTPS://a.test/x, https://a.test/x, a.test:443, a.test",
        "http://127.0.0.1:8080?q=1&page=1, http://127.0.0.1:8080/?q=***&page=1, 127.0.0.1:8080, 127.0.0.1:8080",
        "http://my_app:8080/a, http://my_app:8080/a, my_app:8080, my_app:8080",
        "https://my_app, https://my_app/, my_app:443, my_app",
        "http://[::1]:99/, http://[::1]:99/, [::1]:99, [::1]:99",
        "http://[fe80::1%25eth0]:99/, http://[fe80::1%eth0]:99/, [fe80::1%eth0]:99, [fe80::1%eth0]:99",
        "https://b\u00fccher.example/gr\u00fcn?q=\u00e9, https://xn--bcher-kva.example/gr%C3%BCn?q=***,"
                + " xn--bcher-kva.example:443, xn--bcher-kva.example",
        "http://b\u00fccher:81/, http://xn--bcher-kva:81/, xn--bcher-kva:81, xn--bcher-kva:81",
        "http://b%c3%bccher/, http://xn--bcher-kva/, xn--bcher-kva:80, xn--bcher-kva",
        "unix:/run/a.sock:/status, unix:/run/a.sock:/status, /run/a.sock, localhost",
        "unix:/run/a.sock, unix:/run/a.sock:/, /run/a.sock, localhost",
        "unix:/s:/a?b=c, unix:/s:/a?b=***, /s, localhost",
        "http://a:1, http://a:1/, a:1, a:1",
        "https://a_b:65535, https://a_b:65535/, a_b:65535, a_b:65535",
        "http://a:443, http://a:443/, a:443, a:443",
        "https://a:80, https://a:80/, a:80, a:80",
    })
    void endpoints_are_read(String text, String shown, String address, String authority) {
        HttpEndpoint endpoint = HttpEndpoint.parse(text);
        assertThat(endpoint).hasToString(shown);
        assertThat(endpoint.address()).isEqualTo(address);
        assertThat(endpoint.authority()).isEqualTo(authority);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost:8080",
                "ftp://x/",
                "http://",
                "http:///path",
                "http://host:port/",
                "http://host:0/",
                "http://host:65536/",
                "http://a b/",
                "unix:relative.sock",
                "unix:",
                "unix:/",
                "unix:/s:/a b",
                "unix:/s:/a\u007f",
            })
    void an_invalid_endpoint_is_refused_in_one_line(String text) {
        assertThatThrownBy(() -> HttpEndpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("target '" + text + "'")
                .hasMessageContaining("accepted: http://")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            localhost:8080/a | no scheme: write http://localhost:8080/a (
            http:/shop/a     | no scheme: write http://shop/a (
            HTTPS//shop      | no scheme: write https://shop (
            load.js          | no scheme, and Downbeat runs no scripts: write the requests to a file, such as requests.http (
            a b/c            | no scheme (
            ftp://x/         | scheme 'ftp' is not supported (
            http://          | no host (
            http:///path     | no host (
            http://a/b c     | contains a space (write %20) (
            http://me@host/  | contains a user name (send it in a header) (
            http://host:x/   | no host, or a port that is not a number (
            http://host:0/   | port 0 is not from 1 to 65535 (
            http://host:65536/ | port 65536 is not from 1 to 65535 (
            http://a_b:65536/  | port 65536 is not from 1 to 65535 (
            unix:a.sock      | the socket must be an absolute path (
            unix:/s:/a b     | white space in the path (
            """)
    void what_is_wrong_with_an_endpoint_is_said(String text, String why) {
        assertThatThrownBy(() -> HttpEndpoint.parse(text)).message().contains("': " + why);
    }

    @ParameterizedTest(name = "{0} with a body of {1} bytes has its length: {2}")
    @CsvSource({"GET, 0, false", "GET, 1, true", "DELETE, 0, false", "POST, 0, true", "PUT, 0, true", "PATCH, 0, true"})
    void a_length_is_sent_where_a_server_waits_for_a_body(String method, int bytes, boolean hasLength) {
        HttpRequest request = HttpRequest.of(method, HttpEndpoint.parse("http://h/"), List.of(), new byte[bytes]);
        assertThat(encoded(request, false).contains("Content-Length: " + bytes + "\r\n"))
                .isEqualTo(hasLength);
    }

    @Test
    void a_connection_header_that_is_given_is_the_only_one() {
        HttpRequest kept = HttpRequest.of(
                "HEAD",
                HttpEndpoint.parse("http://h/"),
                List.of(HttpRequest.Header.parse("connection: keep-alive")),
                new byte[0]);
        assertThat(encoded(kept, true)).contains("connection: keep-alive\r\n").doesNotContain("close");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:HUSH@host/",
                "ftp://me:HUSH@host/",
                "me:HUSH@host/",
                "http://host/?pwd=HUSH HUSH",
                "http://host:port/?HUSH",
                "unix:/s:/a b?jwt=HUSH",
                "unix:relative?code=HUSH",
                "http://h/a#HUSH HUSH",
            })
    void a_refusal_repeats_no_secret(String text) {
        assertThatThrownBy(() -> HttpEndpoint.parse(text))
                .hasMessageContaining("***")
                .hasMessageNotContaining("HUSH");
    }

    @Test
    void connections_are_opened_beforehand_if_they_are_kept() {
        HttpRequest request = HttpRequest.get("http://h/");
        assertThat(new HttpTarget(request, HttpOptions.of(few())).preconnects()).isEqualTo(3);
        for (HttpOptions none : List.of(
                HttpOptions.of(few().andThen(draft -> draft.preconnect = false)),
                HttpOptions.of(few().andThen(draft -> draft.keepAlive = false)),
                HttpOptions.of(few().andThen(draft -> draft.cold = true)))) {
            assertThat(new HttpTarget(request, none).preconnects()).isZero();
        }
        HttpTarget two = new HttpTarget(
                Written.set("GET http://a/\n###\nGET https://b/", RequestSet.Order.IN_TURN), HttpOptions.of(few()));
        assertThat(two.preconnects()).isEqualTo(6);
        assertThat(two.tls()).isPresent();
        assertThat(new HttpTarget(request, HttpOptions.of(few())).tls()).isEmpty();
        HttpOptions http2 = HttpOptions.of(few().andThen(draft -> {
            draft.proxy = Optional.of(HttpOptions.Proxy.parse("p:1"));
            draft.http = HttpOptions.HttpVersion.HTTP_2;
        }));
        assertThatThrownBy(() -> new HttpTarget(request, http2))
                .hasMessageContaining("cannot forward unencrypted HTTP/2");
        assertThat(new HttpTarget(HttpRequest.get("https://h/"), http2).tls()).isPresent();
    }

    private static Consumer<HttpOptions.Draft> few() {
        return draft -> draft.connections = 3;
    }

    @Test
    void a_request_shows_no_secret_and_sends_it() {
        HttpRequest.Header header = new HttpRequest.Header("X-Jwt", "HUSH");
        HttpEndpoint endpoint = HttpEndpoint.parse("http://h/a?pwd=HUSH&page=2");
        HttpRequest request =
                HttpRequest.of("POST", endpoint, List.of(header), "HUSH".getBytes(StandardCharsets.UTF_8));
        assertThat(header).hasToString("X-Jwt: ***");
        assertThat(request).hasToString("POST http://h/a?pwd=***&page=2");
        assertThat(List.of(endpoint, endpoint.query(), new HttpTarget(request, HttpOptions.of(draft -> {})).describe())
                        .toString())
                .doesNotContain("HUSH");
        assertThat(encoded(request, false)).contains("POST /a?pwd=HUSH&page=2 HTTP/1.1", "X-Jwt: HUSH");
        assertThatThrownBy(() -> HttpRequest.Header.parse("Cookie=HUSH: a")).hasMessageNotContaining("HUSH");
        assertThatThrownBy(() -> HttpRequest.Header.parse(":HUSH")).hasMessageNotContaining("HUSH");
    }
}
