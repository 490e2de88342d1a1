package dev.downbeat.http.one;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.http.GeneratedResponse;
import dev.downbeat.http.one.ResponseParser.KnownHead;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our parser beside Netty's, on generated responses, whole and damaged. {@code -Ddownbeat.fuzz=10000000} sets how many
 * responses are generated in all; without it, enough for every build.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ParserFuzzTest {
    private static final int SEEDS = 20;
    private static final long PER_SEED = Math.max(1, Long.getLong("downbeat.fuzz", 10_000) / SEEDS);

    private final KnownHead known = new KnownHead();

    private enum End {
        DONE,
        FAILED,
        OPEN
    }

    /** What a parser makes of some bytes: how it ended, and of a complete response its status, body and connection. */
    private record Reading(End end, int status, boolean keepsAlive) {}

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whole_responses_are_read_as_netty_reads_them(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < PER_SEED; i++) {
            byte[] bytes = GeneratedResponse.valid(random).text().getBytes(StandardCharsets.ISO_8859_1);
            assertThat(ours(bytes, random))
                    .as(new String(bytes, StandardCharsets.ISO_8859_1))
                    .isEqualTo(nettys(bytes));
        }
    }

    /**
     * Damage may be refused by one parser and borne by the other; what must never happen is that both find a complete
     * response and disagree on what it was, that we throw, or that we hang.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damaged_responses_are_never_read_as_something_else(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < PER_SEED; i++) {
            byte[] bytes = GeneratedResponse.valid(random).text().getBytes(StandardCharsets.ISO_8859_1);
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            Reading ours = ours(bytes, random);
            Reading nettys = nettys(bytes);
            if (ours.end == End.DONE && nettys.end == End.DONE) {
                assertThat(ours.status)
                        .as(new String(bytes, StandardCharsets.ISO_8859_1))
                        .isEqualTo(nettys.status);
            }
        }
    }

    /** Whole, when the head becomes known; then in pieces; then whole again, when the head is known. */
    private Reading ours(byte[] bytes, SplittableRandom random) {
        Reading first = ours(bytes, () -> bytes.length);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(ours(bytes, () -> 1 + random.nextInt(100))).as(text).isEqualTo(first);
        assertThat(ours(bytes, () -> bytes.length)).as(text).isEqualTo(first);
        return first;
    }

    private Reading ours(byte[] bytes, IntSupplier portion) {
        ResponseParser parser = new ResponseParser(false, known);
        int at = 0;
        while (at < bytes.length && !parser.isDone() && parser.failure() == null) {
            int to = Math.min(bytes.length, at + portion.getAsInt());
            int next = parser.feed(bytes, at, to);
            assertThat(next > at || parser.isDone() || parser.failure() != null).isTrue();
            at = next;
        }
        if (parser.failure() != null) {
            return new Reading(End.FAILED, 0, false);
        }
        return parser.isDone()
                ? new Reading(at == bytes.length ? End.DONE : End.OPEN, parser.status(), parser.keepsAlive())
                : new Reading(End.OPEN, 0, false);
    }

    /** Netty hands out a response, its content, and a last content at the end; interim responses come first. */
    private static Reading nettys(byte[] bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpResponseDecoder());
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
            Reading reading = new Reading(End.OPEN, 0, false);
            HttpResponse head = null;
            for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
                if (message instanceof HttpResponse response) {
                    if (response.decoderResult().isFailure()) {
                        return new Reading(End.FAILED, 0, false);
                    }
                    head = response;
                }
                if (message instanceof HttpContent content
                        && content.decoderResult().isFailure()) {
                    ReferenceCountUtil.release(message);
                    return new Reading(End.FAILED, 0, false);
                }
                if (message instanceof LastHttpContent
                        && head != null
                        && head.status().code() >= 200) {
                    reading = new Reading(End.DONE, head.status().code(), HttpUtil.isKeepAlive(head));
                }
                ReferenceCountUtil.release(message);
            }
            return reading;
        } finally {
            channel.finishAndReleaseAll();
        }
    }
}
