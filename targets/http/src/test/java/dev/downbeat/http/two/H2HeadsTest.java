package dev.downbeat.http.two;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.h2.Frames;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Blocks that are compared with the last one, beside a reader that unpacks each. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class H2HeadsTest {
    private static final int OK = 0x88;
    private static final int KEPT_SERVER = 0x40 | 54;
    private static final int FIRST_TOLD = 62;
    private static final int RESIZE = 0x20 | 31;

    private final H2Heads compares = new H2Heads();
    private final H2Heads unpacks = new H2Heads();

    @Test
    void repeated_response_fields_enter_the_table_each_time() throws Http2Exception {
        byte[] block = block(OK, kept("nginx"), kept("other"));
        for (int i = 0; i < 4; i++) {
            both(block);
        }

        for (int told = 0; told < 8; told++) {
            List<String> expected = List.of("HTTP/2 200", "server: " + (told % 2 == 0 ? "other" : "nginx"));
            assertThat(lines(compares, block(OK, new byte[] {(byte) (0x80 | FIRST_TOLD + told)})))
                    .isEqualTo(expected);
        }
        assertThat(lines(compares, block(0x80 | FIRST_TOLD + 8)))
                .singleElement()
                .asString()
                .contains("index not in the table");
    }

    @Test
    void whatever_comes_and_comes_again_means_the_same() throws Http2Exception {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 2_000; run++) {
            H2HeadsTest connection = new H2HeadsTest();
            for (int i = 0; i < 12; i++) {
                byte[] block = block(random);
                int times = random.nextInt(8) == 0 ? 300 : random.nextInt(4);
                boolean goesOn = true;
                for (int time = 0; time < times && goesOn; time++) {
                    goesOn = connection.both(block);
                }
                byte[] asked = block(0x80 | FIRST_TOLD + random.nextInt(60));
                List<String> expected = lines(connection.unpacks, asked);
                assertThat(lines(connection.compares, asked)).isEqualTo(expected);
                if (!goesOn || expected.get(0).startsWith("HTTP/2: ")) {
                    break; // as it would end the connection
                }
            }
        }
    }

    /** Reads a block with both; returns whether the connection goes on. */
    private boolean both(byte[] block) {
        boolean isRefused = lines(unpacks, block).stream().anyMatch(line -> line.startsWith("HTTP/2: "));
        String complaint = goAwayError(compares, block, null);
        assertThat(complaint != null).isEqualTo(isRefused);
        assertThat(compares.status()).isEqualTo(unpacks.status());
        return !isRefused;
    }

    private static List<String> lines(H2Heads heads, byte[] block) {
        List<String> lines = new ArrayList<>();
        String complaint = goAwayError(heads, block, new ResponseSink() {
            @Override
            public void line(byte[] bytes, int from, int to) {
                lines.add(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
            }

            @Override
            public void body(byte[] bytes, int from, int to) {}
        });
        if (complaint != null) {
            lines.add(complaint);
        }
        return lines;
    }

    private static @Nullable String goAwayError(H2Heads heads, byte[] block, @Nullable ResponseSink sink) {
        try {
            heads.read(block, 0, block.length, sink);
            return null;
        } catch (Http2Exception broken) {
            return broken.getMessage();
        }
    }

    private static byte[] block(SplittableRandom random) {
        Frames block = new Frames();
        if (random.nextInt(6) == 0) {
            block.one(RESIZE);
            block.one(random.nextInt(128));
        }
        block.one(OK);
        for (int fields = random.nextInt(4); fields > 0; fields--) {
            byte[] field = random.nextInt(4) == 0
                    ? new byte[] {(byte) (0x80 | FIRST_TOLD + random.nextInt(2))}
                    : kept("x".repeat(random.nextInt(1 + random.nextInt(100))));
            block.append(field);
        }
        return Arrays.copyOf(block.array(), block.length());
    }

    private static byte[] block(int first, byte[]... more) {
        Frames block = new Frames();
        block.one(first);
        for (byte[] field : more) {
            block.append(field);
        }
        return Arrays.copyOf(block.array(), block.length());
    }

    /** A field that is told and kept, neither packed nor longer than 126 bytes. */
    private static byte[] kept(String value) {
        Frames field = new Frames();
        field.one(KEPT_SERVER);
        field.one(value.length());
        field.append(value.getBytes(StandardCharsets.ISO_8859_1));
        return Arrays.copyOf(field.array(), field.length());
    }
}
