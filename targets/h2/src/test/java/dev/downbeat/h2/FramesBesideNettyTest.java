package dev.downbeat.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our reader of frames beside Netty's, on generated connections of twenty frames, most of them damaged. {@code
 * -Ddownbeat.frames=10000000} sets how many frames are generated in all; without it, enough for every build.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FramesBesideNettyTest {
    private static final int SEEDS = 4;
    private static final int FRAMES = 20;
    private static final long PER_SEED = Math.max(1, Long.getLong("downbeat.frames", 80_000) / FRAMES / SEEDS);
    private static final int LONG_LIST = 256 * 1024;

    private final ChannelHandlerContext context =
            new EmbeddedChannel(new ChannelInboundHandlerAdapter()).pipeline().firstContext();

    /** What a reader makes of a connection: what it told, and whether it read all. */
    private record Reading(List<String> told, boolean isWhole) {}

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    /**
     * Damage may be refused by one reader and borne by the other: what both have read before must be the same, and what both
     * read to the end altogether.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void both_readers_agree(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long whole = 0;
        for (long i = 0; i < PER_SEED; i++) {
            byte[] bytes = GeneratedConnection.of(FRAMES, random);
            boolean isDamaged = random.nextInt(10) > 0;
            for (int left = isDamaged ? 1 + random.nextInt(3) : 0; left > 0; left--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Reading ours = ours(bytes, random);
            Reading nettys = nettys(bytes);
            int common = Math.min(ours.told.size(), nettys.told.size());
            String hex = seed + "/" + i + " " + HexFormat.of().formatHex(bytes);
            assertThat(ours.told.subList(0, common)).as(hex).isEqualTo(nettys.told.subList(0, common));
            if (ours.isWhole && nettys.isWhole) {
                assertThat(ours.told).as(hex).isEqualTo(nettys.told);
                whole++;
            }
            if (!isDamaged) {
                assertThat(ours.isWhole && nettys.isWhole).as(hex).isTrue();
            }
        }
        assertThat(whole).isGreaterThan(PER_SEED / 20);
    }

    @Test
    void codes_of_errors_have_the_same_numbers() {
        for (Http2Error error : Http2Error.values()) {
            assertThat(ErrorCode.of((int) error.code())).hasToString(error.name());
            assertThat(ErrorCode.valueOf(error.name()).number()).isEqualTo((int) error.code());
        }
        assertThat(ErrorCode.values()).hasSize(Http2Error.values().length);
        assertThat(ErrorCode.of(99)).isEqualTo(ErrorCode.INTERNAL_ERROR);
    }

    private static Reading ours(byte[] bytes, SplittableRandom random) {
        Ours ours = new Ours();
        FrameReader reader = new FrameReader(ours);
        try {
            for (int at = 0; at < bytes.length; ) {
                int to = Math.min(bytes.length, at + 1 + random.nextInt(200));
                reader.feed(bytes, at, to);
                at = to;
            }
            return new Reading(ours.told, true);
        } catch (Http2Exception refused) {
            return new Reading(ours.told, false);
        }
    }

    private Reading nettys(byte[] bytes) {
        Nettys nettys = new Nettys();
        try (DefaultHttp2FrameReader reader =
                new DefaultHttp2FrameReader(new DefaultHttp2HeadersDecoder(false, LONG_LIST))) {
            ByteBuf buffer = Unpooled.wrappedBuffer(bytes);
            while (buffer.isReadable()) {
                int before = buffer.readerIndex();
                reader.readFrame(context, buffer, nettys);
                if (buffer.readerIndex() == before) {
                    break; // in the middle of a frame
                }
            }
            return new Reading(nettys.told, true);
        } catch (io.netty.handler.codec.http2.Http2Exception | RuntimeException refused) {
            return new Reading(nettys.told, false);
        }
    }

    private static String data(int stream, String hex, boolean isEnd) {
        return "data " + stream + " " + hex + (isEnd ? " end" : "");
    }

    private static String headers(int stream, List<String> fields, boolean isEnd) {
        return "headers " + stream + " " + fields.stream().sorted().toList() + (isEnd ? " end" : "");
    }

    private static final class Ours implements FrameReader.Handler {
        private final List<String> told = new ArrayList<>();
        private final HpackDecoder decoder = new HpackDecoder(4096, LONG_LIST);
        private final StringBuilder body = new StringBuilder();
        private final TreeMap<Integer, Long> settings = new TreeMap<>();

        @Override
        public void dataBegins(int stream, int bytes) {
            body.setLength(0);
        }

        @Override
        public void data(int stream, byte[] bytes, int from, int to) {
            body.append(HexFormat.of().formatHex(bytes, from, to));
        }

        @Override
        public void dataEnds(int stream, boolean endStream) {
            told.add(FramesBesideNettyTest.data(stream, body.toString(), endStream));
        }

        @Override
        public void headers(int stream, boolean endStream, byte[] block, int from, int to) throws Http2Exception {
            List<String> fields = new ArrayList<>();
            decoder.decode(
                    block,
                    from,
                    to,
                    (name, nameFrom, nameTo, value, valueFrom, valueTo) ->
                            fields.add(new String(name, nameFrom, nameTo - nameFrom, StandardCharsets.ISO_8859_1) + ": "
                                    + new String(value, valueFrom, valueTo - valueFrom, StandardCharsets.ISO_8859_1)));
            told.add(FramesBesideNettyTest.headers(stream, fields, endStream));
        }

        @Override
        public void reset(int stream, ErrorCode code) {
            told.add("reset " + stream);
        }

        @Override
        public void setting(int number, long value) {
            settings.put(number, value);
        }

        @Override
        public void settingsEnd() {
            told.add("settings " + settings);
            settings.clear();
        }

        @Override
        public void settingsAcknowledged() {
            told.add("settings acknowledged");
        }

        @Override
        public void ping(long data) {
            told.add("ping " + data);
        }

        @Override
        public void goAway(int lastStream, ErrorCode code) {
            told.add("goaway " + lastStream);
        }

        @Override
        public void windowUpdate(int stream, int bytes) {
            told.add("window " + stream + " " + bytes);
        }

        @Override
        public void other() {}
    }

    /** What is no matter for us, such as priorities, is passed over. */
    private static final class Nettys extends Http2FrameAdapter {
        private final List<String> told = new ArrayList<>();

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean endOfStream) {
            byte[] bytes = new byte[data.readableBytes()];
            data.getBytes(data.readerIndex(), bytes);
            told.add(FramesBesideNettyTest.data(stream, HexFormat.of().formatHex(bytes), endOfStream));
            return bytes.length + padding;
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean endStream) {
            List<String> fields = new ArrayList<>();
            headers.forEach(field -> fields.add(field.getKey() + ": " + field.getValue()));
            told.add(FramesBesideNettyTest.headers(stream, fields, endStream));
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int stream,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean endStream) {
            onHeadersRead(ctx, stream, headers, padding, endStream);
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int stream, long code) {
            told.add("reset " + stream);
        }

        @Override
        public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
            TreeMap<Integer, Long> sorted = new TreeMap<>();
            settings.forEach((number, value) -> sorted.put((int) number, value));
            told.add("settings " + sorted);
        }

        @Override
        public void onSettingsAckRead(ChannelHandlerContext ctx) {
            told.add("settings acknowledged");
        }

        @Override
        public void onPingRead(ChannelHandlerContext ctx, long data) {
            told.add("ping " + data);
        }

        @Override
        public void onGoAwayRead(ChannelHandlerContext ctx, int lastStream, long code, ByteBuf debug) {
            told.add("goaway " + lastStream);
        }

        @Override
        public void onWindowUpdateRead(ChannelHandlerContext ctx, int stream, int bytes) {
            told.add("window " + stream + " " + bytes);
        }
    }
}
