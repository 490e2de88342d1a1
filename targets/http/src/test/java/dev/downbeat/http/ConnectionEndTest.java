package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.Written;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connection that can carry no further request is not given one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class ConnectionEndTest {
    private static final List<Socket> KEPT_OPEN = new CopyOnWriteArrayList<>();

    @AfterAll
    static void close() throws IOException {
        for (Socket connection : KEPT_OPEN) {
            connection.close();
        }
    }

    /** What a server does with one connection. */
    @FunctionalInterface
    interface Manners {
        void serve(Socket connection) throws IOException, InterruptedException;
    }

    /** Serves until the server's socket is closed; returns the thread that accepts. */
    private static Thread serve(ServerSocket server, Manners manners) {
        Thread acceptor = new Thread(() -> {
            try {
                while (true) {
                    Socket connection = server.accept();
                    KEPT_OPEN.add(connection);
                    Thread one = new Thread(() -> {
                        try {
                            manners.serve(connection);
                        } catch (IOException | InterruptedException gone) {
                            // the client has closed
                        }
                    });
                    one.setDaemon(true);
                    one.start();
                }
            } catch (IOException closed) {
                // the test is over
            }
        });
        acceptor.setDaemon(true);
        acceptor.start();
        return acceptor;
    }

    @Test
    void a_full_queue_of_a_unix_socket_is_waited_for_like_that_of_tcp(@TempDir Path directory) throws Exception {
        Path socket = directory.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket), 1);
            HttpTarget target = new HttpTarget(
                    HttpRequest.get("unix:" + socket + ":/"), HttpOptions.of(draft -> draft.connections = 8));
            Thread late = new Thread(() -> {
                List<SocketChannel> accepted = new ArrayList<>();
                try {
                    Thread.sleep(50); // long enough for eight connects to find the queue full
                    while (accepted.size() < 8) {
                        accepted.add(server.accept());
                    }
                } catch (IOException | InterruptedException closed) {
                    // the test is over
                }
            });
            late.start();
            try (Lane lane = target.open(0, 1, NanoClock.system(), exchange -> {})) {
                assertThat(lane.connections().opened()).isEqualTo(8);
                assertThat(lane.connections().failed()).isZero();
            }
            late.interrupt();
            late.join();
        }
    }

    private static Exchange sent(Lane lane, NanoClock clock) {
        Exchange exchange = new Exchange(0);
        exchange.startedAt = clock.nanoTime();
        exchange.firstByteAt = exchange.startedAt;
        lane.send(exchange);
        return exchange;
    }

    /** The replacement finds a full queue, and so is ready only when its predecessor is gone. */
    @Test
    @SuppressWarnings("try") // the server closes its end within the test
    void a_connection_that_the_server_closes_before_its_replacement_is_ready_ends_once(@TempDir Path directory)
            throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
        NanoClock clock = NanoClock.system();
        List<Exchange> completed = new ArrayList<>();
        HttpTarget target = new HttpTarget(
                HttpRequest.get("unix:" + address.getPath() + ":/"),
                HttpOptions.of(one().andThen(draft -> draft.replaceAfter = 1)));
        try (ServerSocketChannel server =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address, 1);
                Lane lane = target.open(0, 1, clock, completed::add);
                SocketChannel first = server.accept();
                SocketChannel queued = SocketChannel.open(address);
                SocketChannel alsoQueued = SocketChannel.open(address)) {
            sent(lane, clock);
            first.write(ByteBuffer.wrap("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            while (completed.isEmpty()) {
                lane.poll(clock.nanoTime() + 10_000_000);
            }
            first.close();
            while (lane.connections().closedByServer() == 0) {
                lane.poll(clock.nanoTime() + 10_000_000);
            }
            assertThat(lane.connections().opened()).isEqualTo(1);
            server.accept().close(); // queued
            server.accept().close(); // alsoQueued
            while (lane.connections().opened() == 1) {
                lane.poll(clock.nanoTime() + 10_000_000);
            }
            assertThat(lane.connections().closedByUs()).isZero();
            assertThat(lane.connections().openAtEnd()).isEqualTo(1);
            assertThat(queued.isOpen() && alsoQueued.isOpen()).isTrue();
        }
    }

    private static RunResult run(HttpRequest request, int requests, HttpOptions options) throws IOException {
        return run(new HttpTarget(request, options), requests);
    }

    private static RunResult run(Target target, int requests) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(100))))
                .maxRequests(requests)
                .timeout(Duration.ofSeconds(5))
                .build();
        RunResult result = new LoadRun(plan, target).run(Progress.none());
        assertThat(result.ledger().addsUp()).isTrue();
        return result;
    }

    private static Consumer<HttpOptions.Draft> one() {
        return draft -> draft.connections = 1;
    }

    /** Answers one request on each connection, and closes it when the next is there: what an idle timeout does now and then. */
    private static void closesEachSecond(Socket connection) throws IOException {
        byte[] room = new byte[1000];
        if (connection.getInputStream().read(room) < 0) {
            return;
        }
        connection
                .getOutputStream()
                .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        if (connection.getInputStream().read(room) >= 0) {
            connection.close();
        }
    }

    private static RunResult closedWhenKept(String method, Consumer<HttpOptions.Draft> options) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            serve(server, ConnectionEndTest::closesEachSecond);
            HttpEndpoint endpoint = HttpEndpoint.parse("http://127.0.0.1:" + server.getLocalPort() + "/");
            return run(HttpRequest.of(method, endpoint, List.of(), new byte[0]), 10, HttpOptions.of(options));
        }
    }

    @Test
    void an_idempotent_request_that_meets_a_closed_connection_is_sent_once_more_and_counted() throws Exception {
        RunResult get = closedWhenKept("GET", one());
        assertThat(get.ledger().answered()).isEqualTo(10);
        assertThat(get.connections().streams().sentAgain()).isEqualTo(9);
        assertThat(get.connections().closedByServer()).isEqualTo(9);
        RunResult post = closedWhenKept("POST", one());
        assertThat(post.recording().failures()).isEqualTo(Map.of("kept connection closed before a response", 5L));
        RunResult asked = closedWhenKept("GET", one().andThen(draft -> draft.sendsAgain = false));
        assertThat(asked.recording().failures()).isEqualTo(post.recording().failures());
        assertThat(asked.connections().streams().sentAgain()).isZero();
    }

    @Test
    void a_request_that_is_refused_when_it_goes_again_was_sent_all_the_same() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Thread> acceptor = new CompletableFuture<>();
            Closeable listening = server;
            acceptor.complete(serve(server, connection -> {
                byte[] room = new byte[1000];
                if (connection.getInputStream().read(room) < 0) {
                    return;
                }
                connection
                        .getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                if (connection.getInputStream().read(room) >= 0) {
                    listening.close();
                    acceptor.join().join(); // the kernel listens until an accept that waits has returned
                    connection.close();
                }
            }));
            RunResult result =
                    run(HttpRequest.get("http://127.0.0.1:" + server.getLocalPort() + "/"), 2, HttpOptions.of(one()));
            assertThat(result.ledger().answered()).isEqualTo(1);
            assertThat(result.connections().streams().sentAgain()).isEqualTo(1);
            assertThat(result.ledger().unconnected()).isZero();
        }
    }

    /** This server closes nothing, nor says that it will. */
    private static void answersEach(Socket connection) throws IOException {
        byte[] room = new byte[1000];
        while (connection.getInputStream().read(room) >= 0) {
            connection
                    .getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @ParameterizedTest(name = "Connection: {0}")
    @CsvSource({"close, 3", "'Keep-Alive, CLOSE', 3", "keep-alive, 1", "closed, 1"})
    void a_request_that_says_close_is_the_last_on_its_connection(String option, int opened) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            serve(server, ConnectionEndTest::answersEach);
            String url = "http://127.0.0.1:" + server.getLocalPort() + "/";
            HttpRequest same = HttpRequest.of(
                    "GET", HttpEndpoint.parse(url), List.of(new HttpRequest.Header("connection", option)), new byte[0]);
            RequestSet varying = Written.set("GET " + url + "\nConnection: " + option, RequestSet.Order.IN_TURN);
            for (Target target : List.of(
                    new HttpTarget(same, HttpOptions.of(one())), new HttpTarget(varying, HttpOptions.of(one())))) {
                RunResult result = run(target, 3);
                assertThat(result.ledger().answered()).isEqualTo(3);
                assertThat(result.connections().opened()).isEqualTo(opened);
            }
        }
    }

    @Test
    void an_unresponsive_server_is_not_asked_twice() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            serve(server, Socket::close);
            RunResult result =
                    run(HttpRequest.get("http://127.0.0.1:" + server.getLocalPort() + "/"), 5, HttpOptions.of(one()));
            assertThat(result.ledger().failed()).isEqualTo(5);
            assertThat(result.connections().streams().sentAgain()).isZero();
        }
    }

    @Test
    void a_response_before_the_end_of_its_request_wears_the_connection_out() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            serve(server, connection -> {
                if (connection.getInputStream().read(new byte[1000]) < 0) {
                    return;
                }
                connection
                        .getOutputStream()
                        .write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n"
                                .getBytes(StandardCharsets.ISO_8859_1));
            });
            HttpEndpoint endpoint = HttpEndpoint.parse("http://127.0.0.1:" + server.getLocalPort() + "/");
            HttpRequest large = HttpRequest.of("POST", endpoint, List.of(), new byte[16 << 20]);
            RunResult result = run(large, 5, HttpOptions.of(one()));

            assertThat(result.recording().failures()).isEqualTo(Map.of("HTTP 413", 5L));
            assertThat(result.connections().opened()).isEqualTo(5);
            assertThat(result.connections().closedByUs()).isEqualTo(5);
        }
    }

    @Test
    void bytes_after_a_response_belong_to_no_request_and_wear_the_connection_out() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            serve(server, connection -> {
                byte[] room = new byte[1000];
                while (connection.getInputStream().read(room) >= 0) {
                    connection
                            .getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK"
                                    .getBytes(StandardCharsets.ISO_8859_1));
                }
            });
            RunResult result =
                    run(HttpRequest.get("http://127.0.0.1:" + server.getLocalPort() + "/"), 5, HttpOptions.of(one()));
            assertThat(result.ledger().answered()).isEqualTo(5);
            assertThat(result.connections().opened()).isEqualTo(5);
            assertThat(result.connections().closedByUs()).isEqualTo(5);
        }
    }

    /** Takes the beginning of each request, answers, and resets the connection: the rest of the body cannot be sent. */
    private static void refuseBodies(ServerSocket server, CountDownLatch isFull, CountDownLatch isReset) {
        serve(server, connection -> {
            try (connection) {
                connection.getInputStream().skipNBytes(1000);
                isFull.await();
                connection
                        .getOutputStream()
                        .write("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno"
                                .getBytes(StandardCharsets.ISO_8859_1));
                connection.setSoLinger(true, 0);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            isReset.countDown();
        });
    }

    @Test
    void a_response_that_had_come_counts_although_the_rest_of_its_request_cannot_be_sent() throws Exception {
        CountDownLatch isFull = new CountDownLatch(1);
        CountDownLatch isReset = new CountDownLatch(1);
        NanoClock clock = NanoClock.system();
        List<Exchange> completed = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            refuseBodies(server, isFull, isReset);
            HttpEndpoint endpoint = HttpEndpoint.parse("http://127.0.0.1:" + server.getLocalPort() + "/");
            HttpRequest large = HttpRequest.of("POST", endpoint, List.of(), new byte[16 << 20]);
            try (Lane lane = new HttpTarget(large, HttpOptions.of(one())).open(0, 1, clock, completed::add)) {
                Exchange exchange = sent(lane, clock);
                lane.poll(clock.nanoTime());
                isFull.countDown();
                isReset.await();
                while (completed.isEmpty()) {
                    lane.poll(clock.nanoTime() + 10_000_000);
                }
                assertThat(exchange.outcome.reason()).isEqualTo("HTTP 413");
                assertThat(exchange.status).isEqualTo(413);
            }
        }
    }
}
