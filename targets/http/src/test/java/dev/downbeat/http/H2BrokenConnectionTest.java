package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Frames;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connection that ends while requests are on their way to it: what the server had said before counts. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(30)
class H2BrokenConnectionTest {
    private static final int PREFACE_BYTES = 24;

    private final CountDownLatch allSent = new CountDownLatch(1);
    private final CountDownLatch isReset = new CountDownLatch(1);
    private final List<Exchange> completed = new ArrayList<>();

    /** Answers the first two of three requests, says that it has processed no more, and resets the connection. */
    private void leaveEarly(ServerSocket socket) throws IOException, InterruptedException {
        try (Socket accepted = socket.accept()) {
            DataInputStream in = greet(accepted);
            for (int stream = 1; stream <= 5; stream += 2) {
                assertThat(nextRequest(in)).isEqualTo(stream);
            }
            allSent.await();
            Frames out = new Frames();
            answer(out, 1);
            answer(out, 3);
            out.goAway(3, ErrorCode.NO_ERROR);
            accepted.getOutputStream().write(out.array(), 0, out.length());
            accepted.setSoLinger(true, 0);
        }
        isReset.countDown();
    }

    private static void answerAll(ServerSocket socket) throws IOException {
        try (Socket accepted = socket.accept()) {
            DataInputStream in = greet(accepted);
            for (int stream = nextRequest(in); stream > 0; stream = nextRequest(in)) {
                Frames out = new Frames();
                answer(out, stream);
                accepted.getOutputStream().write(out.array(), 0, out.length());
            }
        }
    }

    /** Says that the requests of one connection are too many, and closes it. */
    private static void complain(ServerSocket socket) throws IOException {
        try (Socket accepted = socket.accept()) {
            DataInputStream in = greet(accepted);
            assertThat(nextRequest(in)).isEqualTo(1);
            Frames out = new Frames();
            out.goAway(1, ErrorCode.ENHANCE_YOUR_CALM);
            accepted.getOutputStream().write(out.array(), 0, out.length());
        }
    }

