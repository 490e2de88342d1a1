package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.Timing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests over Downbeat's own connections, in real runs of Gatling. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OwnRequestsTest {
    @TempDir
    private Path results;

    private GatlingRun run(Class<?> simulation, String url) throws IOException {
        return GatlingRun.of(simulation, results, Map.of("test.url", url));
    }

    /** The run of a simulation whose service stands still for a while: no request is lost over it. */
    private Freeze frozen(Class<?> simulation, Map<String, String> properties, Freeze.Plan plan) throws IOException {
        Freeze freeze = Freeze.of(simulation, results, properties, plan);
        assertThat(freeze.run().addsUp()).isTrue();
        return freeze;
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static HttpServer shop() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger orders = new AtomicInteger();
        server.createContext("/orders", exchange -> {
            String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (exchange.getRequestMethod().equals("POST")) {
                String item = exchange.getRequestHeaders().getFirst("X-Item");
                exchange.getResponseHeaders().add("X-Item", item);
                answer(exchange, 201, "id=" + orders.incrementAndGet() + " for " + asked);
            } else {
                answer(exchange, 200, "seen " + exchange.getRequestURI());
            }
        });
        server.createContext("/teapot", exchange -> answer(exchange, 418, "short and stout"));
        server.start();
        return server;
    }

    @Test
    void checks_save_and_fail_and_each_request_has_its_place_in_the_ledger() throws IOException {
        HttpServer shop = shop();
        try {
            GatlingRun run = run(
                    OwnSimulations.Orders.class,
                    "http://127.0.0.1:" + shop.getAddress().getPort());
            assertThat(run.addsUp()).isTrue();
            assertThat(run.ledger("planned"))
                    .as(run.json().at("/errors").toString())
                    .isEqualTo(60);
            assertThat(run.ledger("answered"))
                    .as(run.json().at("/errors").toString())
                    .isEqualTo(30); // order, look, after failure
            assertThat(run.ledger("failed")).isEqualTo(30); // wrong, unbuilt, teapot
            assertThat(run.gatling().count()).as("Gatling's own count").isEqualTo(50); // those that were sent
            assertThat(run.json().at("/errors").toString()).contains("HTTP 418", "missing", "something else");
            assertThat(run.requests())
                    .containsEntry("order cake", List.of(5L, 5L, 0L))
                    .containsEntry("look / look", List.of(10L, 10L, 0L))
                    .containsEntry("look / wrong", List.of(10L, 0L, 10L))
                    .doesNotContainKey("never reached");
        } finally {
            shop.stop(0);
        }
    }

    @Test
    void connections_are_told() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            GatlingRun run = run(OwnSimulations.Open.class, server.uri());
            assertThat(run.exitCode()).isZero();
            assertThat(run.ledger("answered")).isEqualTo(100);
            assertThat(run.gatling().count()).isEqualTo(100);
            JsonNode json = run.json();
            assertThat(json.at("/connections/opened").longValue()).isBetween(1L, 4L);
            assertThat(json.at("/connections/connect/count").longValue()).isBetween(1L, 4L);
            assertThat(json.at("/position/last").longValue()).isGreaterThan(1);
        }
    }

    @Test
    void a_frozen_service_shows_from_the_intended_times() throws IOException {
        Freeze.Plan plan = new Freeze.Plan(Duration.ofSeconds(1), Duration.ofMillis(1_500));
        Freeze freeze = frozen(OwnSimulations.Open.class, Map.of("test.seconds", "4"), plan);
        GatlingRun run = freeze.run();
        assertThat(run.ledger("answered")).isEqualTo(200);
        JsonNode json = run.json();
        long startAt = json.at("/started_monotonic_ns").longValue();
        long longest = 0;
        long waited = 0;
        for (int i = 0; i < 200; i++) {
            long least = freeze.still().waitNanos(startAt + i * 20_000_000L);
            longest = Math.max(longest, least);
            waited += least > 200_000_000L ? 1 : 0;
        }
        assertThat(json.at("/response/max_ns").longValue()).isGreaterThanOrEqualTo(longest);
        assertThat(run.responses().getCountBetweenValues(200_000_000L, Long.MAX_VALUE))
                .isGreaterThanOrEqualTo(waited);
        // four connections: the others wait for one, and that is told apart
        assertThat(json.at("/backlog_wait/max_ns").longValue()).isGreaterThan(longest / 2);
    }

    @Test
    void over_HTTP2_all_who_wait_for_a_frozen_service_share_its_connection() throws IOException {
        Freeze.Plan plan = new Freeze.Plan(Duration.ofMillis(500), Duration.ofSeconds(1));
        Freeze freeze = frozen(OwnSimulations.OverHttp2.class, Map.of("test.seconds", "2"), plan);
        GatlingRun run = freeze.run();
        assertThat(run.ledger("answered")).as(run.out()).isEqualTo(100);
        assertThat(run.gatling().count()).isEqualTo(100);
        JsonNode json = run.json();
        assertThat(json.at("/connections/opened").longValue()).isEqualTo(1);
        long[] law = freeze.still()
                .waitsWithDrain(Plans.open(json.at("/started_monotonic_ns").longValue(), Simulations.rate(), 2));
        long mustNanos = Standstill.percentile(law, 99);
        long doubtNanos = freeze.still().doubtNanos()
                + json.at("/health/largest_hiccup_ns").longValue();
        assertThat(run.responses().getValueAtPercentile(99))
                .isBetween((long) (mustNanos * 0.97) - doubtNanos, (long) (mustNanos * 1.03) + doubtNanos);
        // none of the fifty waits for another's answer
        assertThat(json.at("/backlog_wait/max_ns").longValue()).isLessThan(mustNanos / 2);
    }

    @Test
    void what_is_out_or_waits_when_the_run_ends_is_censored() throws IOException {
        Freeze.Plan plan = new Freeze.Plan(Duration.ofSeconds(1), Duration.ofSeconds(3));
        GatlingRun run = frozen(OwnSimulations.CutOff.class, Map.of(), plan).run();
        assertThat(run.ledger("in_flight")).isEqualTo(4);
        assertThat(run.ledger("never_sent")).isGreaterThan(10);
        assertThat(run.requests()).containsEntry("get", List.of(run.ledger("planned"), run.ledger("answered"), 0L));
        assertThat(run.page("in flight at the end")).isEqualTo(4);
        assertThat(run.page("never sent")).isEqualTo(run.ledger("never_sent"));
    }

    @Test
    void a_request_that_takes_too_long_times_out() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            GatlingRun run = run(OwnSimulations.Impatient.class, "http://127.0.0.1:" + silent.getLocalPort());
            assertThat(run.addsUp()).isTrue();
            assertThat(run.ledger("timed_out")).isEqualTo(5);
            assertThat(run.json().at("/plan/timeout_ns").longValue()).isEqualTo(300_000_000L);
            assertThat(run.json().at("/plan/timeout_from").textValue()).isEqualTo("asked");
            assertThat(run.gatling().count()).isEqualTo(5);
        }
    }

    @Test
    void a_throttle_holds_own_requests_too() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            GatlingRun run = run(OwnSimulations.Throttled.class, server.uri());
            assertThat(run.addsUp()).isTrue();
            assertThat(run.ledger("answered")).isEqualTo(60);
            assertThat(run.json().at("/backlog_wait/max_ns").longValue()).isGreaterThan(500_000_000L);
        }
    }

    @Test
    void nobody_listens() throws IOException {
        GatlingRun run = run(OwnSimulations.Open.class, "http://127.0.0.1:1");
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("failed")).isEqualTo(100);
        assertThat(run.json().at("/errors").toString()).contains("connection refused");
    }

    @Test
    void a_plain_simulation_is_refused() {
        assertThatThrownBy(() -> run(OwnSimulations.WithoutDownbeat.class, "http://127.0.0.1:1"))
                .hasMessageContaining("Downbeat.http needs a simulation that extends DownbeatSimulation");
    }

    @Test
    void settings_of_one_scenario_only_are_refused() {
        assertThatThrownBy(() -> run(OwnSimulations.OnAScenario.class, "http://127.0.0.1:1"))
                .hasMessage("Downbeat.protocol() is for the whole run, but stands on scenario own only:"
                        + " give it to setUp(...).protocols(...)");
    }
}
