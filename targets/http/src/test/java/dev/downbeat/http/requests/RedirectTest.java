package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RequestSet.Redirects are followed within the service, and belong to their request. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class RedirectTest {
    private static final int REQUESTS = 20;

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    RedirectTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.createContext("/", this::answer);
    }

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String cookie = exchange.getRequestHeaders().getFirst("Cookie");
        String path = exchange.getRequestURI().toString();
        if (path.equals("/gone")) {
            exchange.close();
            return;
        }
        asked.add(exchange.getRequestMethod() + " " + path + (body.isEmpty() ? "" : " " + body)
                + (cookie == null ? "" : " " + cookie));
        String to = switch (path) {
            case "/found" -> "/new/place?x=1";
            case "/new/place?x=1" -> "../end";
            case "/other" -> "see";
            case "/same" -> "/kept";
            case "/loop" -> "/loop";
            case "/away" -> "http://127.0.0.2:1/";
            case "/list?page=1" -> "?page=2#end";
            case "/a/b?c=%7Cx" -> "../a/./|x y";
            case "/named" -> "http://h/";
            case "/to-gone" -> "/gone";
            case "/login" -> "/home";
            default -> "";
        };
        if (path.equals("/login")) {
            boolean isNamed = "shop.example".equals(exchange.getRequestHeaders().getFirst("Host"));
            exchange.getResponseHeaders().add("Set-Cookie", "sid=1; Path=/" + (isNamed ? "; Domain=shop.example" : ""));
        }
        if (!to.isEmpty()) {
            exchange.getResponseHeaders().add("Location", to);
        }
        int status = to.isEmpty() ? 200 : path.equals("/other") ? 303 : path.equals("/same") ? 307 : 302;
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private RunResult run(String request, RequestSet.Order order) throws IOException {
        String uri = "http://127.0.0.1:" + server.getAddress().getPort();
        RequestSet set = Written.set(request.replace("http://h", uri), order).following(3);
        Workload open = order == RequestSet.Order.SESSION
                ? new Workload.PartlyOpen(new Poisson(Rate.perSecond(20), 4), set.size(), ThinkTime.none())
                : new Workload.Open(new Constant(Rate.perSecond(200)));
        RunPlan plan = RunPlan.builder(open).maxRequests(REQUESTS).build();
        HttpTarget target = new HttpTarget(set, HttpOptions.of(draft -> draft.connections = 4));
        return new LoadRun(plan, target).run(Progress.none());
    }

    @Test
    void the_hops_are_part_of_one_request_and_are_counted() throws IOException {
        RunResult result = run("GET http://h/found", RequestSet.Order.MIX);
        assertThat(result.ledger().answered()).isEqualTo(REQUESTS);
        assertThat(result.recording().statuses()).isEqualTo(Map.of("200", (long) REQUESTS));
        assertThat(result.counts().count("redirects followed")).isEqualTo(2L * REQUESTS);
        assertThat(asked).hasSize(3 * REQUESTS).contains("GET /found", "GET /new/place?x=1", "GET /end");
    }

    /** RFC 3986, 5.2; browsers encode what servers should have encoded. */
    @Test
    void a_target_is_relative_to_the_request() throws IOException {
        run("GET http://h/list?page=1", RequestSet.Order.MIX);
        assertThat(asked).containsOnly("GET /list?page=1", "GET /list?page=2");
        asked.clear();
        run("GET http://h/a/b?c=|x", RequestSet.Order.MIX);
        assertThat(asked).containsOnly("GET /a/b?c=%7Cx", "GET /a/%7Cx%20y");
    }

    @Test
    void see_other_asks_without_the_body_and_307_asks_with_it() throws IOException {
        run("POST http://h/other\nContent-Type: text/plain\n\nhello", RequestSet.Order.MIX);
        assertThat(asked).contains("POST /other hello", "GET /see");
        asked.clear();
        run("POST http://h/same\n\nhello", RequestSet.Order.MIX);
        assertThat(asked).contains("POST /same hello", "POST /kept hello");
    }

    @Test
    void a_session_has_the_cookie_of_the_redirect_by_the_next_hop() throws IOException {
        run("GET http://h/login", RequestSet.Order.SESSION);
        assertThat(asked).contains("GET /login", "GET /home sid=1");
    }

    @Test
    void a_cookie_of_the_domain_in_the_Host_header_is_kept() throws IOException {
        run("GET http://h/login\nHost: shop.example", RequestSet.Order.SESSION);
        assertThat(asked).contains("GET /login", "GET /home sid=1");
    }

    @Test
    void a_hop_without_a_response_has_no_status() throws IOException {
        RunResult result = run("GET http://h/to-gone", RequestSet.Order.MIX);
        assertThat(result.ledger().failed()).isEqualTo(REQUESTS);
        assertThat(result.recording().statuses()).isEmpty();
        assertThat(result.recording().tallies().redirects(REQUESTS))
                .as("not followed")
                .isZero();
    }

    @Test
    void cookies_belong_to_the_Host_header_of_each_request() throws IOException {
        run("""
                GET http://h/end
                Host: other.example

                ###
                GET http://h/login
                Host: shop.example

                ###
                GET http://h/free
                Host: other.example
                """, RequestSet.Order.SESSION);
        assertThat(asked).containsOnly("GET /end", "GET /login", "GET /home sid=1", "GET /free");
    }

    @Test
    void an_unfollowed_redirect_fails_with_a_reason() throws IOException {
        Recording loop = run("GET http://h/loop", RequestSet.Order.MIX).recording();
        assertThat(loop.failures()).isEqualTo(Map.of("more than 3 redirects", (long) REQUESTS));
        assertThat(loop.statuses()).isEqualTo(Map.of("302", (long) REQUESTS));
        assertThat(loop.tallies().redirects(loop.ledger().answered()))
                .as("none was an answer")
                .isZero();
        assertThat(run("GET http://h/named", RequestSet.Order.MIX).recording().failures())
                .isEqualTo(Map.of("redirect to another service", (long) REQUESTS));
        assertThat(run("GET http://h/away", RequestSet.Order.MIX).recording().failures())
                .isEqualTo(Map.of("redirect to another service", (long) REQUESTS));
    }
}
