package dev.downbeat.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.RequestHead.BadRequestException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestReaderTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.loopback.Seeds#fifty")
    void requests_are_read_alike_however_the_network_cuts_them(long seed) throws Exception {
        String padding = "X-Padding: " + "x".repeat(9_000) + "\r\n";
        RequestReader reader = new RequestReader(inPieces(
                "GET /?first HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                        + "POST /?third HTTP/1.1\r\nHost: a\r\ntransfer-encoding: Chunked\r\n" + padding + "\r\n"
                        + "3;x=y\r\nabc\r\n1F\r\n" + "z".repeat(31) + "\r\n0\r\nTrailer: t\r\n\r\n"
                        + "\r\nHEAD /?last HTTP/1.0\nConnection: a , CLOSE\n\n",
                seed));

        assertThat(next(reader).query()).isEqualTo("first");
        assertThat(next(reader).query()).isEmpty();
        assertThat(next(reader).query()).isEqualTo("third");
        Read read = next(reader);
        RequestHead last = read.head();
        assertThat(read.query()).isEqualTo("last");
        assertThat(last.isHttp10()).isTrue();
        assertThat(last.wantsNoBody()).isTrue();
        assertThat(last.wantsClose()).isTrue();
        assertThat(reader.readHead()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "GET /\r\n\r\n",
                "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
                "G(T / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1111111111111111111\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
                "\u0016\u0003\u0001\u0002\r\n\r\n",
            })
    void an_invalid_request_is_refused(String text) {
        assertThatThrownBy(() -> next(reader(text))).isInstanceOf(BadRequestException.class);
    }

    @Test
    void a_head_without_end_is_refused() {
        assertThatThrownBy(() -> next(reader("GET / HTTP/1.1\r\nX: " + "x".repeat(70_000))))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("head is longer than 64 KiB");
    }

    @Test
    void a_client_that_leaves_within_a_request_is_noticed() {
        assertThatThrownBy(() -> next(reader("GET / HT"))).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> next(reader("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab")))
                .isInstanceOf(EOFException.class);
    }

    /** One request without its body: the query, which only lasts until the body is read, and the head. */
    private record Read(String query, RequestHead head) {}

    private static Read next(RequestReader reader) throws Exception {
        RequestHead head = Objects.requireNonNull(reader.readHead(), "request");
        String query = head.hasQuery() ? head.query() : "";
        reader.discardBody();
        return new Read(query, head);
    }

    private static RequestReader reader(String text) {
        return new RequestReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static InputStream inPieces(String text, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int largest = 1 + random.nextInt(40);
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)) {
            @Override
            public synchronized int read(byte[] to, int offset, int length) {
                return super.read(to, offset, Math.min(length, 1 + random.nextInt(largest)));
            }
        };
    }
}