    /**
     * Takes no request at all.
     *
     * @param begin the frames that it sends first
     */
    private static void answerOnly(ServerSocket socket, Consumer<Frames> begin) throws IOException {
        while (true) {
            try (Socket accepted = socket.accept()) {
                DataInputStream in = new DataInputStream(accepted.getInputStream());
                in.skipNBytes(PREFACE_BYTES);
                Frames out = new Frames();
                begin.accept(out);
                accepted.getOutputStream().write(out.array(), 0, out.length());
                accepted.shutdownOutput();
                while (nextRequest(in) > 0) {
                    // until the client ends it
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, ENHANCE_YOUR_CALM, enhance your calm",
        "true, NO_ERROR, no error",
        "false, ENHANCE_YOUR_CALM, enhance your calm"
    })
    void a_server_that_says_goodbye_first_is_quoted(boolean isGreeted, ErrorCode code, String words) throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> answerOnly(socket, out -> {
                if (isGreeted) {
                    out.settings();
                }
                out.goAway(0, code);
            }));
            assertThatThrownBy(() -> open(socket, NanoClock.system()))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith(": HTTP/2: GOAWAY (" + words + ")");
        }
    }

    /** Greets each connection, and refuses its first request by the end of the connection. */
    private static void refuseEachConnection(ServerSocket socket) throws IOException {
        while (true) {
            try (Socket accepted = socket.accept()) {
                DataInputStream in = greet(accepted);
                nextRequest(in);
                Frames out = new Frames();
                out.goAway(0, ErrorCode.ENHANCE_YOUR_CALM);
                accepted.getOutputStream().write(out.array(), 0, out.length());
                accepted.shutdownOutput();
                nextRequest(in);
            }
        }
    }

    @Test
    void a_request_that_no_connection_processes_fails_with_the_servers_reason() throws Exception {
        NanoClock clock = NanoClock.system();
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> refuseEachConnection(socket));
            try (Lane lane = open(socket, clock)) {
                send(lane, 0);
                while (completed.isEmpty()) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                assertThat(completed.get(0).outcome.reason())
                        .isEqualTo("HTTP/2: not processed, even after resending: GOAWAY (enhance your calm)");
                assertThat(completed.get(0).unconnected)
                        .as("bytes of it were sent")
                        .isFalse();
            }
        }
    }

    /** Its first bytes were sent, though the connection of the second time never opens. */
    @Test
    @SuppressWarnings("try") // its end is what this is about
    void a_request_that_waits_to_be_sent_again_counts_as_sent() throws Exception {
        NanoClock clock = NanoClock.system();
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> {
                try (Socket accepted = socket.accept()) {
                    DataInputStream in = greet(accepted);
                    nextRequest(in);
                    socket.close();
                    Frames out = new Frames();
                    out.goAway(0, ErrorCode.ENHANCE_YOUR_CALM);
                    accepted.getOutputStream().write(out.array(), 0, out.length());
                    accepted.shutdownOutput();
                    nextRequest(in);
                }
            });
            try (Lane lane = open(socket, clock)) {
                send(lane, 0);
                while (completed.isEmpty()) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                assertThat(completed.get(0).outcome.reason()).isEqualTo("connection refused");
                assertThat(completed.get(0).unconnected).isFalse();
            }
        }
    }

    /** Allows no streams, or only after a while. */
    private static void allowLate(ServerSocket socket, long afterMillis) throws IOException, InterruptedException {
        try (Socket accepted = socket.accept()) {
            DataInputStream in = new DataInputStream(accepted.getInputStream());
            in.skipNBytes(PREFACE_BYTES);
            Frames out = new Frames();
            out.settings(Frames.MAX_CONCURRENT_STREAMS, 0);
            accepted.getOutputStream().write(out.array(), 0, out.length());
            if (afterMillis > 0) {
                Thread.sleep(afterMillis);
                Frames more = new Frames();
                more.settings(Frames.MAX_CONCURRENT_STREAMS, 5);
                accepted.getOutputStream().write(more.array(), 0, more.length());
            }
            nextRequest(in);
        }
    }

    @Test
    void a_server_that_allows_no_streams_is_named() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> allowLate(socket, 0));
            assertThatThrownBy(() ->
                            open(socket, NanoClock.system(), draft -> draft.connectTimeout = Duration.ofMillis(300)))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith(
                            ": the server allows no HTTP/2 streams (SETTINGS_MAX_CONCURRENT_STREAMS is 0)");
        }
    }

    @Test
    void a_server_that_allows_streams_after_a_while_is_waited_for() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> allowLate(socket, 100));
            try (Lane lane = open(socket, NanoClock.system())) {
                assertThat(lane.capacity()).isEqualTo(5);
                assertThat(lane.counts().byName()).doesNotContainKey(TargetCounts.WITHOUT_STREAMS);
            }
        }
    }

    @Test
    void connections_without_streams_are_counted() throws Exception {
        NanoClock clock = NanoClock.system();
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> allowLate(socket, 0));
            try (Lane lane = open(socket, clock, draft -> draft.cold = true)) {
                send(lane, 0);
                while (lane.counts().count(TargetCounts.WITHOUT_STREAMS) == 0) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                assertThat(lane.connections().openAtEnd()).isEqualTo(1);
            }
        }
    }

    /** Such as one that is frozen when the run ends. */
    @Test
    void a_connection_whose_server_has_said_nothing_is_open_without_streams() throws Exception {
        NanoClock clock = NanoClock.system();
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Lane lane = open(socket, clock, draft -> draft.cold = true)) {
            send(lane, 0);
            while (lane.connections().opened() == 0) {
                lane.poll(clock.nanoTime() + 10_000_000);
            }
            assertThat(lane.connections())
                    .isEqualTo(new ConnectionCounts(1, 0, 0, 0, 0, 0, 1, 0).with(new StreamCounts(0, 0, 0, 0)));
        }
    }

    private static DataInputStream greet(Socket accepted) throws IOException {
        DataInputStream in = new DataInputStream(accepted.getInputStream());
        in.skipNBytes(PREFACE_BYTES);
        Frames out = new Frames();
        out.settings();
        accepted.getOutputStream().write(out.array(), 0, out.length());
        return in;
    }

    private static void answer(Frames out, int stream) {
        int at = out.beginHeaders();
        out.one(0x88);
        out.endHeaders(at, stream, true);
    }

    /** The stream of the next HEADERS; -1 at the end. */
    private static int nextRequest(DataInputStream in) throws IOException {
        for (int first = in.read(); first >= 0; first = in.read()) {
            int length = first << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            in.readByte();
            int stream = in.readInt();
            in.skipNBytes(length);
            if (type == Frames.HEADERS) {
                return stream;
            }
        }
        return -1;
    }

    private static void send(Lane lane, int slot) {
        Exchange exchange = new Exchange(slot);
        exchange.intendedAt = NanoClock.system().nanoTime();
        exchange.dispatchedAt = exchange.intendedAt;
        exchange.startedAt = exchange.intendedAt;
        exchange.firstByteAt = exchange.intendedAt;
        lane.send(exchange);
    }

    private interface Server {
        void serve() throws IOException, InterruptedException;
    }

    private static void start(Server server) {
        Thread thread = new Thread(() -> {
            try {
                server.serve();
            } catch (IOException | InterruptedException interrupted) {
                // The client has seen enough, or says what it lacks.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private Lane open(ServerSocket socket, NanoClock clock) throws IOException {
        return open(socket, clock, draft -> {});
    }

    private Lane open(ServerSocket socket, NanoClock clock, Consumer<HttpOptions.Draft> changes) throws IOException {
        HttpTarget target = new HttpTarget(
                HttpRequest.get("http://127.0.0.1:" + socket.getLocalPort() + "/"), HttpOptions.of(draft -> {
                    draft.http = HttpVersion.HTTP_2;
                    draft.connections = 1;
                    draft.streams = new HttpOptions.Streams(10, 1 << 20);
                    changes.accept(draft);
                }));
        return target.open(0, 1, clock, completed::add);
    }

    @Test
    void why_a_server_ends_a_connection_is_why_a_request_on_it_has_failed() throws Exception {
        NanoClock clock = NanoClock.system();
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> complain(socket));
            try (Lane lane = open(socket, clock)) {
                send(lane, 0);
                while (completed.isEmpty()) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                assertThat(completed.get(0).outcome.reason()).isEqualTo("HTTP/2: GOAWAY (enhance your calm)");
            }
        }
    }

    @Test
    void responses_before_a_reset_count_although_the_next_request_cannot_be_sent() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> {
                leaveEarly(socket);
                answerAll(socket);
            });
            NanoClock clock = NanoClock.system();
            try (Lane lane = open(socket, clock)) {
                for (int slot = 0; slot < 3; slot++) {
                    send(lane, slot);
                }
                lane.poll(clock.nanoTime());
                allSent.countDown();
                isReset.await();
                send(lane, 3);
                while (completed.size() < 4) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                assertThat(completed).extracting(exchange -> exchange.outcome).containsOnly(Outcome.answered());
                assertThat(completed).extracting(exchange -> exchange.slot).startsWith(0, 1);
                assertThat(lane.connections().streams().sentAgain()).isEqualTo(2);
                assertThat(lane.connections().closedByServerWithNotice()).isEqualTo(1);
            }
        }
    }

    private static void refuseAll(ServerSocket socket) throws IOException {
        try (Socket accepted = socket.accept()) {
            DataInputStream in = greet(accepted);
            for (int stream = nextRequest(in); stream > 0; stream = nextRequest(in)) {
                Frames out = new Frames();
                out.reset(stream, ErrorCode.REFUSED_STREAM);
                accepted.getOutputStream().write(out.array(), 0, out.length());
            }
        }
    }

    @Test
    void a_request_that_is_never_processed_is_sent_again_three_times() throws Exception {
        NanoClock clock = NanoClock.system();
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> refuseAll(socket));
            try (Lane lane = open(socket, clock)) {
                send(lane, 0);
                while (completed.isEmpty()) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                assertThat(completed.get(0).outcome.reason()).isEqualTo("HTTP/2: not processed, even after resending");
                assertThat(lane.connections().streams().sentAgain()).isEqualTo(3);
                assertThat(lane.connections().streams().begun()).isEqualTo(4);
            }
        }
    }

    /** Sends an interim head, and then that it has processed nothing. */
    private static void hintAndLeave(ServerSocket socket) throws IOException {
        try (Socket accepted = socket.accept()) {
            DataInputStream in = greet(accepted);
            Frames out = new Frames();
            int at = out.beginHeaders();
            out.append(new byte[] {0x08, 3, '1', '0', '3'}); // :status, not indexed
            out.endHeaders(at, nextRequest(in), false);
            out.goAway(0, ErrorCode.NO_ERROR);
            accepted.getOutputStream().write(out.array(), 0, out.length());
            accepted.shutdownOutput();
            nextRequest(in);
        }
    }

    @Test
    void the_first_byte_is_that_of_the_connection_which_answers() throws Exception {
        NanoClock clock = NanoClock.system();
        AtomicLong answeringAt = new AtomicLong();
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> {
                hintAndLeave(socket);
                try (Socket accepted = socket.accept()) {
                    DataInputStream in = greet(accepted);
                    Frames out = new Frames();
                    answer(out, nextRequest(in));
                    answeringAt.set(clock.nanoTime());
                    accepted.getOutputStream().write(out.array(), 0, out.length());
                    nextRequest(in);
                }
            });
            try (Lane lane = open(socket, clock)) {
                send(lane, 0);
                while (completed.isEmpty()) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                Exchange exchange = completed.get(0);
                assertThat(exchange.outcome).isEqualTo(Outcome.answered());
                assertThat(exchange.firstByteAt - answeringAt.get()).isNotNegative();
            }
        }
    }

    private static Exchange sentAt(Lane lane, int slot, long dispatchedAt, long at) {
        Exchange exchange = new Exchange(slot);
        exchange.begin(dispatchedAt, dispatchedAt, at);
        lane.send(exchange);
        return exchange;
    }

    /** What had waited for a connection before keeps when it was dispatched. */
    @Test
    void requests_within_20_us_leave_together_and_their_wait_for_each_other_is_ours() throws Exception {
        ManualClock clock = new ManualClock(1_000);
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            start(() -> answerAll(socket));
            try (Lane lane = open(socket, clock)) {
                Exchange first = sentAt(lane, 0, 1_000, 1_000);
                clock.advanceNanos(20_000);
                Exchange second = sentAt(lane, 1, 500, 21_000);
                assertThat(first.startedAt).as("they wait for more").isEqualTo(1_000);
                clock.advanceNanos(1);
                Exchange third = sentAt(lane, 2, 21_001, 21_001);
                assertThat(List.of(first, second))
                        .extracting(one -> one.startedAt)
                        .containsOnly(21_001L);
                assertThat(List.of(first, second))
                        .extracting(one -> one.firstByteAt)
                        .containsOnly(21_001L);
                assertThat(first.dispatchedAt).isEqualTo(21_001);
                assertThat(second.dispatchedAt).isEqualTo(500);
                clock.advanceNanos(7);
                lane.poll(clock.nanoTime());
                assertThat(third.startedAt).isEqualTo(21_008);
            }
        }
    }
}
