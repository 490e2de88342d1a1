package dev.downbeat.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Lane;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code connect:HOST:PORT} and {@code tls:HOST:PORT}: each request is a new connection. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class ConnectTargetTest {
    private static HttpTarget target(String url) {
        return new HttpTarget(HttpRequest.get(url), HttpOptions.of(draft -> {
            draft.connections = 8;
            draft.tls.verify = false;
        }));
    }

    private static RunResult run(String url, int requests) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(100))))
                .maxRequests(requests)
                .build();
        return new LoadRun(plan, target(url)).run(Progress.none());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"connect", "tls"})
    void each_request_opens_a_connection_and_sends_nothing(String scheme) throws IOException {
        try (LoopbackServer server =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.tls = scheme.equals("tls")))) {
            RunResult result = run(scheme + ":127.0.0.1:" + server.port(), 40);
            assertThat(result.ledger().addsUp()).isTrue();
            assertThat(result.ledger().answered()).isEqualTo(40);
            assertThat(result.connections().opened()).isEqualTo(41); // one to see that somebody answers
            assertThat(result.connections().closedByUs()).isEqualTo(41);
            assertThat(server.stats().requestsReceived()).isZero();
        }
    }

    @Test
    void the_parts_are_the_whole_time() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.tls = true))) {
            NanoClock clock = NanoClock.system();
            boolean[] ended = {false};
            try (Lane lane = target("tls:localhost:" + server.port()).open(0, 1, clock, one -> ended[0] = true)) {
                Exchange exchange = new Exchange(0);
                long now = clock.nanoTime();
                exchange.begin(now, now, now);
                lane.send(exchange);
                while (!ended[0]) {
                    lane.poll(clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
                }
                assertThat(exchange.outcome.fate()).isEqualTo(Fate.ANSWERED);
                assertThat(exchange.handshakeNanos).isPositive();
                assertThat(exchange.position).isEqualTo(1);
                assertThat(exchange.unconnected).isFalse();
                assertThat(exchange.firstByteAt).isEqualTo(exchange.completedAt);
                assertThat(exchange.lookupNanos + exchange.connectNanos + exchange.handshakeNanos)
                        .isEqualTo(exchange.serviceNanos());
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"connect", "tls"})
    void a_server_that_goes_away_fails_the_requests_that_are_due_afterwards(String scheme) throws IOException {
        NanoClock clock = NanoClock.system();
        Exchange exchange = new Exchange(0);
        boolean[] ended = {false};
        LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> draft.tls = scheme.equals("tls")));
        try (Lane lane = target(scheme + ":127.0.0.1:" + server.port()).open(0, 1, clock, one -> ended[0] = true)) {
            server.close();
            long now = clock.nanoTime();
            exchange.begin(now, now, now);
            lane.send(exchange);
            for (int i = 0; i < 1_000 && !ended[0]; i++) {
                lane.poll(clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
        assertThat(ended[0]).isTrue();
        assertThat(exchange.outcome.reason()).isEqualTo("connection refused");
        assertThat(exchange.completedAt).isGreaterThanOrEqualTo(exchange.startedAt);
    }

    @Test
    void an_unreachable_server_is_reported_before_the_first_request() {
        assertThatThrownBy(() -> run("connect:127.0.0.1:1", 3))
                .isInstanceOf(IOException.class)
                .hasMessage("127.0.0.1:1: connection refused");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"connect:localhost", "tls:", "connect:a:b", "tls:h:443/path", "tls:u@h:443"})
    void an_invalid_place_is_refused_with_the_accepted_forms(String text) {
        assertThatThrownBy(() -> HttpEndpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HOST:PORT must follow");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"connect:localhost:80", "tls:[::1]:8443", "connect:/run/app.sock"})
    void a_place_is_shown_as_it_was_given(String text) {
        assertThat(HttpEndpoint.parse(text)).hasToString(text);
    }
}
