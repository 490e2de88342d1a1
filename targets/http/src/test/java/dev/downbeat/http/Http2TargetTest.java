package dev.downbeat.http;

import static dev.downbeat.http.TwoHundredRequests.REQUESTS;
import static dev.downbeat.http.TwoHundredRequests.allAnswered;
import static dev.downbeat.http.TwoHundredRequests.plan;
import static dev.downbeat.http.TwoHundredRequests.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.LoopbackStats;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.LoopbackOptions.Http2Conduct;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Part;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.EndToEnd;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real requests over HTTP/2 to a real server that misbehaves: whatever happens is an outcome, and the ledger adds up. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class Http2TargetTest {
    static Consumer<HttpOptions.Draft> http2(int connections, int streams) {
        return draft -> {
            draft.http = HttpVersion.HTTP_2;
            draft.connections = connections;
            draft.streams = new HttpOptions.Streams(streams, 1 << 20);
        };
    }

    @Test
    void many_requests_share_one_connection() throws IOException {
        RunResult result = run(draft -> draft.delay = new ServiceLaw.Constant(20_000_000), http2(1, 100));

        assertThat(result.ledger()).isEqualTo(allAnswered());
        assertThat(result.recording().service().minNanos()).isGreaterThanOrEqualTo(19_900_000);
        assertThat(result.connections().opened()).isEqualTo(1);
        assertThat(result.connections().openAtEnd()).isEqualTo(1);
        assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(REQUESTS);
        assertThat(result.counts().count("bytes sent") / REQUESTS)
                .as("a head that has come before is a byte a field")
                .isBetween(9L, 40L);
    }

    @ParameterizedTest(name = "all opened beforehand: {0}")
    @ValueSource(booleans = {true, false})
    void the_server_says_how_many_streams_there_are(boolean all) throws IOException {
        LoopbackOptions few = LoopbackOptions.of(draft -> draft.http2 = new Http2Conduct(3, 65_535, 0));
        try (LoopbackServer server = LoopbackServer.start(few)) {
            HttpTarget target = new HttpTarget(
                    HttpRequest.get(server.uri()),
                    HttpOptions.of(http2(2, 100).andThen(draft -> draft.preconnect = all)));
            try (Lane lane = target.open(0, 1, NanoClock.system(), exchange -> {})) {
                assertThat(lane.capacity()).isEqualTo(6);
                assertThat(lane.connections().opened()).isEqualTo(all ? 2 : 1);
                assertThat(lane.connections().streams()).isEqualTo(new StreamCounts(0, 0, 0, all ? 6 : 3));
            }
        }
    }

    @ParameterizedTest(name = "all opened beforehand: {0}")
    @ValueSource(booleans = {true, false})
    void as_many_connections_are_opened_as_the_streams_of_the_server_require(boolean all) throws IOException {
        LoopbackOptions few = LoopbackOptions.of(draft -> draft.http2 = new Http2Conduct(3, 65_535, 0));
        try (LoopbackServer server = LoopbackServer.start(few)) {
            HttpTarget target = new HttpTarget(
                    HttpRequest.get(server.uri()), HttpOptions.of(http2(64, 100).andThen(draft -> {
                        draft.preconnect = all;
                        draft.asNeeded = true;
                    })));
            assertThat(target.preconnects()).isEqualTo(all ? 1 : 0);
            try (Lane half = target.open(1, 2, NanoClock.system(), exchange -> {})) {
                assertThat(half.connections().opened()).isEqualTo(all ? 11 : 1);
                assertThat(half.capacity()).isEqualTo(33);
            }
        }
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            HttpTarget target = new HttpTarget(
                    HttpRequest.get(server.uri()),
                    HttpOptions.of(http2(64, 100).andThen(draft -> draft.asNeeded = true)));
            try (Lane lane = target.open(0, 1, NanoClock.system(), exchange -> {})) {
                assertThat(lane.connections().opened()).isEqualTo(1);
                assertThat(lane.capacity()).isEqualTo(100);
            }
        }
    }

    @Test
    void a_connection_closes_after_the_configured_requests() throws IOException {
        RunPlan one = RunPlan.builder(new Workload.Closed(1, ThinkTime.none()))
                .maxRequests(40)
                .build();
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunResult ten =
                    run(one, server.uri(), HttpOptions.of(http2(1, 10).andThen(draft -> draft.maxRequests = 10)));
            assertThat(ten.ledger().answered()).isEqualTo(40);
            assertThat(ten.recording().anatomy().byPosition().last()).isEqualTo(10);
            assertThat(ten.connections().opened()).isBetween(4L, 5L);
            RunResult each =
                    run(one, server.uri(), HttpOptions.of(http2(1, 10).andThen(draft -> draft.keepAlive = false)));
            assertThat(each.ledger().answered()).isEqualTo(40);
            assertThat(each.recording().anatomy().byPosition().last()).isEqualTo(1);
            assertThat(each.connections().opened()).isBetween(40L, 41L);
        }
    }

    @Test
    void a_connection_that_was_idle_for_too_long_is_not_used_again() throws IOException {
        RunPlan thinking = RunPlan.builder(new Workload.Closed(1, new ThinkTime.Constant(20_000_000)))
                .maxRequests(5)
                .build();
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunResult result = run(
                    thinking,
                    server.uri(),
                    HttpOptions.of(http2(1, 10).andThen(draft -> draft.maxIdle = Duration.ofMillis(5))));
            assertThat(result.ledger().answered()).isEqualTo(5);
            assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(1);
            assertThat(result.connections().opened()).isBetween(5L, 6L);
        }
    }

    @Test
    void a_request_that_finds_no_stream_waits_and_the_wait_counts() throws IOException {
        RunResult result = run(
                draft -> {
                    draft.delay = new ServiceLaw.Constant(10_000_000);
                    draft.http2 = new Http2Conduct(2, 65_535, 0);
                },
                http2(1, 100).andThen(draft -> draft.preconnect = false));

        assertThat(result.ledger()).isEqualTo(allAnswered());
        assertThat(result.recording().waits().backlogWait().maxNanos())
                .as("200 requests two at a time, 10 ms each, take a second")
                .isGreaterThan(500_000_000);
        Map<Part, Long> slowest = result.recording().anatomy().attribution().meansNanos(500_000_000, Long.MAX_VALUE);
        assertThat(slowest).containsEntry(Part.BACKLOG_WAIT, 0L);
        assertThat(slowest.get(Part.STREAM_WAIT)).as("no stream was free").isGreaterThan(400_000_000);
        assertThat(result.connections().streams().begun()).isEqualTo(REQUESTS);
        assertThat(result.recording().service().minNanos()).isLessThan(200_000_000);
    }

    @Test
    void several_generators_share_one_schedule() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunResult result = run(plan().generators(3).build(), server.uri(), HttpOptions.of(http2(4, 10)));
            assertThat(result.ledger()).isEqualTo(allAnswered());
            assertThat(result.connections().opened()).isEqualTo(4);
        }
    }

    @Test
    void after_GOAWAY_what_was_not_processed_is_sent_again_and_nothing_is_lost() throws IOException {
        LoopbackOptions leaving = LoopbackOptions.of(draft -> {
            draft.delay = new ServiceLaw.Constant(3_000_000);
            draft.closeAfter = 10;
        });
        try (LoopbackServer server = LoopbackServer.start(leaving)) {
            RunPlan closed = RunPlan.builder(new Workload.Closed(8, ThinkTime.none()))
                    .maxRequests(REQUESTS)
                    .build();
            RunResult result = run(closed, server.uri(), HttpOptions.of(http2(2, 8)));
            LoopbackStats stats = server.stats();
            assertThat(result.ledger()).isEqualTo(allAnswered());
            assertThat(stats.requestsReceived()).isEqualTo(REQUESTS);
            assertThat(stats.requestsAnswered()).isEqualTo(REQUESTS);
            assertThat(result.recording().anatomy().byPosition().last()).isBetween(10, 30);
            assertThat(result.connections().closedByServerWithNotice()).isBetween(17L, 20L);
            assertThat(result.connections().closedByServer()).isZero();
        }
    }

    @Test
    void a_refused_stream_is_sent_again() throws IOException {
        RunResult result = run(draft -> draft.misbehaviour = Misbehaviour.REFUSE_STREAM, http2(1, 10));

        assertThat(result.ledger()).isEqualTo(allAnswered());
        assertThat(result.connections().streams().sentAgain()).isBetween(4L, 8L);
    }

    @Test
    void a_timeout_ends_the_stream_and_not_the_connection() throws IOException {
        try (LoopbackServer server =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.misbehaviour = Misbehaviour.HEADERS_NEVER))) {
            RunResult result =
                    run(plan().timeout(Duration.ofMillis(50)).build(), server.uri(), HttpOptions.of(http2(1, 100)));
            assertThat(result.ledger().timedOut()).isEqualTo(REQUESTS);
            assertThat(result.connections().opened()).isEqualTo(1);
            assertThat(result.connections().closedByUs()).isZero();
            assertThat(server.stats().requestsReceived())
                    .isEqualTo(REQUESTS - result.ledger().timedOutUnsent());
        }
    }

    @ParameterizedTest
    @EnumSource(Misbehaviour.class)
    void every_misbehaviour_is_an_outcome(Misbehaviour misbehaviour) throws IOException {
        LoopbackOptions misbehaving = LoopbackOptions.of(draft -> {
            draft.misbehaviour = misbehaviour;
            draft.bodyBytes = 100;
            draft.bodyTimeNanos = 5_000_000;
        });
        int requests = 50;
        // Only who never hears anything waits for it; all others have their outcome however slow the machine is.
        Duration timeout = misbehaviour == Misbehaviour.HEADERS_NEVER ? Duration.ofMillis(200) : Duration.ofSeconds(20);
        try (LoopbackServer server = LoopbackServer.start(misbehaving)) {
            RunPlan plan = plan().maxRequests(requests).timeout(timeout).build();
            RunResult result = run(plan, server.uri(), HttpOptions.of(http2(2, 10)));
            Ledger ledger = result.ledger();
            assertThat(ledger.planned()).isEqualTo(requests);
            if (misbehaviour.answers()) {
                assertThat(ledger.answered()).isEqualTo(requests);
            } else if (misbehaviour == Misbehaviour.HEADERS_NEVER) {
                assertThat(ledger.timedOut()).isEqualTo(requests);
            } else {
                assertThat(ledger.failed()).isEqualTo(requests);
            }
            if (misbehaviour.breaksHttp2()) {
                assertThat(result.recording().failures().keySet())
                        .as("names the frame and the rule")
                        .anyMatch(reason -> reason.startsWith("HTTP/2: ") || reason.startsWith("bad response: "));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(HttpVersion.class)
    void over_TLS_the_handshake_chooses(HttpVersion version) throws IOException {
        LoopbackOptions tls = LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.certificateKey = CertificateKey.EC;
        });
        try (LoopbackServer server = LoopbackServer.start(tls)) {
            HttpOptions options = HttpOptions.of(http2(2, 10).andThen(draft -> {
                draft.http = version;
                draft.tls.trust(server.certificate().orElseThrow());
            }));
            RunResult result = run(plan().build(), server.uri(), options);
            assertThat(result.ledger()).isEqualTo(allAnswered());
            assertThat(result.connections().streams().begun())
                    .isEqualTo(version == HttpVersion.HTTP_1_1 ? 0L : REQUESTS);
        }
    }

    @Test
    void without_TLS_auto_is_HTTP_1_1() throws IOException {
        RunResult result = run(draft -> {}, http2(2, 10).andThen(draft -> draft.http = HttpVersion.AUTO));
        assertThat(result.ledger()).isEqualTo(allAnswered());
        assertThat(result.connections().streams().begun()).isZero();
    }

    @Test
    void bodies_go_as_far_as_the_windows_allow() throws IOException {
        LoopbackOptions narrow = LoopbackOptions.of(draft -> draft.http2 = new Http2Conduct(128, 10_000, 0));
        try (LoopbackServer server = LoopbackServer.start(narrow)) {
            HttpRequest upload = HttpRequest.of("POST", HttpEndpoint.parse(server.uri()), List.of(), new byte[300_000]);
            RunResult result = new LoadRun(
                            plan().maxRequests(50).build(), new HttpTarget(upload, HttpOptions.of(http2(1, 10))))
                    .run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(50);
            assertThat(result.counts().count("bytes sent")).isGreaterThan(50 * 300_000L);
            Map<Part, Long> parts = result.recording().anatomy().attribution().meansNanos(0, Long.MAX_VALUE);
            assertThat(parts.get(Part.WINDOW_WAIT))
                    .as("300,000 bytes through a window of 10,000")
                    .isPositive();
            assertThat(parts.get(Part.FIRST_BYTE)).isNotNegative();
            assertThat(result.recording().waits().window().count()).isEqualTo(50);
        }
    }

    /** Each request opens its connection, and waits for its settings before there is a window. */
    @Test
    void the_wait_for_a_window_does_not_include_that_for_the_connection() throws IOException {
        LoopbackOptions narrow = LoopbackOptions.of(draft -> draft.http2 = new Http2Conduct(128, 10_000, 100_000_000));
        try (LoopbackServer server = LoopbackServer.start(narrow)) {
            HttpRequest upload = HttpRequest.of("POST", HttpEndpoint.parse(server.uri()), List.of(), new byte[30_000]);
            RunResult result = new LoadRun(
                            plan().maxRequests(5).build(),
                            new HttpTarget(
                                    upload, HttpOptions.of(http2(5, 10).andThen(draft -> draft.keepAlive = false))))
                    .run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(5);
            Map<Part, Long> parts = result.recording().anatomy().attribution().meansNanos(0, Long.MAX_VALUE);
            assertThat(parts.get(Part.CONNECT)).isPositive();
            assertThat(parts.get(Part.WINDOW_WAIT)).isPositive();
            assertThat(parts.get(Part.FIRST_BYTE)).isNotNegative();
        }
    }

    @Test
    void large_responses_come_through_a_window_that_is_opened_again_and_are_counted() throws IOException {
        Consumer<HttpOptions.Draft> narrow =
                http2(1, 10).andThen(draft -> draft.streams = new HttpOptions.Streams(10, 65_535));
        RunResult result = run(draft -> draft.bodyBytes = 300_000, narrow);
        assertThat(result.ledger()).isEqualTo(allAnswered());
        String larger = "responses larger than the receive window";
        assertThat(result.counts().count(larger)).isEqualTo(result.ledger().answered());
        RunResult fits = run(draft -> draft.bodyBytes = 65_535, narrow);
        assertThat(fits.ledger()).isEqualTo(allAnswered());
        assertThat(fits.counts().byName()).doesNotContainKey(larger);
    }

    @Test
    void a_cold_run_pays_for_its_connections() throws IOException {
        RunResult result = run(draft -> {}, http2(2, 10).andThen(draft -> draft.cold = true));
        assertThat(result.ledger()).isEqualTo(allAnswered());
        assertThat(result.recording().waits().connect().count()).isPositive();
    }

    @Test
    void settings_that_do_not_come_are_not_waited_for_without_end() throws IOException {
        LoopbackOptions slow = LoopbackOptions.of(draft -> draft.http2 = new Http2Conduct(128, 65_535, 3_000_000_000L));
        try (LoopbackServer server = LoopbackServer.start(slow)) {
            HttpTarget target = new HttpTarget(
                    HttpRequest.get(server.uri()),
                    HttpOptions.of(http2(1, 10).andThen(draft -> draft.connectTimeout = Duration.ofMillis(100))));
            assertThatThrownBy(() -> target.open(0, 1, NanoClock.system(), exchange -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("HTTP/2 SETTINGS timed out");
        }
    }
}
