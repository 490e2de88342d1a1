package dev.downbeat.http.requests.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.requests.Written;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoggedRequestsTest {
    @TempDir
    private static Path folder;

    private static LoggedLines read(String log) {
        return read(null, log);
    }

    private static LoggedLines read(@Nullable String format, String log) {
        try {
            Path file = Files.createTempDirectory(folder, "log").resolve("access.log");
            Files.write(file, log.getBytes(StandardCharsets.ISO_8859_1));
            return LoggedLines.read(file, Optional.ofNullable(format).map(LogFormat::parse), 3);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            combined ~ 1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "POST /a?b=c HTTP/1.1" 200 5 "-" "curl"
            $remote_addr [$time_local] "$request" $status ~ 1.1.1.1 [10/Oct/2025:13:55:36 +0000] "POST /a?b=c HTTP/1.1" 200
            $host $time_iso8601|$request_method|$request_uri|$status ~ h 2025-10-10T13:55:36+00:00|POST|/a?b=c|200
            $time_local $request_method $request_uri ~ 10/Oct/2025:13:55:36 +0000 POST /a?b=c
            ${msec}000 "$http_user_agent" $request_uri $request_method ~ 1760104536.000000 "GET /not/this" /a?b=c POST
            %h %l %u %t \\"%r\\" %>s %b ~ h - - [10/Oct/2025:13:55:36 +0000] "POST /a?b=c HTTP/1.1" 200 5
            %{%s}t %{X-Id}i %m %U%q %>s ~ 1760104536 i POST /a?b=c 200
            [%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% ~ [2025-10-10T13:55:36.000Z] "POST /a?b=c HTTP/2" 200
            alb ~ h2 2025-10-10T13:55:36.186641Z app/lb/50dc 192.168.131.39:2817 10.0.0.1:80 0.0 0.1 0.0 200 200 34 366 "POST https://www.example.com:443/a?b=c HTTP/2.0" "curl/7.46.0" ECDHE TLSv1.2
            caddy ~ {"level":"info","ts":1760104536.5241024,"logger":"http.log.access","request":{"remote_ip":"::1","method":"POST","host":"h","uri":"/a?b=c","headers":{"Accept":["*/*"]}},"status":200}
            traefik ~ {"ClientAddr":"1.1.1.1:80","RequestMethod":"POST","RequestPath":"/a?b=c","RequestPort":"-","StartLocal":"2025-10-10T13:55:36.1+02:00","StartUTC":"2025-10-10T11:55:36.123Z","level":"info"}
            """)
    void a_format_locates_time_and_request(String format, String line) {
        LoggedLines lines = read(format, line + "\n" + "something else\n" + line + "\r\n");
        assertThat(lines.count()).isEqualTo(2);
        assertThat(line(lines, 0)).isEqualTo("POST /a?b=c HTTP/1.1");
        assertThat(line(lines, 1)).isEqualTo("POST /a?b=c HTTP/1.1");
        assertThat(lines.names()).containsExactly("POST /a");
        assertThat(lines.notes()).anyMatch(note -> note.contains("1 of 3 lines"));
    }

    /** CloudFront's query is a field of its own; Go escapes what HTML knows. */
    @Test
    void formats_of_clouds_and_proxies_are_known_by_name() {
        LoggedLines clouds = read("cloudfront", """
                #Version: 1.0
                #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status
                2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td1.cloudfront.net\t/index.html\t200\t-\tMozilla\ta=1
                2019-12-04\t21:02:33\tLAX1\t392\t192.0.2.100\tGET\td1.cloudfront.net\t/b\t200\t-\tMozilla\t-
                """);
        assertThat(clouds.count()).isEqualTo(2);
        assertThat(line(clouds, 0)).isEqualTo("GET /index.html HTTP/1.1");
        LoggedLines proxy = read(
                "traefik",
                "{\"RequestMethod\":\"GET\",\"RequestPath\":\"/a?b=1\\u0026c=\\u003cd\",\"StartUTC\":\"2025-10-10T11:55:36Z\"}\n");
        assertThat(line(proxy, 0)).isEqualTo("GET /a?b=1&c=%3Cd HTTP/1.1");
        assertThatThrownBy(
                        () -> read("alb", "h 2025-10-10T13:55:36Z e c t 0 0 0 460 - 0 0 \"- http://h:80- -\" \"-\"\n"))
                .hasMessageContaining("no line matches alb");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            $remote_addr "$request" ~ has no time: $time_local
            %t %h ~ has no request: $request
            $time_local$request ~ has two fields without anything between them
            """)
    void a_format_that_does_not_say_it_is_refused(String format, String why) {
        assertThatThrownBy(() -> LogFormat.parse(format)).hasMessageContaining(why);
    }

    @Test
    void of_fields_apart_each_line_has_its_own_method_and_they_are_sorted_together() {
        LoggedLines lines = read("$msec $request_method $request_uri", """
                1760104538.500 GET /c/3
                1760104536.500 DELETE /a/1
                1760104537.500 POST /b/2
                1760104537.500 get /b/2
                1760104537.500 AB /b/2
                """);
        assertThat(lines.notes()).anyMatch(note -> note.contains("2 of 5 lines have no time or no request"));
        assertThat(line(lines, 0)).isEqualTo("DELETE /a/1 HTTP/1.1");
        assertThat(line(lines, 1)).isEqualTo("POST /b/2 HTTP/1.1");
        assertThat(line(lines, 2)).isEqualTo("GET /c/3 HTTP/1.1");
        assertThat(lines.names()).containsExactly("GET /c/{id}", "DELETE /a/{id}", "POST /b/{id}");
        assertThat(lines.times()).isEqualTo(Replay.of(0, 1_000_000_000L, 2_000_000_000L));
    }

    /** A line's method is a number of seven bits beside its place in the file. */
    @Test
    void of_fields_apart_at_most_a_hundred_methods_are_read_and_the_other_lines_are_counted() {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 140; i++) {
            log.append("1760104536.500 GE")
                    .append((char) ('A' + i / 26))
                    .append((char) ('A' + i % 26))
                    .append(" /a\n");
        }
        LoggedLines lines = read("$msec $request_method $request_uri", log.toString());
        assertThat(lines.count()).isEqualTo(100);
        assertThat(line(lines, 99)).isEqualTo("GEDV /a HTTP/1.1");
        assertThat(lines.notes()).anyMatch(note -> note.contains("40 of 140 lines"));
    }

    @Test
    void names_show_neither_keys_nor_control_characters() {
        LoggedLines lines = read("$msec $request_method $request_uri", """
                1760104536.500 POST /bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/send
                1760104537.500 GET /a\u001b[2J
                """);
        assertThat(line(lines, 0)).contains("/bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/send");
        assertThat(lines.names()).containsExactly("POST /bot123456:***/send", "GET /a [2J");
    }

    private static String line(LoggedLines lines, int index) {
        LoggedRequests requests = new LoggedRequests(HttpEndpoint.parse("http://h:1/"), lines, List.of());
        return Written.write(requests.writer(1, false), Written.exchange(index, 0))
                .lines()
                .findFirst()
                .orElseThrow();
    }

    /** Without a length, a server waits for the body of a POST. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"GET, false", "HEAD, false", "POST, true", "PUT, true", "PATCH, true", "PROPFIND, false"})
    void a_logged_request_is_sent_with_an_empty_body_where_its_method_has_one(String method, boolean hasBody) {
        LoggedLines lines = read("1.1.1.1 - - [10/Oct/2025:13:55:37 +0000] \"" + method + " /b HTTP/1.1\" 200 5\n");
        LoggedRequests requests = new LoggedRequests(
                HttpEndpoint.parse("http://h:1/"), lines, List.of(new HttpRequest.Header("X-Test", "a")));
        RequestWriter writer = requests.writer(1, true);
        String written = Written.write(writer, Written.exchange(0, 0));
        assertThat(written).startsWith(method + " /b HTTP/1.1\n").endsWith("\nConnection: close\n\n");
        assertThat(written.lines()).contains("Host: h:1", "X-Test: a");
        assertThat(written.contains("\nContent-Length: 0\n")).isEqualTo(hasBody);
        assertThat(Written.write(requests.writer(1, false), Written.exchange(0, 0)))
                .doesNotContain("Connection");
    }

    @Test
    void a_header_may_say_that_no_request_follows_on_a_connection() {
        LoggedLines lines = read("1.1.1.1 - - [10/Oct/2025:13:55:37 +0000] \"GET /b HTTP/1.1\" 200 5\n");
        assertThat(new LoggedRequests(
                                HttpEndpoint.parse("http://h:1/"),
                                lines,
                                List.of(new HttpRequest.Header("connection", "x, Close")))
                        .writer(1, false)
                        .closesConnection())
                .isTrue();
        assertThat(new LoggedRequests(HttpEndpoint.parse("http://h:1/"), lines, List.of())
                        .writer(1, false)
                        .closesConnection())
                .isFalse();
    }

    @Test
    void each_line_gives_its_method_and_path_in_the_order_of_their_times() {
        LoggedLines lines = read("""
                1.1.1.1 - - [10/Oct/2025:13:55:37 +0000] "POST /b?x=1 HTTP/1.1" 200 5 "-" "agent"
                1.1.1.1 - ann [10/Oct/2025:13:55:36 +0000] "GET /a/17 HTTP/1.1" 200 5
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "\\x16\\x03" 400 5
                1.1.1.1 - - [10/Oct/2025:13:55:38 +0000] "GET /a/18?q=\u00e9 HTTP/1.1" 200 5
                """);
        assertThat(lines.count()).isEqualTo(3);
        assertThat(line(lines, 0)).isEqualTo("GET /a/17 HTTP/1.1");
        assertThat(line(lines, 1)).isEqualTo("POST /b?x=1 HTTP/1.1");
        assertThat(line(lines, 2)).isEqualTo("GET /a/18?q=%E9 HTTP/1.1");
        assertThat(lines.names()).containsExactlyInAnyOrder("GET /a/{id}", "POST /b");
        assertThat(lines.notes())
                .containsExactly(
                        "access.log: 1 of 4 lines have no time or no request and are left out; the first is line 3",
                        "access.log: its stamps are whole seconds; requests are spread at random within each");
    }

    @Test
    void bytes_that_a_server_escapes_in_its_log_are_sent_as_they_came() {
        LoggedLines lines = read("""
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "GET /\\xC3\\xA9?q=\\x22a\\x5C HTTP/1.1" 200 5
                1.1.1.1 - - [10/Oct/2025:13:55:37 +0000] "GET /b\\"c\\\\ HTTP/1.1" 200 5
                {"t":1760104538.125,"request":"GET /a?b=1\\u0026c HTTP/2.0"}
                """);
        assertThat(line(lines, 0)).isEqualTo("GET /%C3%A9?q=%22a%5C HTTP/1.1");
        assertThat(line(lines, 1)).isEqualTo("GET /b%22c%5C HTTP/1.1");
        assertThat(line(lines, 2)).isEqualTo("GET /a?b=1&c HTTP/1.1");
    }

    @Test
    void stamps_finer_than_a_second_are_kept() {
        LoggedLines lines = read("""
                2025-10-10T13:55:36.250+0000 GET /a
                2025-10-10T13:55:36.750Z "GET /b HTTP/1.1"
                """);
        assertThat(lines.times()).isEqualTo(Replay.of(0, 500_000_000L));
        assertThat(read("{\"t\":1700000000.125,\"request\":\"GET /a HTTP/2.0\"}\n")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void of_a_whole_second_and_nginxs_milliseconds_the_milliseconds_count() {
        LoggedLines lines = read("""
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] 1760104536.125 "GET /a?t=1760104536.999 HTTP/1.1" 200
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "GET /b?t=1760104536.999 HTTP/1.1" 200 1760104536.375
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] 1560104536.125 "GET /c HTTP/1.1" 200 1760104536.500
                """);
        assertThat(lines.times()).isEqualTo(Replay.of(0, 250_000_000L, 375_000_000L));
        assertThat(lines.notes()).isEmpty();
    }

    @Test
    void whole_seconds_are_spread_over_their_second() {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            log.append("[10/Oct/2025:13:55:3").append(i / 1_000).append(" +0000] \"GET / HTTP/1.1\"\n");
        }
        IntendedTimes times = read(log.toString()).times().times();
        long[] bySlice = new long[30];
        for (long at = times.nextNanos(); at < 3_000_000_000L; at = times.nextNanos()) {
            bySlice[(int) (at / 100_000_000L)]++;
        }
        for (long count : bySlice) {
            assertThat(count).isBetween(50L, 160L); // 100 on average, 10 the deviation
        }
    }

    @Test
    void requests_that_the_log_has_lost_are_not_sent() throws IOException {
        Path file = folder.resolve("rotated.log");
        Files.writeString(file, "1760104536.500 GET /a\n1760104537.500 GET /b/long");
        LoggedLines lines =
                LoggedLines.read(file, Optional.of(LogFormat.parse("$msec $request_method $request_uri")), 3);
        assertThat(line(lines, 1)).isEqualTo("GET /b/long HTTP/1.1");
        Files.writeString(file, "1760104536.500 GET /a\n1760104537.500 GET /b/");
        LoggedLines rotated =
                LoggedLines.read(file, Optional.of(LogFormat.parse("$msec $request_method $request_uri")), 4);
        Files.writeString(file, "1760104536.500 GET /a\n1760104537.500 GET /");
        assertThat(line(rotated, 0)).isEqualTo("GET /a HTTP/1.1");
        assertThat(line(rotated, 1)).isEqualTo("the access log was truncated during the run");
    }

    @Test
    void a_length_is_refused_because_logged_requests_have_no_body() {
        LoggedLines lines = read("1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /Aa HTTP/1.1\" 200 5\n");
        List<HttpRequest.Header> length = List.of(new HttpRequest.Header("Content-Length", "5"));
        assertThatThrownBy(() -> new LoggedRequests(HttpEndpoint.parse("http://h/"), lines, length))
                .hasMessage("header Content-Length is set from the body; leave it out");
        assertThat(new LoggedRequests(HttpEndpoint.parse("unix:/run/a.sock"), lines, List.of()).describe())
                .isEqualTo("1 logged request to unix:/run/a.sock");
    }

    /** A word has fewer hexadecimal digits than an identifier. */
    @Test
    void numbers_and_identifiers_in_a_path_share_a_name() {
        StringBuilder log = new StringBuilder("#comment\n\r\n\n");
        for (String request : List.of(
                "GET /a/7/b",
                "GET /a/8/b?c=9",
                "GET /a/0123456789abcde",
                "GET /a/0123456789abcdeF",
                "GET /a/123e4567-e89b-12d3-a456-426614174000",
                "GET /a/0123456789abcdeg",
                "GET /a/",
                "GET /7x",
                "OPTIONS *")) {
            log.append("[10/Oct/2025:13:55:36 +0000] \"").append(request).append(" HTTP/1.1\"\n");
        }
        log.append("[10/Oct/2025:13:55:36 +0000] \"GO /a HTTP/1.1\"\n[10/Oct/2025:13:55:36 +0000] xGET /a\n");
        LoggedLines lines = read(log.toString());
        assertThat(lines.names())
                .containsExactly(
                        "GET /a/{id}/b",
                        "GET /a/0123456789abcde",
                        "GET /a/{id}",
                        "GET /a/0123456789abcdeg",
                        "GET /a/",
                        "GET /7x",
                        "OPTIONS *");
        assertThat(lines.count()).isEqualTo(9);
        assertThat(lines.notes())
                .contains("access.log: 2 of 11 lines have no time or no request and are left out; the"
                        + " first is line 13");
    }

    @Test
    void a_line_of_more_than_a_mebibyte_is_read_between_others() {
        String stamp = "[10/Oct/2025:13:55:3%d +0000] \"GET /%s HTTP/1.1\"";
        LoggedLines lines = read(stamp.formatted(1, "a") + "\n" + stamp.formatted(2, "b?" + "x".repeat(1_100_000))
                + "\n" + stamp.formatted(3, "c"));
        assertThat(lines.names()).containsExactly("GET /a", "GET /b", "GET /c");
        assertThat(line(lines, 1)).hasSize("GET /b? HTTP/1.1".length() + 1_100_000);
        assertThat(line(lines, 2)).isEqualTo("GET /c HTTP/1.1");
    }

    @Test
    void paths_that_differ_little_have_names_of_their_own() {
        assertThat(read("""
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "GET /Aa HTTP/1.1" 200 5
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "GET /BB HTTP/1.1" 200 5
                """).names()).containsExactly("GET /Aa", "GET /BB");
    }

    @Test
    void a_log_without_requests_is_refused() {
        assertThatThrownBy(() -> read("2025-10-10T13:55:36Z\n")).hasMessageContaining("use --times-only");
    }

    @Test
    void a_log_that_cannot_be_read_as_it_is_sent_is_refused() {
        assertThatThrownBy(() -> read("\u001f\u008b\b\0 GET /a"))
                .hasMessage("access.log is compressed: unpack it first, as with gunzip");
        assertThatThrownBy(() -> LoggedLines.read(Path.of("/dev/null"), Optional.empty(), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "/dev/null is not a regular file: its lines are read again during the run, so save it to a file first");
    }

    @Test
    void a_last_line_that_was_cut_off_in_its_request_is_left_out() {
        String whole = "1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /torches HTTP/1.1\" 200 5";
        LoggedLines torn = read(whole + "\n" + whole.substring(0, whole.indexOf("ches")));
        assertThat(torn.count()).isOne();
        assertThat(torn.names()).containsExactly("GET /torches");
        assertThat(torn.notes()).anyMatch(note -> note.contains("1 of 2 lines"));
        assertThat(read(whole + "\n" + whole).count()).isEqualTo(2);
        assertThat(read("2025-10-10T13:55:36Z GET /a\n2025-10-10T13:55:37Z GET /b")
                        .count())
                .isEqualTo(2);
    }

    /** Ended in another order than begun, by up to a second, as Apache writes it, and a few by more than a minute. */
    @Test
    void of_a_long_log_a_few_thousand_lines_are_in_memory_and_it_is_replayed_in_the_order_of_time() {
        int lines = 512 * 140; // more than are kept
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            int block = i >> 9;
            int away = block == 2 ? 128 : block == 130 ? -128 : 0; // beyond the 65,536 lines that are sorted together
            int place = (i + (away << 9)) ^ 0x1ff; // blocks of 512 backwards
            log.append(1_700_000_000L + place / 1_000)
                    .append('.')
                    .append(1_000 + place % 1_000)
                    .deleteCharAt(log.length() - 4)
                    .append(" GET /p" + place % 7 + "/" + place + "\n");
        }
        LoggedLines read = read("$msec $request_method $request_uri", log.toString());
        assertThat(read.count()).isEqualTo(lines);
        assertThat(read.names()).hasSize(7);
        IntendedTimes whole = read.times().scaled(2, 1).times();
        IntendedTimes third = read.times().times(2, 3);
        RequestBytes bytes = new RequestBytes();
        for (int i = 0; i < lines; i++) {
            bytes.clear();
            read.write(i, bytes);
            String request = new String(bytes.array(), 0, bytes.length(), StandardCharsets.US_ASCII);
            boolean isRight = whole.nextNanos() == i * 500_000L
                    && (i % 3 != 2 || (third.nextNanos() == i * 1_000_000L && third.index() == i))
                    && request.equals("GET /p" + i % 7 + "/" + i)
                    && read.names().get(read.nameOf(i)).equals("GET /p" + i % 7 + "/{id}");
            if (!isRight) {
                throw new AssertionError("line " + i + ": " + request);
            }
        }
        assertThat(whole.nextNanos()).isEqualTo(IntendedTimes.END);
        assertThat(read.text.linesInMemory()).isBetween(1, 20_000);
        assertThat(read.times())
                .isEqualTo(read.times())
                .isNotEqualTo(read.times().scaled(2, 1));
    }
}
