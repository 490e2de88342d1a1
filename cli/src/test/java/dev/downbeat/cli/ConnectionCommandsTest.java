package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.json.JsonReader;
import dev.downbeat.json.JsonRules;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.LoopbackOptions.Instances;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What new, idle and replaced connections and cold instances cost, from the command line. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class ConnectionCommandsTest {
    private static LoopbackServer start(Consumer<LoopbackOptions.Draft> options) throws IOException {
        return LoopbackServer.start(LoopbackOptions.of(options));
    }

    /** An address with a short backlog would make one request wait for 64 connections. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"-n 3, 3", "-n 3 -c 5, 5", "-n 3 --closed 2, 2", "-n 200, 64", "-n 3 --warm-up 100ms, 64"})
    void few_requests_open_few_connections(String load, int opened) throws Exception {
        try (LoopbackServer server = start(draft -> {})) {
            List<String> words = new ArrayList<>(List.of("run", server.uri(), "-v"));
            words.addAll(List.of(load.split(" ")));
            Shell shell = Shell.call(words.toArray(String[]::new));
            assertThat(shell.out()).contains(opened + " opened, " + opened + " open at the end");
        }
    }

    @Test
    void a_connection_for_each_request_has_its_parts() throws Exception {
        try (LoopbackServer server = start(draft -> {})) {
            Shell shell = Shell.call(
                    "run",
                    "connect:localhost:" + server.port(),
                    "-R",
                    "100",
                    "-n",
                    "20",
                    "--lookup",
                    "per-connection",
                    "-v");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.out()).contains("new conns", "lookup ", "connect p50");
            while (server.stats().connectionsAccepted() < 21) {
                Thread.sleep(1); // nobody waits for the server to accept
            }
            assertThat(server.stats().connectionsAccepted()).isEqualTo(21);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "run connect:localhost | HOST:PORT must follow",
                "run connect:localhost:80 --no-keepalive | --no-keepalive is for HTTP or JDBC targets only",
                "run connect:localhost:80 --var a=b | connect: and tls: send no requests",
                "run connect:localhost:80 -H a:b | --header is for HTTP targets only",
                "position tls:localhost:443 | position is for HTTP and SQS targets",
                "position http://localhost/ --vary pacing=spin,block | position cannot vary pacing",
                "idle tls:localhost:443 | idle is for HTTP targets",
                "idle http://localhost/ 5m..1s | idle times must be FROM..TO",
                "idle http://localhost/ 9ms | idle times must be FROM..TO, from 10ms to 24h",
                "idle http://localhost/ 1h..25h | idle times must be FROM..TO, from 10ms to 24h",
                "idle http://localhost/ 1s --tries 0 | a count must be a whole number of at least 1",
                "idle http://localhost/ 1s --timeout 0s | --timeout must be above 0",
                "idle http://localhost/ 1s --probe-every 1500ms | --probe-every must be whole seconds from 1s to 32767s",
                "idle http://localhost/ 1s --tries 1001 | at most 1000 connections are left idle, but it would be 1001",
                "idle http://localhost/ 1s..4s --tries 1000 | it would be 3000",
                "idle http://localhost/ 1s..5s --tries 1000 --probe-every 1s | it would be 8000",
                "run http://localhost/ --cold-marker X-Cold | --cold-marker must be header:NAME",
                "run http://localhost/ --replace-after 5 --no-keepalive | --replace-after is for kept connections",
                "serve --instances 3 | instances and scale-to-zero say which starts"
            })
    void contradictory_options_are_refused(String line, String message) {
        Shell shell = Shell.call(line.split(" "));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains(message);
    }

    @Test
    void idle_connections_are_shown_by_their_idle_time() throws IOException {
        try (LoopbackServer server = start(draft -> {})) {
            Shell shell = Shell.call("idle", server.uri(), "20ms..80ms", "--tries", "2", "--probe-every", "1s");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.out())
                    .contains("Connections idle for 80.0 ms can still be used.", "40.0 ms", "2 of 2", "reuse saves");
            long accepted = server.stats().connectionsAccepted();
            assertThat(accepted).as("with those of the warm-up").isBetween(3 * 2 * 2 + 1L, 3 * 2 * 2 + 8L);
            assertThat(server.stats().requestsAnswered()).isEqualTo(2 * accepted);
        }
        try (LoopbackServer server = start(draft -> draft.closeAfter = 1)) {
            Map<?, ?> json = json(Shell.call("idle", server.uri(), "20ms", "--tries", "1", "--json"));
            assertThat(json.get("headline")).isEqualTo("Connections are not kept: closed with its first response.");
        }
        Shell elsewhere = Shell.call("run", "http://[::1]:80/", "--connect-to", "[::1]:80:127.0.0.1:1", "-n", "1");
        assertThat(elsewhere.err()).contains("[::1]:80 (connecting to 127.0.0.1:1): connection refused");
        Shell nobody = Shell.call("idle", "http://127.0.0.1:1/", "20ms");
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.firstErrorLine() + nobody.err()).contains("nothing could be measured: connection refused");
    }

    private static Map<?, ?> json(Shell shell) throws IOException {
        return (Map<?, ?>) JsonReader.parse(shell.out(), JsonRules.OWN);
    }

    @Test
    void requests_that_met_a_cold_instance_have_a_row_of_their_own() throws IOException {
        try (LoopbackServer server =
                start(draft -> draft.instances = new Instances(2, 20_000_000, 3_600_000_000_000L))) {
            Shell shell = Shell.call(
                    "run",
                    server.uri(),
                    "--closed",
                    "2",
                    "-n",
                    "60",
                    "--cold-marker",
                    "header:x-cold-start",
                    "--slo",
                    "max<10s",
                    "--json");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            List<?> requests = (List<?>) json(shell).get("requests");
            assertThat(requests).hasSize(2);
            Map<?, ?> cold = (Map<?, ?>) requests.get(1);
            assertThat(cold.get("name")).isEqualTo("GET / (cold)");
            assertThat(((Map<?, ?>) cold.get("ledger")).get("answered").toString())
                    .isIn("1", "2");
        }
    }

    @Test
    void without_a_marker_the_first_request_after_a_pause_is_cold() throws IOException {
        try (LoopbackServer server = start(draft -> {})) {
            Shell shell = Shell.call("run", server.uri(), "-R", "100", "-n", "30", "--cold-after", "1h", "--json");
            List<?> requests = (List<?>) json(shell).get("requests");
            Map<?, ?> ledger = (Map<?, ?>) ((Map<?, ?>) requests.get(1)).get("ledger");
            assertThat(ledger.get("answered")).hasToString("1");
        }
    }

    @Test
    void clients_are_shown_side_by_side() throws IOException {
        try (LoopbackServer server = start(draft -> {
            draft.closeAfter = 20;
            draft.closeNotice = false;
        })) {
            Shell shell = Shell.call(
                    "position",
                    server.uri(),
                    "--vary",
                    "max-requests=none,10",
                    "--vary",
                    "tcp-keepalive=off,on",
                    "--runs",
                    "3",
                    "-n",
                    "60",
                    "--accept-unsound");
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.out())
                    .contains("max-requests=10 tcp-keepalive=on", "after 20")
                    .contains("after 10");
        }
    }
}
