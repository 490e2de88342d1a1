package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.cli.DownbeatMain;
import dev.downbeat.cli.DroppingFront;
import dev.downbeat.cli.FakeQueue;
import dev.downbeat.cli.Shell;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.FreePort;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PositionCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path folder;

    private static Shell position(String target, String... more) {
        List<String> words = new ArrayList<>(
                List.of("position", target, "-q", "--warm-up-runs", "1", "--seed", "1", "--accept-unsound"));
        words.addAll(List.of(more));
        return Shell.call(words.toArray(String[]::new));
    }

    private static long number(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\": (-?[0-9]+)").matcher(json);
        assertThat(found.find()).as(name).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void the_demo_explains_itself() {
        Shell shell = position("sqs:demo", "--runs", "3", "-c", "3", "--json");
        assertThat(shell.err()).isEmpty();
        assertThat(shell.exitCode()).isZero();
        String json = shell.out();
        assertThat(number(json, "answered")).isEqualTo(3 * 180);
        assertThat(number(json, "closed_by_server_with_notice")).isEqualTo(6);
        assertThat(number(json, "usual")).isEqualTo(80);
        assertThat(json).contains("Requests 81, 161, 241, ...").contains("\"code\": \"first_request_cost\"");
        long parts = number(json, "lookup_ns")
                + number(json, "connect_ns")
                + number(json, "handshake_ns")
                + number(json, "first_byte_ns")
                + number(json, "reading_ns");
        assertThat(parts).isEqualTo(number(json, "cost_ns"));
        assertThat(number(json, "handshake_ns")).isGreaterThan(number(json, "cost_ns") / 4);
    }

    @Test
    void an_HTTP_server_that_drops_connections_without_notice_is_found() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.closeAfter = 20;
            draft.closeNotice = false;
            draft.delay = ServiceLaw.parse("lognormal:1ms,0.2");
        }))) {
            Shell shell = position(server.uri(), "--runs", "20", "-n", "90", "-c", "2");
            assertThat(shell.err()).isEmpty();
            assertThat(shell.exitCode()).isZero();
            String text = shell.out().replaceAll("\\s+", " ");
            assertThat(text)
                    .contains("connections ended after exactly 20 requests: the server closes the connection")
                    .contains("95 % = 1 - 1/20");
        }
    }

    @Test
    void a_variant_that_fails_does_not_lose_the_results_of_the_others() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            Shell shell = position(
                    server.uri(), "--vary", "url=" + server.uri() + ",http://127.0.0.1:1/", "--runs", "3", "-n", "5");
            assertThat(shell.exitCode()).isEqualTo(1);
            assertThat(shell.err()).contains("http://127.0.0.1:1/: ");
            assertThat(shell.out()).contains(server.uri());
        }
    }

    @Test
    void a_variant_that_a_signal_kept_from_being_measured_is_named() throws Exception {
        CountDownLatch asked = new CountDownLatch(20);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            asked.countDown();
        });
        server.start();
        Path json = folder.resolve("clients.json");
        Path xml = folder.resolve("clients.xml");
        Process position = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DownbeatMain.class.getName(),
                        "position",
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/",
                        "--vary=max-requests=3,5,7",
                        "--runs=50k",
                        "-n=9",
                        "--output=" + json,
                        "--output=" + xml)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("screen").toFile())
                .start();
        try {
            while (!asked.await(1, TimeUnit.SECONDS)) {
                assertThat(position.isAlive()).isTrue();
            }
            position.destroy();
            assertThat(position.waitFor()).isEqualTo(143);
        } finally {
            position.destroyForcibly();
            server.stop(0);
        }
        assertThat(folder.resolve("screen"))
                .content()
                .containsPattern("(?m)^INCOMPLETE: max-requests=3: ") // behind what the newest JVM warns of
                .contains("max-requests=5  not measured  interrupted before it was measured")
                .contains("max-requests=7  not measured  interrupted before it was measured");
        assertThat(json).content().contains("\"variant\": \"max-requests=5\"", "\"variant\": \"max-requests=7\"");
        assertThat(xml).content().contains("max-requests=5");
    }

    /** The real SDK and a real front; the messages' server is a plain one. */
    private static Shell behindFront(ToIntFunction<SplittableRandom> requests) throws IOException {
        try (FakeQueue queue = FakeQueue.start();
                DroppingFront front = new DroppingFront(queue.port(), requests)) {
            List<String> words = new ArrayList<>(List.of("--endpoint", front.uri(), "--data", "x"));
            words.addAll(List.of("--runs", "5", "-n", "180", "-c", "5", "--json"));
            Shell shell = position("sqs:orders", words.toArray(String[]::new));
            assertThat(shell.err()).isEmpty();
            assertThat(shell.exitCode()).isZero();
            return shell;
        }
    }

    @Test
    void a_queue_that_drops_connections_after_80_requests_without_notice_is_found() throws IOException {
        String json = behindFront(random -> 80).out();
        assertThat(number(json, "usual")).isEqualTo(80);
        assertThat(number(json, "closed_by_server_with_notice")).isZero();
        assertThat(json)
                .contains("\"is_rule\": true")
                .contains("\"code\": \"closed_without_notice\"")
                .contains("98.75 % = 1 - 1/80")
                .contains("in advance, after 70 requests");
    }

    @Test
    void a_queue_that_closes_after_a_random_number_is_not_called_periodic() throws IOException {
        String json = behindFront(random -> random.nextInt(20, 121)).out();
        assertThat(number(json, "longest")).isGreaterThan(number(json, "shortest"));
        assertThat(json)
                .contains("\"is_rule\": false")
                .contains("\"code\": \"closed_irregularly\"")
                .contains("\"periods\": []")
                .doesNotContain("\"code\": \"period\"")
                .doesNotContain("step_explained");
    }

    @Test
    void an_unreachable_server_is_one_clear_line() throws IOException {
        Shell shell = position("http://127.0.0.1:" + FreePort.find() + "/");
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.firstErrorLine())
                .startsWith("downbeat position: nothing could be measured: 127.0.0.1:")
                .endsWith("connection refused");
    }

    @Test
    void contradictory_options_are_refused() {
        assertThat(position("http://127.0.0.1:9/", "--runs", "1M").firstErrorLine())
                .contains("runs must be from 1 to 50000");
        assertThat(position("sqs:orders", "--operation", "delivery").firstErrorLine())
                .contains("--operation delivery is not a request on one connection");
        assertThat(position("http://127.0.0.1:9/", "--operation", "receive").firstErrorLine())
                .contains("--operation is for SQS targets only");
        assertThat(Shell.call("position").exitCode()).isEqualTo(2);
    }
}
