package dev.downbeat.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpMessageTest {
    private final RequestBytes bytes = new RequestBytes();

    private String text(int from) {
        return new String(bytes.array(), from, bytes.length() - from, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, 99, 100, -1, -10, Long.MAX_VALUE, Long.MIN_VALUE})
    void a_number_has_its_digits_however_full_the_buffer_is(long number) {
        for (int before = 1_000; before <= 1_024; before++) {
            RequestBytes full = new RequestBytes();
            full.append(new byte[before]);
            full.decimal(number);
            assertThat(new String(full.array(), before, full.length() - before, StandardCharsets.US_ASCII))
                    .isEqualTo(Long.toString(number));
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "HEAD /, true",
        "HEAD http://h/, true",
        "HEAD, false",
        "HEADS /, false",
        "head /, false",
        "HELD /, false"
    })
    void a_request_is_a_head_by_its_method_as_written(String line, boolean isHead) {
        byte[] whole = (line + " HTTP/1.1").getBytes(StandardCharsets.US_ASCII);
        assertThat(RequestBytes.isHead(whole, line.length())).isEqualTo(isHead);
    }

    @Test
    void a_url_keeps_what_is_allowed_in_it() {
        String plain = "!#$%&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz~";
        StringBuilder expected = new StringBuilder();
        HexFormat hex = HexFormat.of().withUpperCase();
        bytes.append(new byte[] {' '}); // what stands before is not touched
        for (int one = 0; one < 256; one++) {
            bytes.one(one);
            expected.append(plain.indexOf(one) >= 0 ? String.valueOf((char) one) : "%" + hex.toHexDigits((byte) one));
        }
        bytes.percentEncode(1);
        assertThat(text(0)).isEqualTo(" " + expected);
        bytes.clear();
        bytes.append(plain.getBytes(StandardCharsets.US_ASCII));
        bytes.percentEncode(0);
        assertThat(text(0)).isEqualTo(plain);
    }

    @Test
    void a_value_in_a_url_starts_no_fragment_and_a_component_nothing() {
        String all = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";
        String reserved = "!#$%&'()*+,/:;=?@[]\"\n";
        bytes.append((all + reserved).getBytes(StandardCharsets.US_ASCII));
        bytes.percentEncodeComponent(0);
        assertThat(text(0)).isEqualTo(all + "%21%23%24%25%26%27%28%29%2A%2B%2C%2F%3A%3B%3D%3F%40%5B%5D%22%0A");
        bytes.clear();
        bytes.append((all + reserved).getBytes(StandardCharsets.US_ASCII));
        bytes.percentEncodeValue(0);
        assertThat(text(0)).isEqualTo(all + "!%23$%25&'()*+,/:;=?@[]%22%0A");
    }

    /** A server answers 400 to the first, and would decode the second twice. */
    @ParameterizedTest
    @CsvSource({
        "50% off, 50%25%20off",
        "%, %25",
        "%4, %254",
        "%%41, %25%41",
        "x y%20z, x%20y%20z",
        "%c3%A9%zz, %c3%A9%25zz",
        "<100%>, %3C100%25%3E",
    })
    void a_percent_sign_in_a_value_is_encoded_unless_it_encodes(String value, String sent) {
        bytes.append(value.getBytes(StandardCharsets.US_ASCII));
        bytes.percentEncodeValue(0);
        assertThat(text(0)).isEqualTo(sent);
    }

    @Test
    void a_value_is_one_line() {
        bytes.append("a\nb\r\nc\0d\te".getBytes(StandardCharsets.US_ASCII));
        bytes.oneLine(2);
        assertThat(text(0)).isEqualTo("a\nb  c d\te");
    }

    private static HttpResponse response(String... lines) {
        HttpResponse.Reader reader = new HttpResponse.Reader();
        for (String line : lines) {
            byte[] text = ("__" + line).getBytes(StandardCharsets.ISO_8859_1);
            reader.line(text, 2, text.length);
        }
        reader.body(new byte[] {'n', 'o', 'b', 'o', 'd', 'y'}, 2, 6);
        return reader.response();
    }

    @Test
    void a_response_has_the_fields_of_its_last_head() {
        HttpResponse teapot = response(
                "HTTP/1.1 103 Early", "Link: x", "HTTP/1.1 418 I'm a teapot", "A:  b ", " folded: x", ":c", "D:");
        assertThat(teapot.status()).isEqualTo(418);
        assertThat(teapot.reason()).isEqualTo("I'm a teapot");
        assertThat(teapot.fields()).containsExactly(new HttpResponse.Field("A", "b"), new HttpResponse.Field("D", ""));
        assertThat(teapot.body()).containsExactly('b', 'o', 'd', 'y');
        assertThat(response("HTTP/2 204").status()).isEqualTo(204);
        assertThat(response("HTTP/1.1 204 ").reason()).isEmpty();
    }
}
