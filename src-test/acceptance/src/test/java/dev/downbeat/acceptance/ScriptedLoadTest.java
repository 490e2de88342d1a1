package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.http.Http;
import dev.downbeat.load.Arrivals;
import dev.downbeat.load.Load;
import dev.downbeat.load.Measured;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library sends request files like the command line. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScriptedLoadTest {
    @TempDir
    private Path folder;

    private final Queue<String> requested = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    ScriptedLoadTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", exchange -> {
            requested.add(exchange.getRequestURI().toString());
            exchange.getResponseHeaders().add("X-Token", "t1");
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
    }

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Http script(String text) throws IOException {
        return Http.file(Files.writeString(folder.resolve("shop.http"), text))
                .variable("host", "127.0.0.1:" + server.getAddress().getPort());
    }

    private Map<String, Long> counts() {
        return requested.stream().collect(Collectors.groupingBy(path -> path, Collectors.counting()));
    }

    @Test
    void an_open_load_draws_from_the_file_by_weight_with_rows_of_data() throws IOException {
        Path rows = Files.writeString(folder.resolve("skus.csv"), "sku\npear\n");
        Http mix = script("""
                ### list
                # @weight 3
                GET http://{{host}}/list
                ### search
                GET http://{{host}}/search?q={{skus.sku}}
                """).randomData("skus", rows);
        Measured measured = Load.open(Arrivals.perSecond(400).evenly())
                .duration(Duration.ofSeconds(1))
                .objectives("list: errors<1%")
                .run(mix);
        assertThat(measured.answered()).isEqualTo(400);
        assertThat(counts()).containsOnlyKeys("/list", "/search?q=pear");
        assertThat(measured.response("list").count())
                .isEqualTo(counts().get("/list"))
                .isBetween(250L, 350L);
    }

    @Test
    void rows_of_data_come_in_turn_or_once_each_at_the_given_service() throws IOException {
        Path rows = Files.writeString(folder.resolve("skus.csv"), "sku\npear\nplum\nfig\n");
        Http search = Http.file(Files.writeString(folder.resolve("search.http"), "GET /search?q={{skus.sku}}\n"))
                .baseUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .connectTimeout(Duration.ofSeconds(5));
        Load load = Load.open(Arrivals.perSecond(100).evenly()).duration(Duration.ofMillis(60));
        assertThat(load.run(search.data("skus", rows)).answered()).isEqualTo(6);
        assertThat(counts()).isEqualTo(Map.of("/search?q=pear", 2L, "/search?q=plum", 2L, "/search?q=fig", 2L));
        requested.clear();
        Measured once = load.run(search.dataOnce("skus", rows));
        assertThat(once.answered()).isEqualTo(3);
        assertThat(once.planned()).isEqualTo(6);
        assertThat(counts()).isEqualTo(Map.of("/search?q=pear", 1L, "/search?q=plum", 1L, "/search?q=fig", 1L));
    }

    @Test
    void the_same_seed_draws_the_same_rows() throws IOException {
        Path rows = Files.writeString(folder.resolve("skus.csv"), "sku\npear\nplum\nfig\n");
        Http search = script("GET http://{{host}}/search?q={{skus.sku}}\n")
                .randomData("skus", rows)
                .connections(1);
        Load load = Load.open(Arrivals.perSecond(400).evenly()).duration(Duration.ofMillis(100));
        load.run(search.seed(7));
        List<String> first = List.copyOf(requested);
        requested.clear();
        load.run(search.seed(7));
        assertThat(requested).hasSize(40).containsExactlyElementsOf(first);
        requested.clear();
        load.run(search.seed(8));
        assertThat(List.copyOf(requested)).isNotEqualTo(first);
    }

    @Test
    void a_session_sends_the_file_from_the_first_to_the_last() throws IOException {
        Http session = script("""
                ### log in
                # @capture token = header X-Token
                GET http://{{host}}/login
                ### show
                # @think 5ms
                GET http://{{host}}/show/{{token}}
                """);
        Measured open = Load.sessions(Arrivals.perSecond(100).evenly())
                .duration(Duration.ofMillis(300))
                .run(session);
        long shown = open.response("show").count(); // the last sessions may reach it only after the end
        assertThat(shown).isBetween(1L, 30L);
        assertThat(open.answered()).isEqualTo(30 + shown);
        assertThat(counts()).isEqualTo(Map.of("/login", 30L, "/show/t1", shown));
        Measured closed = Load.closed(2).duration(Duration.ofSeconds(1)).run(session);
        assertThat(closed.response("show").count()).isPositive();
        assertThat(counts()).containsOnlyKeys("/login", "/show/t1");
    }

    @Test
    void unsendable_requests_are_refused_before_anything_is_sent() throws IOException {
        Http session = script("""
                ### log in
                # @capture token = header X-Token
                GET http://{{host}}/login
                """);
        assertThatThrownBy(() -> Load.perSecond(1).run(session))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("captures need sessions");
        assertThatThrownBy(() -> Load.sessions(Arrivals.perSecond(1)).run(beat -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("sessions need requests");
        assertThatThrownBy(() -> Load.closed(1).objectives("log on: p99<1s").run(session))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("objective 'log on: p99<1s': no request is called 'log on' (there are: log in)");
        assertThat(requested).isEmpty();
    }

    @Test
    void over_HTTP_2_it_needs_one_connection() throws IOException {
        try (LoopbackServer other = LoopbackServer.start(LoopbackOptions.defaults())) {
            Http mix = script("GET " + other.uri() + "\n").connections(1).http2();
            Measured measured = Load.open(Arrivals.perSecond(400).evenly())
                    .duration(Duration.ofMillis(500))
                    .run(mix);
            assertThat(measured.answered()).isEqualTo(200);
            assertThat(other.stats().connectionsAccepted()).isEqualTo(1);
        }
    }
}
