package dev.downbeat.boringssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over BoringSSL as over the JDK: the same requests, the same checks, the same sessions. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class BoringSslTest {
    /** Its certificate takes a second to make. Answers are longer than a packet of TLS. */
    private static LoopbackServer server;

    @BeforeAll
    static void start() throws IOException {
        server = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.bodyBytes = 50_000;
        }));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Consumer<HttpOptions.Draft> trusting(LoopbackServer one) {
        return draft -> {
            draft.connections = 4;
            draft.tls.trust(one.certificate().orElseThrow());
            draft.tls.provider = new BoringSsl();
        };
    }

    private static RunResult run(LoopbackServer one, Consumer<HttpOptions.Draft> options, int requests)
            throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Closed(4, ThinkTime.none()))
                .maxRequests(requests)
                .build();
        return new LoadRun(plan, new HttpTarget(HttpRequest.get(one.uri()), HttpOptions.of(options)))
                .run(Progress.none());
    }

    @ParameterizedTest(name = "TLS {0}")
    @ValueSource(strings = {"1.2", "1.3"})
    void requests_are_answered_and_a_place_continues_the_session_of_its_last_connection(String version)
            throws IOException {
        Consumer<HttpOptions.Draft> options =
                trusting(server).andThen(draft -> draft.tls.protocols = List.of("TLSv" + version));
        RunResult result = run(server, options, 200);
        assertThat(result.ledger().answered()).isEqualTo(200);
        assertThat(result.connections().opened()).isEqualTo(4);

        RunResult reopened = run(server, options.andThen(draft -> draft.keepAlive = false), 100);
        assertThat(reopened.ledger().answered()).isEqualTo(100);
        assertThat(reopened.connections().resumed()).isBetween(90L, 100L);
        assertThat(reopened.recording().waits().handshake().count()).isPositive();

        RunResult full = run(
                server,
                options.andThen(draft -> {
                    draft.keepAlive = false;
                    draft.tls.resume = false;
                }),
                20);
        assertThat(full.ledger().answered()).isEqualTo(20);
        assertThat(full.connections().resumed()).isZero();
    }

    /** Bodies are longer than a packet of TLS, and the server's window than both. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"HTTP_2", "AUTO"})
    void http_2_is_offered_and_spoken(HttpVersion version) throws IOException {
        Consumer<HttpOptions.Draft> options = trusting(server).andThen(draft -> {
            draft.http = version;
            draft.connections = 2;
            draft.streams = new HttpOptions.Streams(4, 1 << 20);
        });
        RunResult result = run(server, options, 500);
        assertThat(result.ledger().answered()).isEqualTo(500);
        assertThat(result.connections().opened()).isEqualTo(2);
    }

    @Test
    void a_server_that_is_not_trusted_is_refused_as_by_the_jdk() throws IOException {
        Consumer<HttpOptions.Draft> options = draft -> {
            draft.connections = 1;
            draft.tls.provider = new BoringSsl();
        };
        assertThatThrownBy(() -> run(server, options, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("TLS: the server's certificate is not trusted");
        RunResult unchecked = run(server, options.andThen(draft -> draft.tls.verify = false), 10);
        assertThat(unchecked.ledger().answered()).isEqualTo(10);
    }

    @Test
    void another_name_is_refused_as_by_the_jdk() {
        Consumer<HttpOptions.Draft> options =
                trusting(server).andThen(draft -> draft.tls.serverName = Optional.of("example.org"));
        assertThatThrownBy(() -> run(server, options, 1))
                .hasMessageContaining("TLS: ")
                .hasMessageContaining("example.org");
    }

    @Test
    void a_protocol_that_it_does_not_know_is_refused_before_anything_is_sent() {
        Consumer<HttpOptions.Draft> options = draft -> {
            draft.tls.provider = new BoringSsl();
            draft.tls.protocols = List.of("TLSv9");
        };
        assertThatThrownBy(() -> new HttpTarget(HttpRequest.get("https://127.0.0.1:1/"), HttpOptions.of(options)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TLSv9");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"NO_LENGTH, 20", "HALF_ANSWER, 0"})
    void the_end_of_a_connection_is_the_end_of_a_response_only_where_it_may_be(Misbehaviour what, int answered)
            throws IOException {
        LoopbackOptions options = LoopbackOptions.of(draft -> {
            draft.tls = true;
            draft.bodyBytes = 300;
            draft.misbehaviour = what;
        });
        try (LoopbackServer other = LoopbackServer.start(options)) {
            RunResult result = run(other, trusting(other), 20);
            assertThat(result.ledger().answered()).isEqualTo(answered);
            assertThat(result.ledger().answered() + result.ledger().failed()).isEqualTo(20);
        }
    }
}
