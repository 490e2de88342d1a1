package dev.downbeat.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.testing.Replications;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FrameReaderTest {
    private static final int MUTATIONS = Replications.areWhole() ? 2_500_000 : 5_000;
    private static final String SETTINGS = "000000040000000000";

    @Test
    void every_kind_of_frame_is_reported() throws Http2Exception {
        Frames frames = new Frames();
        frames.settings(Frames.MAX_CONCURRENT_STREAMS, 100, Frames.INITIAL_WINDOW_SIZE, 4_294_967_295L);
        frames.settingsAck();
        frames.ping(0x0102030405060708L);
        frames.pingAck(1);
        int at = frames.beginHeaders();
        frames.one(0x88);
        frames.endHeaders(at, 1, false);
        frames.head(5, Frames.DATA, Frames.PADDED | Frames.END_STREAM, 1);
        frames.append(new byte[] {2, 'o', 'k', 0, 0}, 0, 5);
        frames.head(
                8, Frames.HEADERS, Frames.PADDED | Frames.WITH_PRIORITY | Frames.END_HEADERS | Frames.END_STREAM, 3);
        frames.append(new byte[] {1, 0, 0, 0, 0, 9, (byte) 0x89, 0}, 0, 8);
        frames.windowUpdate(0, 77);
        frames.reset(5, ErrorCode.REFUSED_STREAM);
        frames.head(3, 99, 0, 7);
        frames.append(new byte[3], 0, 3);
        frames.goAway(3, ErrorCode.NO_ERROR);
        assertThat(told(bytesOf(frames)))
                .containsExactly(
                        "setting 3=100",
                        "setting 4=4294967295",
                        "settings end",
                        "settings acknowledged",
                        "ping 102030405060708",
                        "other",
                        "headers 1 88",
                        "data begins 1 5",
                        "data 1 6f6b",
                        "data ends 1 end",
                        "headers 3 end 89",
                        "window 0 77",
                        "reset 5 REFUSED_STREAM",
                        "other",
                        "goaway 3 NO_ERROR");
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 1, 16_383, 16_384, 16_385, 32_768, 50_000})
    void a_long_header_block_is_cut_and_put_together_again(int bytes) throws Http2Exception {
        byte[] block = new byte[bytes];
        new java.util.Random(bytes).nextBytes(block);
        Frames frames = new Frames();
        frames.settings();
        int at = frames.beginHeaders();
        frames.append(block, 0, bytes);
        frames.endHeaders(at, 9, true);
        frames.ping(3);
        assertThat(told(bytesOf(frames)))
                .containsExactly(
                        "settings end", "headers 9 end " + HexFormat.of().formatHex(block), "ping 3");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "485454502f312e31203430302042, not HTTP/2: HTTP/1.1 was answered (PROTOCOL_ERROR)",
        "000000010400000001, not HTTP/2: no SETTINGS first (PROTOCOL_ERROR)",
        "S 004001000000000001, HTTP/2: frame longer than 16384 bytes (FRAME_SIZE_ERROR)",
        "S 000000000000000000, HTTP/2: DATA on stream 0 (PROTOCOL_ERROR)",
        "S 000000040000000001, HTTP/2: SETTINGS on a stream (PROTOCOL_ERROR)",
        "S 0000050400000000000000000000, HTTP/2: SETTINGS with invalid length (FRAME_SIZE_ERROR)",
        "S 00000104010000000000, HTTP/2: SETTINGS with invalid length (FRAME_SIZE_ERROR)",
        "S 00000106000000000000, HTTP/2: PING with invalid length (FRAME_SIZE_ERROR)",
        "S 00000103000000000100, HTTP/2: RST_STREAM with invalid length (FRAME_SIZE_ERROR)",
        "S 00000108000000000000, HTTP/2: WINDOW_UPDATE with invalid length (FRAME_SIZE_ERROR)",
        "S 00000107000000000000, HTTP/2: GOAWAY with invalid length (FRAME_SIZE_ERROR)",
        "S 000000000800000001, HTTP/2: DATA with invalid length (FRAME_SIZE_ERROR)",
        "S 000000000400000001 000000060000000000, HTTP/2: PING with invalid length (FRAME_SIZE_ERROR)",
        "S 000000010400000000, HTTP/2: HEADERS on stream 0 (PROTOCOL_ERROR)",
        "S 000000020000000000, HTTP/2: PRIORITY on stream 0 (PROTOCOL_ERROR)",
        "S 000000030000000000, HTTP/2: RST_STREAM on stream 0 (PROTOCOL_ERROR)",
        "S 000000090400000000, HTTP/2: CONTINUATION on stream 0 (PROTOCOL_ERROR)",
        "S 000000060000000001, HTTP/2: PING on a stream (PROTOCOL_ERROR)",
        "S 000000070000000001, HTTP/2: GOAWAY on a stream (PROTOCOL_ERROR)",
        "S 00000402000000000100000000, HTTP/2: PRIORITY with invalid length (FRAME_SIZE_ERROR)",
        "S 000007070000000000 00000000000000, HTTP/2: GOAWAY with invalid length (FRAME_SIZE_ERROR)",
        "S 000000010c00000001, HTTP/2: HEADERS with invalid length (FRAME_SIZE_ERROR)",
        "S 000004012400000001 00000000, HTTP/2: padding longer than its frame (PROTOCOL_ERROR)",
        "000000040100000000, not HTTP/2: no SETTINGS first (PROTOCOL_ERROR)",
        "S 000001000800000001ff, HTTP/2: padding longer than its frame (PROTOCOL_ERROR)",
        "S 000001010c00000001ff, HTTP/2: padding longer than its frame (PROTOCOL_ERROR)",
        "S 000000050400000001, HTTP/2: PUSH_PROMISE although push is disabled (PROTOCOL_ERROR)",
        "S 000000090400000001, HTTP/2: CONTINUATION without HEADERS (PROTOCOL_ERROR)",
        "S 000000010000000001 000000060000000000, HTTP/2: another frame within a header block (PROTOCOL_ERROR)",
        "S 000000010000000001 000000090400000003, HTTP/2: another frame within a header block (PROTOCOL_ERROR)",
    })
    void a_frame_of_a_wrong_shape_is_refused_by_name(String hex, String reason) {
        assertThatThrownBy(() ->
                        told(HexFormat.of().parseHex(hex.replace("S", SETTINGS).replace(" ", ""))))
                .isInstanceOfSatisfying(
                        Http2Exception.class, refused -> assertThat(reason).endsWith("(" + refused.code() + ")"))
                .hasMessage(reason);
    }

    @Test
    void a_header_block_may_have_64_continuations_and_256_KiB() throws Http2Exception {
        String many = SETTINGS + "000001010100000001aa" + "000001090000000001bb".repeat(63) + "000001090400000001cc";
        assertThat(told(HexFormat.of().parseHex(many))).endsWith("headers 1 end aa" + "bb".repeat(63) + "cc");
        String piece = "00".repeat(16_384);
        String large = SETTINGS + "004000010000000001" + piece + ("004000090000000001" + piece).repeat(15)
                + "000000090400000001";
        assertThat(told(HexFormat.of().parseHex(large))).endsWith("headers 1 " + piece.repeat(16));
    }

    @Test
    void a_header_block_without_end_is_refused() {
        String endless = SETTINGS + "000000010000000001" + "000000090000000001".repeat(65);
        assertThatThrownBy(() -> told(HexFormat.of().parseHex(endless)))
                .hasMessageContaining("header block of more than 64 CONTINUATION frames (ENHANCE_YOUR_CALM)");
        String large = SETTINGS + "004000010000000001" + "00".repeat(16_384)
                + ("004000090000000001" + "00".repeat(16_384)).repeat(16);
        assertThatThrownBy(() -> told(HexFormat.of().parseHex(large)))
                .hasMessageContaining("header block longer than 262144 bytes (ENHANCE_YOUR_CALM)");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void mutated_frames_mean_the_same_wherever_they_are_cut_and_break_nothing(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = bytesOf(someFrames(random));
            for (int left = random.nextInt(4); left > 0; left--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            assertThat(toldOrRefused(bytes, new int[] {bytes.length}))
                    .isEqualTo(toldOrRefused(
                            bytes, random.ints(bytes.length, 1, 40).toArray()));
        }
    }

    private static Frames someFrames(SplittableRandom random) {
        Frames frames = new Frames();
        frames.settings(random.nextInt(8), random.nextInt());
        for (int left = 1 + random.nextInt(6); left > 0; left--) {
            int stream = 1 + 2 * random.nextInt(3);
            switch (random.nextInt(8)) {
                case 0 -> frames.ping(random.nextLong());
                case 1 -> frames.windowUpdate(stream, random.nextInt());
                case 2 -> frames.reset(stream, ErrorCode.CANCEL);
                case 3 -> frames.goAway(stream, ErrorCode.NO_ERROR);
                case 4, 5 -> {
                    int at = frames.beginHeaders();
                    frames.one(0x88);
                    frames.endHeaders(at, stream, random.nextBoolean());
                }
                default -> {
                    int length = random.nextInt(40);
                    frames.head(length, Frames.DATA, random.nextInt(16), stream);
                    frames.append(new byte[length], 0, length);
                }
            }
        }
        return frames;
    }

    private static byte[] bytesOf(Frames frames) {
        return Arrays.copyOf(frames.array(), frames.length());
    }

    private static List<String> told(byte[] bytes) throws Http2Exception {
        Telling telling = new Telling();
        new FrameReader(telling).feed(bytes, 0, bytes.length);
        return telling.told;
    }

    private static List<String> toldOrRefused(byte[] bytes, int[] pieces) {
        Telling telling = new Telling();
        FrameReader reader = new FrameReader(telling);
        try {
            int at = 0;
            for (int piece : pieces) {
                int to = Math.min(bytes.length, at + piece);
                reader.feed(bytes, at, to);
                at = to;
            }
        } catch (Http2Exception refused) {
            telling.endData();
            telling.told.add(refused.getMessage());
        }
        telling.endData();
        return telling.told;
    }

    private static final class Telling implements FrameReader.Handler {
        private final List<String> told = new ArrayList<>();
        private String data = "";

        @Override
        public void dataBegins(int stream, int bytes) {
            told.add("data begins " + stream + " " + bytes);
        }

        @Override
        public void data(int stream, byte[] bytes, int from, int to) {
            data = (data.isEmpty() ? "data " + stream + " " : data)
                    + HexFormat.of().formatHex(bytes, from, to);
        }

        void endData() {
            if (!data.isEmpty()) {
                told.add(data);
                data = "";
            }
        }

        @Override
        public void dataEnds(int stream, boolean endStream) {
            endData();
            told.add("data ends " + stream + (endStream ? " end" : ""));
        }

        @Override
        public void headers(int stream, boolean endStream, byte[] block, int from, int to) {
            told.add("headers " + stream + (endStream ? " end " : " ")
                    + HexFormat.of().formatHex(block, from, to));
        }

        @Override
        public void reset(int stream, ErrorCode code) {
            told.add("reset " + stream + " " + code);
        }

        @Override
        public void setting(int number, long value) {
            told.add("setting " + number + "=" + value);
        }

        @Override
        public void settingsEnd() {
            told.add("settings end");
        }

        @Override
        public void settingsAcknowledged() {
            told.add("settings acknowledged");
        }

        @Override
        public void ping(long data) {
            told.add("ping " + Long.toHexString(data));
        }

        @Override
        public void goAway(int lastStream, ErrorCode code) {
            told.add("goaway " + lastStream + " " + code);
        }

        @Override
        public void windowUpdate(int stream, int bytes) {
            told.add("window " + stream + " " + bytes);
        }

        @Override
        public void other() {
            told.add("other");
        }
    }
}
