package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.Frames;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.time.NanoClock;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A long request body over HTTP/2 to a server whose windows take all of it, and which says nothing until it has it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class H2UploadTest {
    private static final int WIDE = 64 << 20;
    private static final int BODY = 2_000_000;
    private static final long LONG_NANOS = 10_000_000_000L;

    private final List<Exchange> completed = new ArrayList<>();

    private static void answerWholeBodies(ServerSocket socket) {
        try (Socket accepted = socket.accept()) {
            DataInputStream in = new DataInputStream(accepted.getInputStream());
            in.skipNBytes(Frames.PREFACE.length());
            Frames out = new Frames();
            out.settings(Frames.INITIAL_WINDOW_SIZE, WIDE);
            out.windowUpdate(0, WIDE);
            while (true) {
                accepted.getOutputStream().write(out.array(), 0, out.length());
                out.clear();
                int stream = endOfRequest(in);
                int at = out.beginHeaders();
                out.one(0x88); // status 200
                out.endHeaders(at, stream, true);
            }
        } catch (IOException over) {
            // The client has seen enough.
        }
    }

    /** Reads up to the end of a request, and returns its stream. */
    private static int endOfRequest(DataInputStream in) throws IOException {
        while (true) {
            int head = in.readInt();
            int type = head & 0xff;
            boolean isLast = (in.readByte() & Frames.END_STREAM) != 0;
            int stream = in.readInt();
            in.skipNBytes(head >>> 8);
            if (isLast && (type == Frames.DATA || type == Frames.HEADERS)) {
                return stream;
            }
        }
    }

    @Test
    void is_sent_to_its_end_although_the_server_says_nothing_meanwhile() throws Exception {
        NanoClock clock = NanoClock.system();
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answerWholeBodies(socket));
            server.setDaemon(true);
            server.start();
            HttpTarget target = new HttpTarget(
                    HttpRequest.of(
                            "POST",
                            HttpEndpoint.parse("http://127.0.0.1:" + socket.getLocalPort() + "/"),
                            List.of(),
                            new byte[BODY]),
                    HttpOptions.of(draft -> {
                        draft.http = HttpVersion.HTTP_2;
                        draft.connections = 1;
                        draft.streams = new HttpOptions.Streams(10, 1 << 20);
                    }));
            try (Lane lane = target.open(0, 1, clock, completed::add)) {
                long begunAt = clock.nanoTime();
                for (int slot = 0; slot < 3; slot++) {
                    Exchange exchange = new Exchange(slot);
                    exchange.begin(begunAt, begunAt, begunAt);
                    lane.send(exchange);
                }
                while (completed.size() < 3 && clock.nanoTime() - begunAt < LONG_NANOS) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                assertThat(completed)
                        .extracting(exchange -> exchange.outcome)
                        .containsExactly(Outcome.answered(), Outcome.answered(), Outcome.answered());
            }
        }
    }
}
