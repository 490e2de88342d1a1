package dev.downbeat.http.requests.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.SessionTest;
import dev.downbeat.http.requests.Written;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.EndToEnd;
import dev.downbeat.testing.FreePort;
import dev.downbeat.time.Stall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests of one run ask several services, each over connections of its own. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class SeveralServicesTest {
    private static final String MIX = """
            ### list
            # @weight 3
            GET %s/items

            ### pay
            GET %s/pay
            """;

    private static RunResult mix(String text, Consumer<HttpOptions.Draft> options, RunPlan.Builder plan)
            throws IOException {
        return new LoadRun(
                        plan.build(), new HttpTarget(Written.set(text, RequestSet.Order.MIX), HttpOptions.of(options)))
                .run(Progress.none());
    }

    private static RunPlan.Builder open(int perSecond) {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))));
    }

    @Test
    void a_mix_uses_each_services_HTTP_version_and_server_counts_match_the_ledger() throws IOException {
        try (LoopbackServer plain = LoopbackServer.start(LoopbackOptions.defaults());
                LoopbackServer tls = LoopbackServer.start(LoopbackOptions.of(draft -> {
                    draft.tls = true;
                    draft.certificateKey = CertificateKey.EC;
                }))) {
            RunResult result = mix(
                    MIX.formatted(plain.uri(), tls.uri()),
                    draft -> {
                        draft.connections = 4;
                        draft.http = HttpVersion.AUTO;
                        draft.tls.trust(tls.certificate().orElseThrow());
                    },
                    open(1_000).maxRequests(500));
            assertThat(result.recording().failures()).isEmpty();
            assertThat(result.ledger().answered()).isEqualTo(500);
            Recording list = result.recording().named("list");
            Recording pay = result.recording().named("pay");
            assertThat(list.ledger().answered())
                    .isEqualTo(plain.stats().requestsAnswered())
                    .isGreaterThan(pay.ledger().answered());
            assertThat(pay.ledger().answered())
                    .isEqualTo(tls.stats().requestsAnswered())
                    .isEqualTo(result.connections().streams().begun())
                    .isPositive();
            SessionTest.assertAddsUp(result);
        }
    }

    @Test
    void an_unresponsive_service_does_not_delay_others() throws IOException {
        Stall stall = new Stall(200_000_000, 1_000_000_000, 0);
        try (LoopbackServer stalls = LoopbackServer.start(LoopbackOptions.of(draft -> draft.stalls = List.of(stall)));
                LoopbackServer other = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunResult result = mix(
                    MIX.formatted(stalls.uri(), other.uri()),
                    draft -> draft.connections = 2,
                    open(400).duration(Duration.ofMillis(1_400)));
            Recording stalled = result.recording().named("list");
            Recording others = result.recording().named("pay");
            long ofStall = stalled.response().valueAtPercentile(50);
            assertThat(ofStall)
                    .isGreaterThan(100_000_000)
                    .isGreaterThan(4 * others.response().valueAtPercentile(50));
            assertThat(result.ledger().answered()).isEqualTo(560);
            SessionTest.assertAddsUp(result);
        }
    }

    /** Whether one times out in line is chance: it comes to the front as those before it time out. At the end many stand there. */
    @Test
    void requests_waiting_for_their_service_at_the_end_had_no_connection() throws IOException {
        Stall stall = new Stall(100_000_000, 2_000_000_000, 0);
        try (LoopbackServer stalls = LoopbackServer.start(LoopbackOptions.of(draft -> draft.stalls = List.of(stall)));
                LoopbackServer other = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunResult result = mix(
                    MIX.formatted(stalls.uri(), other.uri()),
                    draft -> draft.connections = 2,
                    open(400).duration(Duration.ofMillis(500)).drain(Duration.ofMillis(200)));
            Ledger stalled = result.recording().named("list").ledger();
            assertThat(stalled.inFlight()).isGreaterThan(50);
            assertThat(stalled.unconnected()).isEqualTo(stalled.inFlight() - 2);
            SessionTest.assertAddsUp(result);
        }
    }

    @Test
    void requests_waiting_for_their_service_time_out_and_the_ledger_adds_up() throws IOException {
        Stall stall = new Stall(100_000_000, 2_000_000_000, 0);
        try (LoopbackServer stalls = LoopbackServer.start(LoopbackOptions.of(draft -> draft.stalls = List.of(stall)));
                LoopbackServer other = LoopbackServer.start(LoopbackOptions.defaults())) {
            RunResult result = mix(
                    MIX.formatted(stalls.uri(), other.uri()),
                    draft -> draft.connections = 2,
                    open(400).duration(Duration.ofMillis(700)).timeout(Duration.ofMillis(200)));
            Recording stalled = result.recording().named("list");
            assertThat(stalled.ledger().timedOut()).isGreaterThan(50);
            assertThat(result.recording().named("pay").ledger().answered()).isPositive();
            SessionTest.assertAddsUp(result);
        }
    }

    @Test
    void a_session_takes_what_it_captured_to_the_next_service_and_its_cookies_stay_with_their_host()
            throws IOException {
        Queue<String> cookies = new ConcurrentLinkedQueue<>();
        HttpServer login = serve("{\"token\": \"t1\"}", cookies);
        HttpServer shop = serve("{}", cookies);
        try {
            RequestSet set = Written.set(
                    """
                    ### log in
                    # @capture token = json /token
                    POST http://127.0.0.1:%d/login

                    ### order
                    GET http://localhost:%d/order
                    Authorization: Bearer {{token}}

                    ### log out
                    GET http://127.0.0.1:%1$d/logout
                    """.formatted(
                            login.getAddress().getPort(), shop.getAddress().getPort()),
                    RequestSet.Order.SESSION);
            Workload sessions =
                    new Workload.PartlyOpen(new Constant(Rate.perSecond(100)), set.size(), set.think(ThinkTime.none()));
            RunPlan plan = RunPlan.builder(sessions).maxRequests(60).build();
            RunResult result = new LoadRun(plan, new HttpTarget(set, HttpOptions.of(draft -> draft.connections = 4)))
                    .run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(60);
            assertThat(cookies).containsOnly("/login null null", "/order null Bearer t1", "/logout sid=/login null");
            SessionTest.assertAddsUp(result);
        } finally {
            login.stop(0);
            shop.stop(0);
        }
    }

    private static HttpServer serve(String body, Queue<String> asked) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            asked.add(path + " " + exchange.getRequestHeaders().getFirst("Cookie") + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.getResponseHeaders().add("Set-Cookie", "sid=" + path);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void a_cookie_of_a_domain_is_for_its_hosts_alone() {
        SessionState session = new SessionState(0, List.of("login.shop.test", "api.shop.test", "other.test"));
        session.selectHost(0);
        session.cookie("sid=1; Domain=.Shop.test; Path=/");
        session.cookie("own=2; Domain=elsewhere.test");
        assertThat(session.hasCookies()).isTrue();
        session.selectHost(1);
        assertThat(session.hasCookies()).isTrue();
        session.cookie("sid=; Max-Age=0");
        assertThat(session.hasCookies()).isFalse();
        session.selectHost(2);
        assertThat(session.hasCookies()).isFalse();
        session.selectHost(0);
        assertThat(session.hasCookies()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            a=1; Domain=elsewhere.test        | none
            a=1; Domain=test                  | none
            a=1; Domain=login.shop.test       | own
            a=1; Domain=shop.test             | both
            a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT            | none
            a=1; expires=Thursday, 01-Jan-70 00:00:10 GMT         | none
            a=1; Expires=Wed, 30 Feb 2099 07:28:00 GMT            | own
            a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT | own
            a=1; Max-Age=0; Expires=Wed, 21 Oct 2099 07:28:00 GMT  | none
            a=1; Max-Age=05                   | own
            """)
    void a_cookie_is_kept_as_a_browser_keeps_it(String field, String hosts) {
        SessionState session = new SessionState(0, List.of("login.shop.test", "api.shop.test"));
        session.selectHost(0);
        session.cookie(field);
        assertThat(session.hasCookies()).isEqualTo(!hosts.equals("none"));
        session.selectHost(1);
        assertThat(session.hasCookies()).isEqualTo(hosts.equals("both"));
    }

    @Test
    void a_request_set_names_its_services() {
        RequestSet set = Written.set(
                "### x\nGET http://a/x\n### x\nGET http://b:81/x\n### y\nGET http://a/y", RequestSet.Order.IN_TURN);
        assertThat(set.services()).extracting(HttpEndpoint::address).containsExactly("a:80", "b:81");
        assertThat(set.describe()).isEqualTo("3 requests to 2 services: http://a, http://b:81");
    }

    @Test
    void a_unix_socket_is_the_only_service_of_a_run() {
        assertThatThrownBy(() -> Written.set("GET http://a/x\n###\nGET unix:/run/a.sock:/x", RequestSet.Order.IN_TURN))
                .hasMessage("shop.http:3: a run with a Unix socket has no other service: measure http://a and"
                        + " unix:/run/a.sock in separate runs");
    }

    @Test
    void that_one_of_them_does_not_listen_is_known_before_the_run() throws IOException {
        int nobody = FreePort.find();
        try (LoopbackServer plain = LoopbackServer.start(LoopbackOptions.defaults())) {
            assertThatThrownBy(() -> mix(
                            MIX.formatted(plain.uri(), "http://127.0.0.1:" + nobody),
                            draft -> draft.connections = 2,
                            open(100).maxRequests(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + nobody);
            assertThat(plain.stats().requestsAnswered()).isZero();
        }
    }
}
