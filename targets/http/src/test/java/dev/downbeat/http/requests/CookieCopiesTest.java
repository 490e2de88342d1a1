package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.requests.file.CurlLine;
import dev.downbeat.http.requests.file.HarRequests;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.Variables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Tokens against cross-site request forgery, which a service compares with a cookie. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CookieCopiesTest {
    private static final String OLD = "eyJpdiI6Ik9sZCJ9AAAAAA";
    private static final String NEW = "eyJpdiI6Ik5ldyJ9BBBBBB";

    private static HttpFile archive(String cookies, String header, String body) {
        return HarRequests.parse("""
                {"log": {"entries": [{"request": {"method": "GET", "url": "http://h/", "headers": []}},
                  {"request": {"method": "POST", "url": "http://h/buy", "headers": [
                    {"name": "cookie", "value": "%s"}, %s], "postData": {"text": "%s"}}}]}}
                """.formatted(cookies, header, body.replace("\"", "\\\"")), "s.har");
    }

    private static String header(String name, String value) {
        return "{\"name\": \"" + name + "\", \"value\": \"" + value + "\"}";
    }

    /** The second request of a session, after the response to the first had these headers. */
    private static String second(HttpFile recording, String... headers) {
        RequestWriter writer = RequestSet.of(
                        recording.requests(), Optional.empty(), Variables.none(), RequestSet.Order.SESSION, 1)
                .writer(1, false);
        Written.write(writer, Written.exchange(0, 0));
        RequestWriter.ResponseSink sink = Objects.requireNonNull(writer.sink(Written.exchange(0, 0)));
        for (String line : headers) {
            byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
            sink.line(bytes, 0, bytes.length);
        }
        assertThat(writer.outcome(Written.exchange(0, 0), Outcome.answered())).isEqualTo(Outcome.answered());
        return Written.write(writer, Written.exchange(0, 1));
    }

    /** Each POST was refused: its cookie was new, and its header still the recorded one. */
    @Test
    void a_header_with_the_value_of_a_replaced_cookie_follows_it() {
        HttpFile plain = archive("XSRF-TOKEN=" + OLD, header("x-xsrf-token", OLD), "{}");
        assertThat(second(plain, "Set-Cookie: XSRF-TOKEN=" + NEW))
                .contains("\nx-xsrf-token: " + NEW + "\n", "\nCookie: XSRF-TOKEN=" + NEW + "\n");
        assertThat(second(plain)).as("a session that was given none").contains("\nx-xsrf-token: " + OLD + "\n");
        assertThat(second(plain, "Set-Cookie: XSRF-TOKEN=; Max-Age=0"))
                .as("a deleted one")
                .contains("\nx-xsrf-token: " + OLD + "\n");
        assertThat(CookieCopies.unreplaced(plain.requests())).isEmpty();
    }

    @Test
    void a_copy_is_decoded_if_scripts_decode_it() {
        HttpFile decoded = archive("XSRF-TOKEN=" + OLD + "%3D", header("X-XSRF-TOKEN", OLD + "="), "{}");
        assertThat(second(decoded, "Set-Cookie: XSRF-TOKEN=" + NEW + "%2B%3D"))
                .contains("\nX-XSRF-TOKEN: " + NEW + "+=\n", "\nCookie: XSRF-TOKEN=" + NEW + "%2B%3D\n");
        HttpFile encoded = archive("XSRF-TOKEN=" + OLD + "%3D", header("X-XSRF-TOKEN", OLD + "%3D"), "{}");
        assertThat(second(encoded, "Set-Cookie: XSRF-TOKEN=" + NEW + "%2B%3D"))
                .contains("\nX-XSRF-TOKEN: " + NEW + "%2B%3D\n");
        assertThat(second(encoded, "Set-Cookie: XSRF-TOKEN=" + NEW + "100%"))
                .contains("\nX-XSRF-TOKEN: " + NEW + "100%\n");
        assertThat(second(decoded, "Set-Cookie: XSRF-TOKEN=" + NEW + "%0d%0aHost: x"))
                .contains("\nX-XSRF-TOKEN: " + NEW + "  Host: x\n");
    }

    @Test
    void a_field_of_a_form_with_the_value_of_a_replaced_cookie_follows_it() throws IOException {
        String form = header("Content-Type", "application/x-www-form-urlencoded");
        HttpFile recording = archive("csrf=" + OLD + "%3D", form, "a=1+%20b&csrf=" + OLD + "%3D&c=é!");
        assertThat(second(recording, "Set-Cookie: csrf=" + NEW + "%3D"))
                .contains("\nContent-Length: 45\n")
                .endsWith("\n\na=1+%20b&csrf=" + NEW + "%3D&c=é!");
        assertThat(second(recording)).endsWith("\n\na=1+%20b&csrf=" + OLD + "%3D&c=é!");
        assertThat(CookieCopies.unreplaced(recording.requests())).isEmpty();
        HttpFile lines = CurlLine.parse(
                "curl http://h/ ; curl http://h/buy -b csrf=" + OLD + " -d csrf=" + OLD + " -d a=1",
                new SourcePosition("--curl", 1),
                Path.of(""));
        assertThat(second(lines, "Set-Cookie: csrf=" + NEW)).endsWith("\n\ncsrf=" + NEW + "&a=1");
        assertThat(CookieCopies.unreplaced(lines.requests())).isEmpty();
    }

    /** A language or a number may be equal by chance. */
    @Test
    void a_short_value_is_no_copy() {
        HttpFile recording = archive("lang=en", header("Accept-Language", "en"), "en");
        assertThat(second(recording, "Set-Cookie: lang=de")).contains("\nAccept-Language: en\n", "lang=de");
        assertThat(CookieCopies.unreplaced(recording.requests())).isEmpty();
    }

    @Test
    void a_copy_within_other_text_stays_and_is_named() {
        HttpFile json = archive("csrf=" + OLD, header("Content-Type", "application/json"), "{\"t\":\"" + OLD + "\"}");
        assertThat(second(json, "Set-Cookie: csrf=" + NEW)).endsWith("{\"t\":\"" + OLD + "\"}");
        assertThat(CookieCopies.unreplaced(json.requests()))
                .contains("s.har entry:2: the body contains the value of the cookie csrf, which every session sends"
                        + " there as recorded");
        HttpFile bearer = archive("csrf=" + OLD, header("Authorization", "Bearer " + OLD), "{}");
        assertThat(CookieCopies.unreplaced(
                        List.of(bearer.requests().get(1), json.requests().get(1))))
                .contains("s.har entry:2: the header Authorization contains the value of the cookie csrf, which every"
                        + " session sends there as recorded; there are 2 such requests");
    }

    /** A clean-up of a former path deleted the cookie that the same response had set. */
    @Test
    void a_deletion_for_another_path_leaves_a_cookie() {
        HttpFile recording = archive("sid=old", header("A", "b"), "{}");
        String[][] kept = {
            {"Set-Cookie: sid=n; Path=/", "Set-Cookie: sid=; Path=/old; Max-Age=0"},
            {"Set-Cookie: sid=; Max-Age=0; path=/old", "Set-Cookie: sid=n; Path=/"},
            {"Set-Cookie: sid=n; Path=/app", "Set-Cookie: sid=; Path=/; Max-Age=0"}
        };
        for (String[] headers : kept) {
            assertThat(second(recording, headers)).contains("\nCookie: sid=n\n");
        }
        assertThat(second(recording, "Set-Cookie: sid=; Path=/old; Max-Age=0")).contains("\nCookie: sid=old\n");
        String[][] deleted = {
            {"Set-Cookie: sid=n; Path=/app", "Set-Cookie: sid=; Path=/app; Max-Age=0"},
            {"Set-Cookie: sid=n", "Set-Cookie: sid=; Path=/app; Max-Age=0"},
            {"Set-Cookie: sid=; Path=/; Max-Age=0"}
        };
        for (String[] headers : deleted) {
            assertThat(second(recording, headers)).doesNotContain("Cookie");
        }
    }
}
