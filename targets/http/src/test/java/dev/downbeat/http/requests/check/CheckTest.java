package dev.downbeat.http.requests.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is expected of a response and captured from it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CheckTest {
    private static final int MEBIBYTE = 1 << 20;

    private static ReceivedResponse response(byte[] body, String... lines) {
        ReceivedResponse response = new ReceivedResponse();
        response.begin(true);
        for (String line : lines) {
            byte[] text = ("__" + line).getBytes(StandardCharsets.ISO_8859_1);
            response.line(text, 2, text.length);
        }
        response.body(body, 0, body.length);
        return response;
    }

    private static ReceivedResponse response(String body, String... lines) {
        return response(body.getBytes(StandardCharsets.UTF_8), lines);
    }

    private static Optional<String> captured(String from, ReceivedResponse response) {
        return Capture.parse("a = " + from).from().in(response).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            text/html; charset=ISO-8859-1         | ISO-8859-1
            text/html;boundary=x; Charset="utf-16be" ; a=b | UTF-16BE
            text/html; charset=windows-1252       | windows-1252
            text/html; charset=no-such-charset    | UTF-8
            text/html; charset=                   | UTF-8
            text/html; charset=_?                 | UTF-8
            application/json                      | UTF-8
            none                                  | UTF-8
            """)
    void a_body_is_read_in_the_charset_that_its_response_names(@Nullable String type, Charset charset) {
        String[] lines = type == null ? new String[0] : new String[] {"content-type: " + type};
        assertThat(response("Gr\u00fc\u00dfe".getBytes(charset), lines).body()).isEqualTo("Gr\u00fc\u00dfe");
    }

    /** A page that is large and was packed is looked at as far as a plain one. */
    @Test
    void a_packed_body_that_is_cut_keeps_its_beginning() throws IOException {
        byte[] random = new byte[2 * MEBIBYTE];
        new Random(7).nextBytes(random);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("begin ".getBytes(StandardCharsets.US_ASCII));
            gzip.write(random);
        }
        assertThat(packed.size()).isGreaterThan(MEBIBYTE);
        assertThat(response(packed.toByteArray(), "Content-Encoding: gzip").body())
                .startsWith("begin ")
                .hasSizeGreaterThan(MEBIBYTE / 2);
    }

    @ParameterizedTest(name = "{0} allows {1}, not {2}")
    @CsvSource({
        "2xx, 200 299, 199 300",
        "1xx, 100 199, 99 200",
        "5xx, 500 599, 499 600",
        "'200-204, 404', 200 204 404, 199 205 403 405",
        "100-599, 100 599, 99 600",
        "304, 304, 303 305",
    })
    void a_status_is_within_its_range(String text, String allowed, String others) {
        Expectation.Status status = (Expectation.Status) Expectation.parse(" " + text + " ");
        for (String one : allowed.split(" ")) {
            assertThat(status.allows(Integer.parseInt(one))).as(one).isTrue();
        }
        for (String one : others.split(" ")) {
            assertThat(status.allows(Integer.parseInt(one))).as(one).isFalse();
        }
        assertThat(status.text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"099", "600", "204-200", "200-600", "6xx", "0xx", "20", "200,", "", "body ", "json /a"})
    void what_no_response_can_be_is_refused(String text) {
        assertThatThrownBy(() -> Expectation.parse(text)).hasMessageStartingWith("expected ");
    }

    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            /a = 1        | {"a": 1.0}          | true
            /a = 1        | {"a": "1"}          | false
            /a = "1"      | {"a": "1"}          | true
            /a/1 = true   | {"a": [false, true]} | true
            /a/2 = true   | {"a": [false, true]} | false
            /a~1b/m~0n = 7 | {"a/b": {"m~n": 7}} | true
            /~01 = 7      | {"~1": 7}           | true
            /a/b = 1      | {"a": 1}            | false
            /a = 1        | {"b": 1}            | false
            /a = 1        | no JSON             | false
            """)
    void a_value_of_a_body_is_compared(String check, String body, boolean holds) {
        Expectation.JsonIs json = (Expectation.JsonIs) Expectation.parse("json " + check);
        assertThat(json.holds(body)).isEqualTo(holds);
        assertThat(json.text()).isEqualTo("json " + check);
    }

    @Test
    void a_text_of_a_body_is_found_literally() {
        Expectation.BodyHas has = (Expectation.BodyHas) Expectation.parse("body  a.c ");
        assertThat(has.holds("xa.cx")).isTrue();
        assertThat(has.holds("abc")).isFalse();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            $.items[0].id   | /items/0/id
            $               | ''
            a['b.c']["d"]   | /a/b.c/d
            $['x/y']        | /x~1y
            $.items[*].id   |
            $.*             |
            $..id           |
            /a              |
            $.a[            |
            """)
    void a_path_to_one_value_is_a_pointer(String path, @Nullable String pointer) {
        assertThat(JsonPointer.ofPath(path).map(JsonPointer::toString)).isEqualTo(Optional.ofNullable(pointer));
    }

    @Test
    void values_are_captured_from_bodies_and_headers() {
        ReceivedResponse response = response(
                "{\"id\": \"o7\", \"n\": 1.50, \"list\": [1, null]}",
                "HTTP/1.1 100 Continue",
                "ETag: early",
                "HTTP/1.1 200 OK",
                "ETag:  v1 ",
                "etag: v2");
        assertThat(captured("json /id", response)).hasValue("o7");
        assertThat(captured("json /n", response)).hasValue("1.50");
        assertThat(captured("json /none", response)).isEmpty();
        assertThat(captured("json /list/0", response)).hasValue("1");
        assertThat(captured("header ETAG", response)).hasValue("v1");
        assertThat(captured("header E", response)).isEmpty();
        assertThat(response.headers("etag")).containsExactly("v1", "v2");
        assertThat(captured("regex /\"id\": \"(.)/", response)).hasValue("o");
        assertThat(captured("regex id", response)).hasValue("id");
        assertThat(captured("regex (x)|id", response))
                .as("a group that took no part")
                .isEmpty();
        assertThat(captured("regex none", response)).isEmpty();
        assertThat(captured("json /id", response("no JSON"))).isEmpty();
        assertThatThrownBy(() -> Capture.parse("a = regex ("))
                .hasMessageStartingWith("expected a regular expression, but found '('");
        assertThatThrownBy(() -> Capture.parse("a = json id")).hasMessageStartingWith("expected a JSON pointer");
    }

    @Test
    void the_first_mebibyte_of_a_body_is_looked_at() {
        ReceivedResponse response = response(new byte[MEBIBYTE - 1]);
        response.body(new byte[] {'a', 'b', 'c'}, 1, 3);
        response.body(new byte[] {'d'}, 0, 1);
        assertThat(response.body()).hasSize(MEBIBYTE).endsWith("b");
        response.begin(false);
        response.body(new byte[] {'a'}, 0, 1);
        assertThat(response.body()).isEmpty();
    }

    @Test
    void a_compressed_body_is_read_and_a_corrupt_one_is_empty() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("é".repeat(MEBIBYTE).getBytes(StandardCharsets.UTF_8));
        }
        for (String coding : new String[] {"gzip", "X-GZIP"}) {
            ReceivedResponse response = response(packed.toByteArray(), "Content-Encoding: " + coding);
            assertThat(response.body()).isEqualTo("é".repeat(MEBIBYTE / 2));
            assertThat(response.foreignCoding()).isEmpty();
        }
        assertThat(response("plain", "Content-Encoding: gzip").body()).isEmpty();
        assertThat(response("plain", "Content-Encoding: br").foreignCoding()).hasValue("br");
        assertThat(response("plain", "Content-Encoding: a b").foreignCoding()).hasValue("another coding");
        assertThat(response("plain", "Content-Encoding: ").foreignCoding()).isEmpty();
        assertThat(response("plain").foreignCoding()).isEmpty();
    }
}
