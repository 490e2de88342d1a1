package dev.downbeat.h2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.testing.Replications;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Netty's encoder and decoder as a second opinion: ten million blocks with {@code -Pnightly}, some thousands else. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HpackBesideNettyTest {
    private static final int BLOCKS = Replications.areWhole() ? 1_250_000 : 1_000;
    private static final int BLOCKS_A_CONNECTION = 25;
    private static final int LONG_LIST = 1 << 20;

    private final Frames block = new Frames();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void what_Netty_packs_is_unpacked_alike(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int blocks = 0; blocks < BLOCKS; ) {
            DefaultHttp2HeadersEncoder netty =
                    new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, false, 64, random.nextInt(600));
            HpackDecoder ours = new HpackDecoder(4096, LONG_LIST);
            DefaultHttp2HeadersDecoder theirs = new DefaultHttp2HeadersDecoder(false, LONG_LIST);
            boolean isMutated = false; // from then on the table may be another than the packer's
            for (int j = 0; j < BLOCKS_A_CONNECTION; j++) {
                blocks++;
                if (random.nextInt(8) == 0) {
                    netty.maxHeaderTableSize(random.nextInt(4097));
                }
                Http2Headers headers = new DefaultHttp2Headers(false);
                fields(random).forEach(field -> headers.add(field.getKey(), field.getValue()));
                ByteBuf packed = Unpooled.buffer();
                netty.encodeHeaders(3, headers, packed);
                byte[] bytes = new byte[packed.readableBytes()];
                packed.readBytes(bytes);
                if (random.nextInt(10) == 0 && bytes.length > 0) {
                    isMutated = true;
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                String hex = HexFormat.of().formatHex(bytes);
                @Nullable List<String> expected = null;
                try {
                    expected = listed(theirs.decodeHeaders(3, Unpooled.wrappedBuffer(bytes)));
                } catch (io.netty.handler.codec.http2.Http2Exception refused) {
                    assertThat(isMutated).isTrue();
                }
                @Nullable List<String> found = null;
                try {
                    found = HpackVectorsTest.decoded(ours, hex);
                } catch (Http2Exception refused) {
                    assertThat(isMutated).isTrue();
                }
                assertThat(sorted(found)).as(hex).isEqualTo(sorted(expected));
                if (expected == null) {
                    break; // as it would end its connection
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {5, 6, 7, 8})
    void Netty_decodes_what_Downbeat_encodes(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < BLOCKS / BLOCKS_A_CONNECTION; i++) {
            HpackEncoder ours = new HpackEncoder(4096);
            DefaultHttp2HeadersDecoder netty = new DefaultHttp2HeadersDecoder(false, LONG_LIST);
            for (int j = 0; j < BLOCKS_A_CONNECTION; j++) {
                if (random.nextInt(8) == 0) {
                    int limit = random.nextInt(5000);
                    netty.configuration().maxHeaderTableSize(limit);
                    ours.limit(limit);
                }
                List<String> fields = new ArrayList<>();
                block.clear();
                ours.begin(block);
                for (Map.Entry<String, String> field : fields(random)) {
                    byte[] name = field.getKey().getBytes(StandardCharsets.ISO_8859_1);
                    byte[] value = field.getValue().getBytes(StandardCharsets.ISO_8859_1);
                    ours.field(name, 0, name.length, value, 0, value.length, random.nextInt(4) > 0, block);
                    fields.add(field.getKey() + ": " + field.getValue());
                }
                assertThat(sorted(listed(
                                netty.decodeHeaders(3, Unpooled.wrappedBuffer(block.array(), 0, block.length())))))
                        .isEqualTo(sorted(fields));
            }
        }
    }

    /** Netty does not keep the order of fields with different names. */
    private static List<String> sorted(@Nullable List<String> fields) {
        return fields == null ? List.of("refused") : fields.stream().sorted().toList();
    }

    private static List<String> listed(Http2Headers headers) {
        List<String> all = new ArrayList<>();
        headers.forEach(field -> all.add(field.getKey() + ": " + field.getValue()));
        return all;
    }

    private static List<Map.Entry<String, String>> fields(SplittableRandom random) {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (int left = random.nextInt(12); left > 0; left--) {
            int kind = random.nextInt(4);
            String name = kind < 3
                    ? new String(
                            HpackTable.staticName(1 + random.nextInt(HpackTable.STATIC_SIZE)),
                            StandardCharsets.US_ASCII)
                    : "x-" + random.nextInt(20);
            fields.add(Map.entry(name, value(random)));
        }
        return fields;
    }

    private static String value(SplittableRandom random) {
        if (random.nextInt(3) == 0) {
            return List.of("GET", "/", "200", "gzip", "text/html", "").get(random.nextInt(6));
        }
        StringBuilder value = new StringBuilder();
        for (int left = random.nextInt(random.nextInt(10) == 0 ? 500 : 30); left > 0; left--) {
            value.append((char) (random.nextInt(5) == 0 ? random.nextInt(256) : 'a' + random.nextInt(26)));
        }
        return value.toString();
    }
}
