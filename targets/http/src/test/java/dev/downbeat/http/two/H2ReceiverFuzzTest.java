package dev.downbeat.http.two;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.two.H2Receiver.H2Events;
import dev.downbeat.http.two.H2Sender.H2Output;
import dev.downbeat.http.wire.ConnectionAttempts;
import dev.downbeat.http.wire.ConnectionCounter;
import dev.downbeat.http.wire.Destination;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.http.wire.Link;
import dev.downbeat.http.wire.ReadBuffer;
import dev.downbeat.time.ManualClock;
import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a connection makes of damaged frames, without sockets: every request that was sent has one end or is still open, and nothing
 * but a broken rule is thrown. {@code -Ddownbeat.frames=10000000} sets how many frames there are in all.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public class H2ReceiverFuzzTest {
    private static final int SEEDS = 4;
    private static final int FRAMES = 20;
    private static final int STREAMS = 4;
    private static final long PER_SEED = Math.max(1, Long.getLong("downbeat.frames", 80_000) / FRAMES / SEEDS);
    private static final byte[] GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    /** Counts how each request ended. */
    private static final class Ends implements H2Events {
        private final int[] ends = new int[STREAMS];

        @Override
        public void greeted() {}

        @Override
        public void changed() {}

        @Override
        public void retired() {}

        @Override
        public void unprocessed(H2Stream stream, long now) {
            ends[stream.carried().slot]++;
        }

        @Override
        public void ended(H2Stream stream, @Nullable Outcome failure, long now) {
            ends[stream.carried().slot]++;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void every_request_ends_once_or_is_open(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        ManualClock clock = new ManualClock(1);
        long complete = 0;
        long broken = 0;
        try (Selector selector = Selector.open()) {
            for (long i = 0; i < PER_SEED; i++) {
                Ends ends = new Ends();
                H2Stream.StreamTable table = new H2Stream.StreamTable(STREAMS);
                ConnectionCounter counter = new ConnectionCounter();
                H2Output output = output(selector, clock, counter);
                H2Sender sender = new H2Sender(output, table, counter, clock);
                H2Receiver receiver = new H2Receiver(ends, table, output, sender, 1 << 20, counter);
                H2Head head = new H2Head(false);
                head.parse(GET, GET.length);
                for (int slot = 0; slot < STREAMS; slot++) {
                    H2Stream stream = new H2Stream();
                    stream.begin(new Exchange(slot), GET);
                    sender.start(stream, head, true);
                }
                try {
                    byte[] bytes = damaged(random);
                    for (int at = 0; at < bytes.length; ) {
                        int length = Math.min(bytes.length - at, 1 + random.nextInt(300));
                        byte[] piece = new byte[length];
                        System.arraycopy(bytes, at, piece, 0, length);
                        receiver.read(piece, length, clock.nanoTime());
                        at += length;
                    }
                    complete++;
                } catch (Http2Exception violation) {
                    assertThat(violation).hasMessageContaining("HTTP/2");
                    broken++;
                }
                for (H2Stream open : table.inOrder()) {
                    ends.ends[open.carried().slot]++;
                }
                assertThat(ends.ends).as("%s/%s", seed, i).containsOnly(1);
                output.frames().clear();
            }
        }
        assertThat(complete).isPositive();
        assertThat(broken).isPositive();
    }

    @ParameterizedTest(name = "a body of {0} bytes")
    @CsvSource({"0, true", "20000, false"})
    void updates_of_windows_are_a_flood_unless_they_give_back_what_was_sent(int body, boolean isFlood)
            throws IOException {
        byte[] post = ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + body + "\r\n\r\n" + "x".repeat(body))
                .getBytes(StandardCharsets.US_ASCII);
        Frames frames = new Frames();
        frames.settings();
        for (int i = 0; i < 15_000; i++) {
            frames.windowUpdate(0, 1);
        }
        try (Selector selector = Selector.open()) {
            H2Stream.StreamTable table = new H2Stream.StreamTable(STREAMS);
            ConnectionCounter counter = new ConnectionCounter();
            H2Output output = output(selector, new ManualClock(1), counter);
            H2Sender sender = new H2Sender(output, table, counter, new ManualClock(1));
            H2Receiver receiver = new H2Receiver(new Ends(), table, output, sender, 1 << 20, counter);
            H2Head head = new H2Head(false);
            head.parse(post, post.length);
            H2Stream stream = new H2Stream();
            stream.begin(new Exchange(0), post);
            sender.start(stream, head, false);
            Throwable broken = catchThrowable(() -> receiver.read(frames.array(), frames.length(), 1));
            assertThat(broken == null ? "" : broken.getMessage())
                    .isEqualTo(isFlood ? "HTTP/2: more than 10,000 control frames per second (ENHANCE_YOUR_CALM)" : "");
        }
    }

    static H2Output output(Selector selector, ManualClock clock, ConnectionCounter counter) {
        Destination nobody = new Destination(
                HttpRequest.get("http://127.0.0.1:1/").endpoint(), HttpOptions.of(draft -> {}), new byte[0], false, "");
        ConnectionAttempts attempts =
                nobody.newAttempts(selector, clock, counter, new ReadBuffer(), new HttpFailures(""), List.of());
        Link.User user = new Link.User() {
            @Override
            public void opened() {}

            @Override
            public void failedToOpen(Outcome why) {}

            @Override
            public void ready() {}

            @Override
            public void broken(Outcome why) {}
        };
        return new H2Output(new Link(attempts, user));
    }

    private static byte[] damaged(SplittableRandom random) {
        Frames frames = new Frames();
        frames.settings(Frames.MAX_CONCURRENT_STREAMS, STREAMS);
        for (int left = FRAMES - 1; left > 0; left--) {
            int stream = 1 + 2 * random.nextInt(STREAMS);
            switch (random.nextInt(12)) {
                case 0 -> frames.windowUpdate(stream, 1 + random.nextInt(1000));
                case 1 -> frames.ping(left);
                case 2, 3, 4 -> {
                    frames.head(4, Frames.DATA, random.nextInt(8) == 0 ? Frames.END_STREAM : 0, stream);
                    frames.append(new byte[4]);
                }
                case 5 -> frames.settings(Frames.INITIAL_WINDOW_SIZE, random.nextInt(100_000));
                case 6 -> frames.reset(stream, ErrorCode.REFUSED_STREAM);
                case 7 -> frames.goAway(1 + 2 * random.nextInt(2 * STREAMS), ErrorCode.NO_ERROR);
                default -> {
                    int at = frames.beginHeaders();
                    frames.one(0x88);
                    frames.endHeaders(at, stream, random.nextInt(3) == 0);
                }
            }
        }
        byte[] bytes = new byte[frames.length()];
        System.arraycopy(frames.array(), 0, bytes, 0, bytes.length);
        for (int left = random.nextInt(4); left > 0; left--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }
}
