package dev.downbeat.http;

import static dev.downbeat.http.TwoHundredRequests.REQUESTS;
import static dev.downbeat.http.TwoHundredRequests.allAnswered;
import static dev.downbeat.http.TwoHundredRequests.plan;
import static dev.downbeat.http.TwoHundredRequests.run;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Fate;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.FreePort;
import dev.downbeat.time.ServiceLaw;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Real requests to a real server that misbehaves: whatever happens is an outcome, and the ledger adds up. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class HttpTargetTest {
    private static Consumer<HttpOptions.Draft> few() {
        return draft -> draft.connections = 4;
    }

    @Test
    void answers_are_counted_with_their_times_and_positions() throws IOException {
        RunResult result = run(draft -> draft.delay = new ServiceLaw.Constant(2_000_000), few());

        assertThat(result.ledger()).isEqualTo(allAnswered());
        assertThat(result.recording().service().minNanos()).isGreaterThanOrEqualTo(1_990_000);
        assertThat(result.recording().response().minNanos()).isGreaterThanOrEqualTo(1_990_000);
        assertThat(result.connections().opened()).isEqualTo(4);
        assertThat(result.connections().openAtEnd()).isEqualTo(4);
        assertThat(result.recording().waits().connect().isEmpty())
                .as("all were open beforehand")
                .isTrue();
        assertThat(result.recording().anatomy().byPosition().at(1).count()).isEqualTo(4);
        assertThat(result.recording().anatomy().byPosition().last()).isBetween(50, 200);
    }

    /** A request is the same each time; a response has a head beside its body. */
    @Test
    void bytes_are_counted_on_the_way_out_and_in() throws IOException {
        RunResult result = run(draft -> draft.bodyBytes = 10_000, few());

        long sent = result.counts().count("bytes sent");
        assertThat(sent % REQUESTS).isZero();
        assertThat(sent / REQUESTS).isBetween(30L, 300L);
        assertThat(result.counts().count("bytes received")).isBetween(10_000L * REQUESTS, 10_500L * REQUESTS);
    }

    @Test
    void several_generators_share_one_schedule() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunResult result = run(plan().generators(3).build(), server.uri(), HttpOptions.of(few()));
            assertThat(result.ledger()).isEqualTo(allAnswered());
            assertThat(result.connections().opened()).isEqualTo(4);
        }
    }

    @Test
    void without_keep_alive_every_request_opens_its_connection() throws IOException {
        RunResult result = run(draft -> {}, few().andThen(draft -> draft.keepAlive = false));

        assertThat(result.ledger()).isEqualTo(allAnswered());
        assertThat(result.connections().opened()).isEqualTo(REQUESTS);
        assertThat(result.recording().waits().connect().count()).isEqualTo(REQUESTS - 1);
        assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(1);
        assertThat(result.connections().closedByUs() + result.connections().closedByServerWithNotice())
                .isEqualTo(REQUESTS);
    }

    @Test
    void a_server_that_closes_with_notice_costs_a_connect_and_nothing_else() throws IOException {
        RunResult result = run(
                draft -> {
                    draft.closeAfter = 10;
                    draft.closeNotice = true;
                },
                few());

        assertThat(result.ledger()).isEqualTo(allAnswered());
        assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(10);
        assertThat(result.connections().closedByServerWithNotice()).isBetween(16L, 20L);
        assertThat(result.connections().closedByServer()).isZero();
    }

    @Test
    void a_server_that_closes_without_notice_may_fail_a_request_but_never_lose_it() throws IOException {
        RunResult result = run(
                draft -> {
                    draft.closeAfter = 10;
                    draft.closeNotice = false;
                },
                few());

        assertThat(result.ledger().planned()).isEqualTo(REQUESTS);
        assertThat(result.connections().closedByServer()).isGreaterThanOrEqualTo(15);
        assertThat(result.connections().closedByServerWithNotice()).isZero();
    }

    @Test
    void a_unix_socket_is_as_good_as_a_port(@TempDir Path folder) throws IOException {
        RunResult result = run(draft -> draft.unixSocket = Optional.of(folder.resolve("s")), few());
        assertThat(result.ledger()).isEqualTo(allAnswered());
    }

    @ParameterizedTest
    @CsvSource({
        "RESET, connection reset",
        "CLOSE_WITHOUT_ANSWER, closed before a response",
        "GARBAGE, not HTTP: bad status line",
        "BAD_STATUS_LINE, not HTTP: bad status line",
        "HALF_ANSWER, closed in mid-response",
    })
    void misbehaviour_is_a_failure_with_a_reason(Misbehaviour misbehaviour, String reason) throws IOException {
        RunResult result = run(draft -> draft.misbehaviour = misbehaviour, few());

        assertThat(result.ledger()).isEqualTo(new Ledger(REQUESTS, 0, REQUESTS, 0, 0, 0, 0));
        assertThat(result.recording().failures()).isEqualTo(Map.of(reason, (long) REQUESTS));
    }

    @ParameterizedTest
    @EnumSource(
            value = Misbehaviour.class,
            names = {"CHUNKED", "NO_LENGTH", "CONTINUE_FIRST"})
    void unusual_answers_are_answers(Misbehaviour unusual) throws IOException {
        RunResult result = run(draft -> draft.misbehaviour = unusual, few());
        assertThat(result.ledger()).isEqualTo(allAnswered());
    }

    @Test
    void a_failing_status_is_a_failure_and_a_redirect_is_an_answer() throws IOException {
        RunResult busy = run(draft -> draft.status = 503, few());
        assertThat(busy.recording().failures()).isEqualTo(Map.of("HTTP 503", (long) REQUESTS));
        RunResult moved = run(draft -> draft.status = 302, few());
        assertThat(moved.ledger()).isEqualTo(allAnswered());
    }

    @Test
    void a_large_body_is_read_to_its_end() throws IOException {
        RunResult result = run(draft -> draft.bodyBytes = 1_000_000, few());
        assertThat(result.ledger()).isEqualTo(allAnswered());
    }

    @Test
    void a_large_request_leaves_in_several_pieces() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            HttpRequest post = HttpRequest.of("POST", HttpEndpoint.parse(server.uri()), List.of(), new byte[8_000_000]);
            RunPlan ten = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(20))))
                    .maxRequests(10)
                    .build();
            RunResult result = new LoadRun(ten, new HttpTarget(post, HttpOptions.of(few()))).run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(10);
        }
    }

    @Test
    void a_silent_server_times_requests_out_and_their_connections_are_closed() throws IOException {
        LoopbackOptions options = LoopbackOptions.of(draft -> draft.misbehaviour = Misbehaviour.HEADERS_NEVER);
        try (LoopbackServer server = LoopbackServer.start(options)) {
            RunResult result = run(plan().timeout(Duration.ofMillis(200)).build(), server.uri(), HttpOptions.of(few()));

            assertThat(result.ledger()).satisfies(ledger -> {
                assertThat(ledger.addsUp()).isTrue();
                assertThat(ledger.timedOut()).isEqualTo(REQUESTS);
            });
            Recording recording = result.recording(); // a request that Downbeat sends late is older when it times out
            assertThat(recording.censored().minNanos()).isGreaterThanOrEqualTo(199_000_000L);
            assertThat(recording.times().censoredWithoutLateness().maxNanos()).isLessThanOrEqualTo(201_000_000L);
            assertThat(result.connections().closedByUs()).isGreaterThanOrEqualTo(4);
        }
    }

    @Test
    void a_request_that_never_found_a_connection_was_not_sent() throws Exception {
        LongAdder served = new LongAdder();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread one = new Thread(() -> serveOne(server, served));
            one.setDaemon(true);
            one.start();
            RunResult result = run(
                    plan().timeout(Duration.ofSeconds(1)).build(),
                    "http://127.0.0.1:" + server.getLocalPort() + "/",
                    HttpOptions.of(draft -> {
                        draft.connections = 8;
                        draft.connectTimeout = Duration.ofMillis(300);
                    }));
            assertThat(result.ledger().addsUp()).isTrue();
            assertThat(result.ledger().unconnected()).isPositive();
            assertThat(result.ledger().sent())
                    .isEqualTo(REQUESTS
                            - result.ledger().unconnected()
                            - result.ledger().timedOutUnsent()
                            - result.ledger().neverSent());
            assertThat(served.sum())
                    .as("answered in time, or too late on a busy machine")
                    .isBetween(
                            result.ledger().answered(),
                            result.ledger().answered() + result.ledger().timedOut());
        }
    }

    /** Answers on one connection, so slowly that it cannot have all; those that come after it are never taken. */
    private static void serveOne(ServerSocket server, LongAdder served) {
        try (Socket client = server.accept()) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    Thread.sleep(20);
                    served.increment();
                    client.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII));
                }
            }
        } catch (IOException | InterruptedException closed) {
            // the client has gone
        }
    }

    @Test
    void limits_of_this_process_are_not_the_services() {
        HttpFailures failures = new HttpFailures("");
        assertThat(failures.of(new IOException("Too many open files")).fate()).isEqualTo(Fate.NEVER_SENT);
        assertThat(failures.of(new BindException("Cannot assign requested address"))
                        .fate())
                .isEqualTo(Fate.NEVER_SENT);
        assertThat(failures.of(new ConnectException("Connection refused")).fate())
                .isEqualTo(Fate.FAILED);
    }

    @Test
    void a_target_that_is_not_there_is_one_clear_line() throws IOException {
        int port = FreePort.find();
        assertThatThrownBy(() -> run(plan().build(), "http://127.0.0.1:" + port + "/", HttpOptions.of(few())))
                .isInstanceOf(IOException.class)
                .hasMessage("127.0.0.1:" + port + ": connection refused");
        assertThatThrownBy(() -> run(plan().build(), "http://no-such-host.invalid/", HttpOptions.of(few())))
                .isInstanceOf(IOException.class)
                .hasMessage("unknown host 'no-such-host.invalid'");
        assertThatThrownBy(() -> run(
                        plan().build(),
                        "http://127.0.0.1:" + port + "/",
                        HttpOptions.of(few().andThen(draft ->
                                draft.proxy = Optional.of(HttpOptions.Proxy.parse("no-such-host.invalid:3128"))))))
                .isInstanceOf(IOException.class)
                .hasMessage("127.0.0.1:" + port
                        + " (connecting to the proxy no-such-host.invalid:3128): unknown host 'no-such-host.invalid'");
        assertThatThrownBy(() -> run(plan().build(), "unix:/no/such/socket:/", HttpOptions.of(few())))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("/no/such/socket: ");
    }

    @Test
    void a_server_that_goes_away_in_mid_run_fails_the_rest() throws IOException {
        LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults());
        LoadRun run = new LoadRun(
                plan().interval(Duration.ofMillis(50)).build(),
                new HttpTarget(HttpRequest.get(server.uri()), HttpOptions.of(few())));
        RunResult result = run.run(interval -> server.close());

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().answered()).isPositive();
        assertThat(result.recording().statuses())
                .isEqualTo(Map.of("200", result.ledger().answered()));
        assertThat(result.recording().failures()).containsKey("connection refused");
    }
}
