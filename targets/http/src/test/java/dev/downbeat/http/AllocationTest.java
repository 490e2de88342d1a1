package dev.downbeat.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.value.DataFile;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.record.ServiceTimesByPosition;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From intended time to recorded completion, over real sockets, nothing is allocated per request. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class AllocationTest {
    private static final int WARM_AT = 40_000;
    private static final int END_AT = 80_000;

    @Test
    void the_generator_allocates_nothing_per_request() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Meter meter = new Meter();
            HttpTarget target =
                    new HttpTarget(HttpRequest.get(server.uri()), HttpOptions.of(draft -> draft.connections = 8));
            RunPlan plan = RunPlan.builder(new Workload.Closed(8, ThinkTime.none()))
                    .maxRequests(END_AT + 1)
                    .build();
            RunResult result = new LoadRun(plan, new ObservedTarget(target, meter)).run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(END_AT + 1);
            assertThat(meter.bytes[0]).isPositive();
            meter.assertNothingPerRequest();
        }
    }

    @Test
    void over_HTTP_2_neither() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Meter meter = new Meter();
            HttpTarget target = new HttpTarget(HttpRequest.get(server.uri()), HttpOptions.of(draft -> {
                draft.http = HttpVersion.HTTP_2;
                draft.connections = 2;
                draft.streams = new HttpOptions.Streams(8, 1 << 20);
            }));
            RunPlan plan = RunPlan.builder(new Workload.Closed(16, ThinkTime.none()))
                    .maxRequests(END_AT + 1)
                    .build();
            RunResult result = new LoadRun(plan, new ObservedTarget(target, meter)).run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(END_AT + 1);
            meter.assertNothingPerRequest();
        }
    }

    @Test
    void a_mix_of_ten_requests_with_two_values_each_allocates_nothing_either(@TempDir Path folder) throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 10; i++) {
                text.append("### r").append(i).append("\nPOST ").append(server.uri());
                text.append("p?a={{d.a}}\n\n{\"b\": \"{{d.b}}\", \"id\": \"{{$uuid}}\"}\n");
            }
            Path csv = Files.writeString(folder.resolve("d.csv"), "a,b\n1,one\n2,two\n3,three\n");
            HttpFile file = HttpFile.parse(Files.writeString(folder.resolve("mix.http"), text));
            Variables variables = Variables.none().with(List.of(DataFile.read("d", DataFile.Use.RANDOM, csv)));
            RequestSet set = RequestSet.of(file.requests(), Optional.empty(), variables, RequestSet.Order.MIX, 3);
            Meter meter = new Meter();
            HttpTarget target = new HttpTarget(set, HttpOptions.of(draft -> draft.connections = 8));
            RunPlan plan = RunPlan.builder(new Workload.Closed(8, ThinkTime.none()))
                    .maxRequests(END_AT + 1)
                    .build();
            RunResult result = new LoadRun(plan, new ObservedTarget(target, meter)).run(Progress.none());
            assertThat(result.recording().byName()).hasSize(10);
            assertThat(result.ledger().answered()).isEqualTo(END_AT + 1);
            meter.assertLessPerRequest(16); // the books of ten names grow in every stretch
        }
    }

    /**
     * The first requests of a connection each make the histogram of their place on it; all these are there after {@link
     * ByPosition#LAST}.
     */
    @Test
    void heads_that_differ_and_bodies_of_a_mebibyte_allocate_nothing_either() throws IOException {
        long warmAt = ServiceTimesByPosition.LAST + 50;
        long endAt = warmAt + 200;
        try (CountingServer server = new CountingServer(1 << 20)) {
            Meter meter = new Meter(warmAt, endAt);
            HttpTarget target =
                    new HttpTarget(HttpRequest.get(server.uri()), HttpOptions.of(draft -> draft.connections = 1));
            RunPlan plan = RunPlan.builder(new Workload.Closed(1, ThinkTime.none()))
                    .maxRequests(endAt + 1)
                    .interval(Duration.ofMinutes(1)) // each of two has recorders of its own
                    .build();
            RunResult result = new LoadRun(plan, new ObservedTarget(target, meter)).run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(endAt + 1);
            meter.assertNothingPerRequest();
        }
    }

    /** Answers one connection, each time with another head. */
    private static final class CountingServer implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final byte[] body;

        CountingServer(int bodyBytes) throws IOException {
            body = new byte[bodyBytes];
            Thread thread = new Thread(this::serve, "counting-server");
            thread.setDaemon(true);
            thread.start();
        }

        String uri() {
            return "http://127.0.0.1:" + listening.getLocalPort() + "/";
        }

        private void serve() {
            try (Socket connection = listening.accept()) {
                connection.setTcpNoDelay(true);
                byte[] request = new byte[4096];
                for (int count = 0; connection.getInputStream().read(request) > 0; count++) {
                    String head =
                            "HTTP/1.1 200 OK\r\nX-Id: " + count + "\r\nContent-Length: " + body.length + "\r\n\r\n";
                    connection.getOutputStream().write(head.getBytes(US_ASCII));
                    connection.getOutputStream().write(body);
                }
            } catch (IOException ended) {
                // The client has gone.
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    /**
     * Asks, on the generator's thread, what it has allocated so far, in stretches of requests. What grows once, such as a
     * histogram that meets a duration twice as long as all before, does so in a few of them.
     */
    private static final class Meter implements ObservedTarget.Observer {
        private static final int STRETCHES = 8;

        private final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final long[] bytes = new long[STRETCHES + 1];
        private final long warmAt;
        private final long requests;

        Meter() {
            this(WARM_AT, END_AT);
        }

        Meter(long warmAt, long endAt) {
            this.warmAt = warmAt;
            requests = (endAt - warmAt) / STRETCHES;
        }

        @Override
        public void sends(Exchange exchange) {
            long since = exchange.index - warmAt;
            if (since >= 0 && since % requests == 0 && since / requests <= STRETCHES) {
                bytes[(int) (since / requests)] = threads.getCurrentThreadAllocatedBytes();
            }
        }

        void assertNothingPerRequest() {
            assertLessPerRequest(1);
        }

        /** The smallest object has 16 bytes: one in each request would be as many times that. */
        void assertLessPerRequest(int limitBytes) {
            long least = IntStream.range(0, STRETCHES)
                    .mapToLong(i -> bytes[i + 1] - bytes[i])
                    .min()
                    .orElseThrow();
            assertThat(least).isBetween(0L, limitBytes * requests - 1);
        }
    }
}
