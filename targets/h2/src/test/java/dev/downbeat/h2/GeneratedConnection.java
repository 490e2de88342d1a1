package dev.downbeat.h2;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** What a peer might send on a connection: frames of all kinds that are used, at random. */
final class GeneratedConnection {
    private GeneratedConnection() {}

    static byte[] of(int count, SplittableRandom random) {
        Frames frames = new Frames();
        frames.settings(Frames.MAX_CONCURRENT_STREAMS, 100);
        HpackEncoder encoder = new HpackEncoder(4096);
        for (int left = count - 1; left > 0; left--) {
            int stream = 1 + 2 * random.nextInt(4);
            switch (random.nextInt(9)) {
                case 0 -> frames.windowUpdate(random.nextBoolean() ? 0 : stream, 1 + random.nextInt(1 << 30));
                case 1 -> frames.ping(random.nextLong());
                case 2 -> frames.reset(stream, ErrorCode.CANCEL);
                case 3 -> frames.settings(Frames.INITIAL_WINDOW_SIZE, random.nextInt(100_000));
                case 4 -> frames.goAway(stream, ErrorCode.NO_ERROR);
                case 5, 6 -> data(frames, stream, random);
                default -> head(frames, stream, encoder, random);
            }
        }
        byte[] bytes = new byte[frames.length()];
        System.arraycopy(frames.array(), 0, bytes, 0, bytes.length);
        return bytes;
    }

    private static void data(Frames frames, int stream, SplittableRandom random) {
        byte[] body = new byte[random.nextInt(40)];
        random.nextBytes(body);
        int padding = random.nextInt(4) == 0 ? random.nextInt(10) : -1;
        int flags = random.nextInt(2) | (padding < 0 ? 0 : Frames.PADDED);
        frames.head(body.length + (padding < 0 ? 0 : 1 + padding), Frames.DATA, flags, stream);
        if (padding >= 0) {
            frames.one(padding);
        }
        frames.append(body);
        frames.append(new byte[10], 0, Math.max(0, padding));
    }

    private static void head(Frames frames, int stream, HpackEncoder encoder, SplittableRandom random) {
        int at = frames.beginHeaders();
        encoder.begin(frames);
        for (int left = 1 + random.nextInt(4); left > 0; left--) {
            byte[] name = ("x-" + random.nextInt(9)).getBytes(StandardCharsets.US_ASCII);
            byte[] value = Integer.toString(random.nextInt(99)).getBytes(StandardCharsets.US_ASCII);
            encoder.field(name, 0, name.length, value, 0, value.length, random.nextBoolean(), frames);
        }
        frames.endHeaders(at, stream, random.nextBoolean());
    }
}
