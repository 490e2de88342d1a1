package dev.downbeat.http.one;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.http.GeneratedResponse;
import dev.downbeat.http.one.ResponseParser.KnownHead;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResponseParserTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static ResponseParser fed(String response) {
        ResponseParser parser = new ResponseParser(false, new KnownHead());
        parser.feed(bytes(response), 0, response.length());
        return parser;
    }

    @Test
    void a_parser_is_small_until_a_line_is_long() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        ResponseParser[] parsers = new ResponseParser[100];
        KnownHead known = new KnownHead();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < parsers.length; i++) {
            parsers[i] = new ResponseParser(false, known);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(parsers.length * 2_000L);

        String cookie = "Set-Cookie: " + "x".repeat(16_000);
        ResponseParser parser = fed("HTTP/1.1 200 OK\r\n" + cookie + "\r\nContent-Length: 0\r\n\r\n");
        assertThat(parser.isDone()).isTrue();
        assertThat(fed("HTTP/1.1 200 OK\r\n" + cookie + "x".repeat(250_000)).failure())
                .isEqualTo(ResponseParser.TOO_LONG);
    }

    @Test
    void a_head_that_is_known_is_read_like_an_unknown_one() {
        KnownHead known = new KnownHead();
        for (String response : new String[] {
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nworld",
            "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nanother",
            "HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        }) {
            ResponseParser parser = new ResponseParser(false, known);
            assertThat(parser.feed(bytes(response + "HTTP/1.1"), 0, response.length() + 8))
                    .as(response)
                    .isEqualTo(response.length());
            assertThat(parser.isDone()).isTrue();
            assertThat(parser.status()).isEqualTo(response.contains("503") ? 503 : 200);
            assertThat(parser.keepsAlive()).isEqualTo(!response.contains("close"));
        }
    }

    @Test
    void a_head_is_remembered_if_it_came_whole_and_has_at_most_4_KiB() {
        String begin = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: ";
        for (int length : new int[] {100, 512, 513, 4096, 4097}) {
            byte[] head = bytes(begin + "x".repeat(length - begin.length() - 4) + "\r\n\r\n");
            KnownHead whole = new KnownHead();
            new ResponseParser(false, whole).feed(head, 0, length);
            assertThat(whole.begins(head, 0, length)).as("%s bytes", length).isEqualTo(length <= 4096);
            assertThat(whole.begins(head, 0, length - 1)).isFalse();
            KnownHead parts = new KnownHead();
            ResponseParser parser = new ResponseParser(false, parts);
            parser.feed(head, 0, 50);
            parser.feed(head, 50, length);
            assertThat(parser.isDone()).isTrue();
            assertThat(parts.begins(head, 0, length)).isFalse();
        }
    }

    @Test
    void a_known_head_of_a_get_announces_no_body_to_a_head() {
        KnownHead known = new KnownHead();
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
        for (boolean isHead : new boolean[] {true, false, true, false}) {
            String response = isHead ? head : head + "hello";
            ResponseParser parser = new ResponseParser(isHead, known);
            assertThat(parser.feed(bytes(response), 0, head.length())).isEqualTo(head.length());
            assertThat(parser.isDone()).isEqualTo(isHead);
        }
    }

    @Test
    void a_response_ends_with_its_content_and_what_follows_is_left() {
        ResponseParser parser = new ResponseParser(false, new KnownHead());
        String first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        int end = parser.feed(bytes(first + "HTTP/1.1 404"), 0, first.length() + 12);
        assertThat(end).isEqualTo(first.length());
        assertThat(parser.isDone()).isTrue();
        assertThat(parser.status()).isEqualTo(200);
        assertThat(parser.keepsAlive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n",
                "HTTP/1.1 200\r\nContent-Length:0\r\n\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n00000A \r\n0123456789\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\nTrailer: y\r\nOther: z\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 301 Moved\r\nLocation: /\r\ncontent-length: 0\r\n\r\n",
                "HTTP/1.1 199 Early\r\n\r\nHTTP/1.1 999 Late\r\nContent-Length:\t 000000000000000002 \t\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip,chunked\r\n\r\n00000000000000f\t;a\r\n0123456789abcde\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: folded,\r\n content-length: 9\r\nContent-Length: 0\r\n\r\n",
            })
    void every_way_of_ending_is_found_at_every_split(String response) {
        byte[] all = bytes(response);
        for (int first = 0; first <= all.length; first++) {
            for (int second = first; second <= all.length; second++) {
                ResponseParser parser = new ResponseParser(false, new KnownHead());
                assertThat(parser.feed(all, 0, first)).isEqualTo(first);
                assertThat(parser.feed(all, first, second)).isEqualTo(second);
                assertThat(parser.isDone()).isEqualTo(second == all.length);
                assertThat(parser.feed(all, second, all.length)).isEqualTo(all.length);
                assertThat(parser.isDone())
                        .as(response + " split at " + first + ", " + second)
                        .isTrue();
                assertThat(parser.keepsAlive()).isTrue();
            }
        }
    }

    @Test
    void a_response_without_length_ends_with_the_connection() {
        ResponseParser parser = fed("HTTP/1.1 200 OK\r\n\r\nany number of bytes");
        assertThat(parser.isDone()).isFalse();
        assertThat(parser.endOfStream()).isTrue();
        assertThat(parser.keepsAlive()).isFalse();
    }

    /** Another coding comes last: its end is that of the connection (RFC 9112, 6.3). */
    @Test
    void only_the_last_coding_can_be_chunked() {
        for (String coding : new String[] {"chunked, gzip", "xchunked", "identity"}) {
            ResponseParser parser = fed("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n");
            assertThat(parser.isDone()).as(coding).isFalse();
            assertThat(parser.endOfStream()).as(coding).isTrue();
        }
    }

    /** A line feed does not count. */
    @Test
    void a_head_of_256_KiB_is_read_even_if_it_is_one_line_and_no_longer_one() {
        String ok = "HTTP/1.1 200 OK\r\n";
        String end = "Content-Length: 0\r\n\r\n";
        String line = "A: " + "x".repeat(256 * 1024 - (ok.length() - 1) - (end.length() - 2) - 4);
        assertThat(fed(ok + line + "\r\n" + end).isDone()).isTrue();
        assertThat(fed(ok + line + "x\r\n" + end).failure()).isEqualTo(ResponseParser.TOO_LONG);

        String kilobyte = "A: " + "x".repeat(1024 - 4) + "\r\n";
        int rest = 256 * 1024 - 255 * 1024 - (ok.length() - 1) - (end.length() - 2);
        String head = ok + kilobyte.repeat(255) + "A: " + "x".repeat(rest - 4);
        assertThat(fed("HTTP/1.1 103 Early Hints\r\n\r\n" + head + "\r\n" + end).isDone())
                .isTrue();
        assertThat(fed(head + "x\r\n" + end).failure()).isEqualTo(ResponseParser.TOO_LONG);
    }

    @Test
    void extensions_of_chunks_do_not_add_up() {
        String chunks = "1;" + "x".repeat(16_000) + "\r\nx\r\n";
        ResponseParser parser =
                fed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks.repeat(20) + "0\r\nA: b\r\n\r\n");
        assertThat(parser.failure()).isNull();
        assertThat(parser.isDone()).isTrue();
    }

    @Test
    void an_end_in_mid_response_is_no_end() {
        assertThat(fed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell").endOfStream())
                .isFalse();
        assertThat(fed("HTTP/1.1 200 OK\r\nContent-Len").endOfStream()).isFalse();
        assertThat(fed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
                        .endOfStream())
                .isFalse();
    }

    @Test
    void the_answer_to_a_head_has_no_body() {
        ResponseParser parser = new ResponseParser(true, new KnownHead());
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
        parser.feed(bytes(response), 0, response.length());
        assertThat(parser.isDone()).isTrue();
    }

    @Test
    void the_connection_header_and_the_version_say_whether_the_connection_lives() {
        assertThat(fed("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                        .keepsAlive())
                .isFalse();
        assertThat(fed("HTTP/1.1 200 OK\r\nConnection: Upgrade , CLOSE\r\nContent-Length: 0\r\n\r\n")
                        .keepsAlive())
                .isFalse();
        assertThat(fed("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").keepsAlive())
                .isFalse();
        for (String both : new String[] {
            "Connection: close\r\nConnection: keep-alive",
            "Connection: keep-alive\r\nConnection: close",
            "Connection: close, keep-alive"
        }) {
            assertThat(fed("HTTP/1.1 200 OK\r\n" + both + "\r\nContent-Length: 0\r\n\r\n")
                            .keepsAlive())
                    .as(both) // RFC 9112, 9.3
                    .isFalse();
        }
        assertThat(
                        fed("HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\nHTTP/1.0 200 OK\r\nConnection: keep-alive\r\n"
                                        + "Content-Length: 0\r\n\r\n")
                                .keepsAlive())
                .as("the last head counts")
                .isTrue();
        assertThat(fed("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n")
                        .keepsAlive())
                .isTrue();
        assertThat(fed("HTTP/1.1 200 OK\r\nConnection: closed, not-close\r\nContent-Length: 0\r\n\r\n")
                        .keepsAlive())
                .isTrue();
        assertThat(fed("HTTP/1.1 200 OK\r\nConnection:\tclose\t,x\r\nContent-Length: 0\r\n\r\n")
                        .keepsAlive())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "SSH-2.0-OpenSSH",
                "HTTP/2 200\r\n",
                "HTTP/1.1 20\r\n",
                "HTTP/1.1 2000 OK\r\n",
                "HTTP/1.1  200 OK\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n",
                "HTTP/1.1 200 OK\r\nName : space before the colon\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "HTTP/1.2 200 OK\r\n",
                "HTTP/1.1_200 OK\r\n",
                "HTTP/1.1 099 Low\r\n",
                "HTTP/1.1 2/0 OK\r\n",
                "HTTP/1.1 2:0 OK\r\n",
                "HTTP/1.1 200 OK\r\n: no name\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1/\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1:\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 0000000000000000005\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0000000000000005\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n/\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n:\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n`\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ng\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 x\r\n",
            })
    void ambiguous_input_is_refused(String response) {
        assertThat(fed(response).failure()).isNotNull();
    }

    @Test
    void a_line_without_end_is_refused_before_it_fills_the_memory() {
        ResponseParser parser = fed("HTTP/1.1 200 OK\r\n");
        byte[] endless = bytes("a".repeat(300_000));
        parser.feed(endless, 0, endless.length);
        assertThat(parser.failure()).isEqualTo(ResponseParser.TOO_LONG);
    }

    @Test
    void the_status_of_one_response_does_not_leak_into_the_next() {
        ResponseParser parser = fed("HTTP/1.0 503 Busy\r\nContent-Length: 0\r\n\r\n");
        parser.reset();
        String second = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        parser.feed(bytes(second), 0, second.length());
        assertThat(parser.isDone()).isTrue();
        assertThat(parser.status()).isEqualTo(200);
        assertThat(parser.keepsAlive()).isTrue();
    }

    @Test
    void the_coding_of_one_response_does_not_leak_into_the_next() {
        ResponseParser parser = fed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        assertThat(parser.isDone()).isTrue();
        parser.reset();
        String length = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        assertThat(parser.feed(bytes(length), 0, length.length())).isEqualTo(length.length());
        assertThat(parser.isDone()).isTrue();
        parser.reset();
        String neither = "HTTP/1.1 200 OK\r\n\r\n0\r\n\r\n";
        parser.feed(bytes(neither), 0, neither.length());
        assertThat(parser.isDone()).as("it ends with the connection").isFalse();
        assertThat(parser.endOfStream()).isTrue();
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void generated_responses_end_where_they_were_made_to_end(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            GeneratedResponse made = GeneratedResponse.valid(random);
            byte[] all = bytes(made.text() + "HTTP/1.1 200 next");
            ResponseParser parser = new ResponseParser(false, new KnownHead());
            int at = 0;
            while (at < made.text().length() && !parser.isDone()) {
                int to = Math.min(all.length, at + 1 + random.nextInt(40));
                at = parser.feed(all, at, to);
                assertThat(parser.failure()).as(made.text()).isNull();
            }
            assertThat(parser.isDone()).as(made.text()).isTrue();
            assertThat(at).as(made.text()).isEqualTo(made.text().length());
            assertThat(parser.status()).isEqualTo(made.status());
            assertThat(parser.keepsAlive()).isEqualTo(made.keepsAlive());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damaged_responses_never_throw_and_never_hang(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2_000; round++) {
            byte[] all = bytes(GeneratedResponse.valid(random).text());
            for (int damage = 1 + random.nextInt(4); damage > 0; damage--) {
                all[random.nextInt(all.length)] = (byte) random.nextInt(256);
            }
            ResponseParser parser = new ResponseParser(false, new KnownHead());
            int at = 0;
            while (at < all.length && !parser.isDone() && parser.failure() == null) {
                int next = parser.feed(all, at, Math.min(all.length, at + 1 + random.nextInt(40)));
                assertThat(next > at || parser.isDone() || parser.failure() != null)
                        .isTrue();
                at = next;
            }
            assertThat(parser.isDone() && parser.failure() != null).isFalse();
        }
    }
}
