package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Signatures of AWS's published test suite (get-vanilla, get-vanilla-query-order, post-x-www-form-urlencoded), and what botocore
 * 1.43.11 makes of the other requests at the suite's time and with its keys.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SigV4Test {
    private static final Instant THEN = Instant.parse("2015-08-30T12:36:00Z");

    private static SigV4 signer(String service, Optional<String> token) {
        SigV4.Keys keys = new SigV4.Keys(
                "AKIDEXAMPLE", Secret.of("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"), token.map(Secret::of));
        return new SigV4("us-east-1", service, () -> keys);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            get-vanilla | service | | GET / HTTP/1.1~Host:example.amazonaws.com~~ | host;x-amz-date | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
            query-order | service | | GET /?Param2=value2&Param1=value1 HTTP/1.1~Host:example.amazonaws.com~~ | host;x-amz-date | b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500
            query-prefix | service | | GET /?id2=2&id=1 HTTP/1.1~Host:example.amazonaws.com~~ | host;x-amz-date | 0b2f235c91c2da5ec72f23a2b89ddfa7a0671ebca3b78d19aa568a5149bd0b89
            utf8-path | service | | GET /%E1%88%B4 HTTP/1.1~Host:example.amazonaws.com~~ | host;x-amz-date | 697b34846207a3f72246f99d74ae1ee4fe54f44bb06730c58a0d339eb079596d
            form | service | | POST / HTTP/1.1~Content-Type: application/x-www-form-urlencoded~Host: example.amazonaws.com~Content-Length: 13~~Param1=value1 | content-type;host;x-amz-date | ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a
            token | execute-api | tok/en== | POST /a/b?x=%20y&x=a HTTP/1.1~Host: example.amazonaws.com~My-Header: a   b~User-Agent: downbeat~~{"a":1} | host;my-header;x-amz-date;x-amz-security-token | 5bc46aecbaa7a8cdf15a5c2ca62c7475428b9e08a32bb1dc5e0f5d353a53c734
            signed before | service | | GET / HTTP/1.1~Host:example.amazonaws.com~authorization: AWS4 old~X-Amz-Date: 20140101T000000Z~X-Amz-Security-Token: old~~ | host;x-amz-date | 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
            s3 | s3 | | PUT /a%20b/c//d HTTP/1.1~Host: bucket.s3.amazonaws.com~~hello | host;x-amz-content-sha256;x-amz-date | ab10e11e1f104ee087bd2338f3672a995797efa643791f70dc230434e1be72b7
            """)
    void a_request_has_the_signature_that_others_give_it(
            String name, String service, String token, String text, String signed, String signature) {
        byte[] request = text.replace("~", "\r\n").getBytes(StandardCharsets.UTF_8);
        assertThat(signer(service, Optional.ofNullable(token)).new Signer().head(request, request.length, THEN))
                .contains("X-Amz-Date: 20150830T123600Z\r\n")
                .endsWith("Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/" + service
                        + "/aws4_request, SignedHeaders=" + signed + ", Signature=" + signature + "\r\n\r\n");
    }

    private static String signature(String service, String path) {
        byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        String head = signer(service, Optional.empty()).new Signer().head(request, request.length, THEN);
        assertThat(head).as("it is sent as it stands").startsWith("GET " + path + " HTTP/1.1\r\n");
        return head.substring(head.indexOf("Authorization: "));
    }

    /** AWS decodes both, and encodes them anew. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            service | /?a=b%2fc              | /?a=b%2Fc
            service | /?%61=%7E%41           | /?a=~A
            service | /?a=1%&b=%zz           | /?a=1%25&b=%25zz
            service | /?a=x+y                | /?a=x%2By
            s3      | /a(1)!$&',;:=@*        | /a%281%29%21%24%26%27%2C%3B%3A%3D%40%2A
            s3      | /a%2fb/%7Ec//d         | /a%2Fb/~c//d
            """)
    void different_escapes_of_the_same_text_have_the_same_signature(String service, String sent, String canonical) {
        assertThat(signature(service, sent)).isEqualTo(signature(service, canonical));
    }

    @ParameterizedTest
    @CsvSource({
        "s3, true",
        "s3express, true",
        "s3-outposts, true",
        "s3-object-lambda, true",
        "s3tables, false",
        "execute-api, false"
    })
    void the_services_of_S3_have_the_hash_of_the_body_in_a_header(String service, boolean isS3) {
        assertThat(signature(service, "/").contains("x-amz-content-sha256")).isEqualTo(isS3);
    }

    @Test
    void requests_of_a_set_are_signed_as_they_are_sent() {
        RequestSet set = Written.set("POST http://h/a\n\n{\"n\": {{$random.integer(1, 9)}}}", RequestSet.Order.MIX)
                .signedBy(signer("service", Optional.empty()), InstantSource.fixed(THEN));
        RequestBytes bytes = new RequestBytes();
        assertThat(set.writer(1, false).write(new Exchange(0), bytes)).isNull();
        assertThat(new String(bytes.array(), 0, bytes.length(), StandardCharsets.UTF_8))
                .startsWith("POST /a HTTP/1.1\r\nHost: h\r\n")
                .contains("\r\nContent-Length: 8\r\n", "\r\nAuthorization: AWS4-HMAC-SHA256 ")
                .endsWith("}");
    }

    /** It was sent as EF BF BD. */
    @Test
    void a_byte_that_is_no_utf_8_is_sent_as_it_was_captured() {
        RequestWriter writer = Written.set(
                        "# @capture tag = header X-Tag\nGET http://h/1\n###\nGET http://h/2\nX-Tag: {{tag}}\n",
                        RequestSet.Order.SESSION)
                .signedBy(signer("service", Optional.empty()), InstantSource.fixed(THEN))
                .writer(1, false);
        Written.write(writer, Written.exchange(0, 0));
        byte[] line = "X-Tag: caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
        Objects.requireNonNull(writer.sink(Written.exchange(0, 0))).line(line, 0, line.length);
        assertThat(writer.outcome(Written.exchange(0, 0), Outcome.answered())).isEqualTo(Outcome.answered());
        RequestBytes bytes = new RequestBytes();
        assertThat(writer.write(Written.exchange(0, 1), bytes)).isNull();
        assertThat(new String(bytes.array(), 0, bytes.length(), StandardCharsets.ISO_8859_1))
                .contains("\r\nX-Tag: caf\u00e9\r\n", "SignedHeaders=host;x-amz-date;x-tag,");
    }

    @Test
    void keys_of_the_environment_are_both_there_or_none() {
        assertThat(SigV4.Keys.of(Map.of("AWS_ACCESS_KEY_ID", "a"))).isEmpty();
        SigV4.Keys keys = SigV4.Keys.of(Map.of("AWS_ACCESS_KEY_ID", "a", "AWS_SECRET_ACCESS_KEY", "s3cret"))
                .orElseThrow();
        assertThat(keys.toString()).doesNotContain("s3cret");
        String id = "AWS_ACCESS_KEY_ID";
        String secret = "AWS_SECRET_ACCESS_KEY";
        assertThat(SigV4.Keys.of(Map.of(id, "", secret, "s3cret"))).isEmpty();
        assertThat(SigV4.Keys.of(Map.of(id, "a", secret, " "))).isEmpty();
        assertThat(SigV4.Keys.of(Map.of(id, "a", secret, "s3cret", "AWS_SESSION_TOKEN", ""))
                        .orElseThrow()
                        .token())
                .as("a variable of a pipeline without its secret is empty")
                .isEmpty();
        assertThatThrownBy(() -> SigV4.parse("us-east-1", () -> keys)).hasMessageContaining("must be REGION:SERVICE");
    }

    @Test
    void keys_that_change_sign_from_then_on() {
        AtomicReference<SigV4.Keys> now =
                new AtomicReference<>(new SigV4.Keys("old", Secret.of("a"), Optional.empty()));
        RequestSet set = Written.set("GET http://h/a", RequestSet.Order.MIX)
                .signedBy(SigV4.parse("us-east-1:service", now::get), InstantSource.fixed(THEN));
        RequestWriter writer = set.writer(1, false);
        String first = written(writer);
        SigV4.Keys next = new SigV4.Keys("old", Secret.of("b"), Optional.of(Secret.of("token")));
        now.set(next);
        assertThat(written(writer))
                .contains("X-Amz-Security-Token: token")
                .isEqualTo(written(Written.set("GET http://h/a", RequestSet.Order.MIX)
                        .signedBy(new SigV4("us-east-1", "service", () -> next), InstantSource.fixed(THEN))
                        .writer(1, false)))
                .isNotEqualTo(first);
    }

    @Test
    void a_run_beyond_midnight_signs_with_the_key_of_the_new_day() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2015-08-29T23:59:59Z"));
        RequestWriter writer = Written.set("GET http://h/a", RequestSet.Order.MIX)
                .signedBy(signer("service", Optional.empty()), now::get)
                .writer(1, false);
        assertThat(written(writer)).contains("/20150829/us-east-1/");
        now.set(THEN);
        assertThat(written(writer))
                .isEqualTo(written(Written.set("GET http://h/a", RequestSet.Order.MIX)
                        .signedBy(signer("service", Optional.empty()), InstantSource.fixed(THEN))
                        .writer(1, false)));
    }

    private static String written(RequestWriter writer) {
        RequestBytes bytes = new RequestBytes();
        assertThat(writer.write(new Exchange(0), bytes)).isNull();
        return new String(bytes.array(), 0, bytes.length(), StandardCharsets.UTF_8);
    }
}
