package dev.downbeat.acceptance;

import static dev.downbeat.load.Objective.errors;
import static dev.downbeat.load.Objective.p;
import static dev.downbeat.load.Objective.percent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.http.Http;
import dev.downbeat.jdbc.Jdbc;
import dev.downbeat.load.Arrivals;
import dev.downbeat.load.Load;
import dev.downbeat.load.LoadException;
import dev.downbeat.load.Measured;
import dev.downbeat.load.Verdict;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads a URL or a database with one line of code. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServicesUnderLoadTest {
    private static final Load LOAD = Load.open(Arrivals.perSecond(400).evenly()).duration(Duration.ofMillis(500));

    @Test
    void a_request_goes_out_with_its_method_headers_and_body() throws IOException {
        Set<String> requests = ConcurrentHashMap.newKeySet();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().get("Accept") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            String orders = "http://127.0.0.1:" + server.getAddress().getPort() + "/orders";
            Measured get = LOAD.run(Http.get(orders).header("Accept", "application/json"));
            assertThat(get.answered()).isEqualTo(200);
            assertThat(get.name()).isEqualTo("GET " + orders);
            Measured post = LOAD.named("place an order")
                    .objectives(p(50).below(Duration.ofSeconds(20)), errors().below(percent(0.1)))
                    .run(Http.post(orders).body("{\"sku\": 7}"));
            assertThat(post.name()).isEqualTo("place an order");
            assertThat(post.verdict()).isIn(Verdict.MET, Verdict.UNSOUND); // unsound on a busy machine
            assertThat(LOAD.run(Http.put(orders).body("{}")).name()).isEqualTo("PUT " + orders);
            assertThat(LOAD.run(Http.delete(orders)).name()).isEqualTo("DELETE " + orders);
            assertThat(LOAD.run(Http.patch(orders).body("{}")).answered()).isEqualTo(200);
            assertThat(LOAD.run(Http.head(orders)).answered()).isEqualTo(200);
            Http expecting = Http.post(orders).header("Accept", "a/b").body("{{x}}");
            assertThat(LOAD.run(expecting.expect("204")).answered()).isEqualTo(200);
            Measured unexpected = LOAD.run(expecting.expect("200"));
            assertThat(unexpected.answered()).isZero();
            assertThat(unexpected.text()).contains("HTTP 204, expected 200");
            assertThat(requests)
                    .containsExactlyInAnyOrder(
                            "GET /orders [application/json] ",
                            "POST /orders [*/*] {\"sku\": 7}",
                            "PUT /orders [*/*] {}",
                            "DELETE /orders [*/*] ",
                            "PATCH /orders [*/*] {}",
                            "HEAD /orders [*/*] ",
                            "POST /orders [a/b] {{x}}");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void over_TLS_with_a_number_of_connections_of_either_version() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.tls = true))) {
            Http shop = Http.get(server.uri()).connections(3);
            Http trusting = shop.trust(server.certificate().orElseThrow());
            assertThat(LOAD.run(trusting).answered()).isEqualTo(200);
            assertThat(server.stats().connectionsAccepted()).isEqualTo(3);
            assertThat(LOAD.run(trusting.connections(1).http2()).answered()).isEqualTo(200);
            assertThat(server.stats().connectionsAccepted()).isEqualTo(4);
            assertThat(LOAD.run(shop.trustAll()).answered()).isEqualTo(200);
            assertThatThrownBy(() -> LOAD.run(shop))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port());
        }
    }

    @Test
    void a_closed_loop_sends_one_request_again_and_again() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Measured measured = Load.closed(4, Duration.ofMillis(5))
                    .duration(Duration.ofMillis(300))
                    .run(Http.get(server.uri()).withoutKeepAlive());
            assertThat(measured.answered()).isPositive().isEqualTo(measured.planned());
            assertThat(server.stats().connectionsAccepted()).isGreaterThanOrEqualTo(measured.answered());
        }
    }

    @Test
    void each_user_of_a_closed_loop_has_a_connection_unless_their_number_is_set() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Load users = Load.closed(70, Duration.ofMillis(20)).duration(Duration.ofMillis(200));
            users.run(Http.get(server.uri()));
            assertThat(server.stats().connectionsAccepted()).isEqualTo(70);
            users.run(Http.get(server.uri()).connections(2));
            assertThat(server.stats().connectionsAccepted()).isEqualTo(72);
        }
    }

    @Test
    void a_database_is_queried_through_a_DataSource() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:orders");
        Measured measured = LOAD.run(
                Jdbc.of(source).callers(4).values(index -> new Object[] {index}).sql("select {{id}} + 1"));
        assertThat(measured.answered()).isEqualTo(200);
        Jdbc calls = Jdbc.of(source).callers(1).values(index -> new Object[] {index});
        assertThatThrownBy(() -> LOAD.run(calls.sql("insert into orders values ({{id}})")))
                .hasMessageContaining("add --writes");
        Measured written = LOAD.run(calls.writes().sql("create table if not exists orders (id bigint)"));
        assertThat(written.answered()).isEqualTo(200);
    }

    @Test
    void a_setter_that_would_change_nothing_is_refused_where_it_is_called(@TempDir Path folder) throws IOException {
        Http one = Http.get("http://127.0.0.1:1/");
        Http file = Http.file(Files.writeString(folder.resolve("shop.http"), "GET http://127.0.0.1:1/\n"));
        assertThatThrownBy(() -> one.variable("host", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("variable is for a file of requests: Http.file(path)");
        assertThatThrownBy(() -> file.header("Accept", "text/html"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("header is for one request: those of a file have their own");
        assertThatThrownBy(() -> one.connectTimeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> one.connections(0)).hasMessage("connections must be from 1 to 65535, but was 0");
        assertThatThrownBy(() -> LOAD.inFlight(7).run(one))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("inFlight is for code: set how many connections GET http://127.0.0.1:1/ has");
    }
}
