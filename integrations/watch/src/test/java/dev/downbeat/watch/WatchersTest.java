package dev.downbeat.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.watch.PrometheusSeries.Exposition;
import dev.downbeat.watch.PrometheusSeries.Limited;
import dev.downbeat.watch.kernel.Kernel;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatchersTest {
    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                "4711",
                "jvm:",
                "jvm:x",
                "jvm:0",
                "jvm:host:0",
                "jvm:host:65536",
                "pid:-1",
                "pid:99999999999",
                "cgroup:",
                "cgroup:relative",
                "prometheus:http://127.0.0.1:9090/metrics",
                "prometheus:ftp://x/?series=a",
                "docker:x"
            })
    void anything_else_is_refused_with_what_is_accepted(String spec) {
        assertThatThrownBy(() -> Watchers.parse(spec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a watched service must be " + Watchers.FORMS + ", but was " + spec);
    }

    private static WatchResult seen(String spec) {
        try (Watcher watcher = (Watcher) Watchers.parse(spec)) {
            watcher.begin();
            return watcher.end(System.nanoTime(), 1_000_000);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            jvm:127.0.0.1:1 | no JMX server of a JVM at 127.0.0.1:1: Connection refused
            jvm:4194303 | there is no process 4194303
            pid:4194303 | there is no process 4194303
            cgroup:/nowhere | there is no control group /nowhere: it has no cpu.stat
            prometheus:http://127.0.0.1:1/metrics?series=a | connection refused at http://127.0.0.1:1/metrics
            """)
    void an_unwatchable_service_is_reported_in_one_line(String spec, String note) {
        WatchResult seen = seen(spec);
        assertThat(seen.events()).isEmpty();
        assertThat(seen.notes()).hasSize(1).first().asString().startsWith(note);
    }

    @Test
    void Linux_only_readings_are_reported_missing_elsewhere(@TempDir Path withoutProc) {
        Kernel other = new Kernel(withoutProc);
        long own = ProcessHandle.current().pid();
        for (Watcher watcher :
                List.of(Watchers.process("pid:" + own, own, other), Watchers.group("cgroup:/shop", "/shop", other))) {
            watcher.begin();
            assertThat(watcher.end(System.nanoTime(), 1_000_000).notes())
                    .containsExactly("a process can be watched on Linux only");
            watcher.close();
        }
    }

    /** In a Java with fewer modules. */
    static final class Look {
        private Look() {}

        public static void main(String[] spec) {
            System.out.print(String.join("; ", seen(spec[0]).notes()));
        }
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({"java.management.rmi, jdk.management.jfr", "jdk.management.jfr, jdk.attach"})
    void a_missing_JRE_module_is_named(String has, String lacks) throws Exception {
        Process look = new ProcessBuilder(
                        Forked.ownJava(),
                        "-XX:TieredStopAtLevel=1",
                        "--limit-modules",
                        "java.management.rmi,java.logging," + has,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Look.class.getName(),
                        "jvm:" + ProcessHandle.current().pid())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(look.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("this Java lacks the module " + lacks + ": run Downbeat on a JDK");
    }

    @Test
    void this_process_is_watched_without_attaching_and_another_may_be_no_JVM() throws Exception {
        try (Watcher watcher =
                (Watcher) Watchers.parse("jvm:" + ProcessHandle.current().pid())) {
            watcher.begin();
            long startAt = System.nanoTime();
            System.gc();
            WatchResult own = watcher.end(startAt, System.nanoTime() - startAt);
            assertThat(own.events()).extracting(Event::kind).contains(EventKind.FULL_COLLECTION);
            assertThat(own.notes())
                    .containsExactly(
                            "the service runs in the JVM of the measurement: its pauses are those of the measurement too");
        }
        Process sleep = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(seen("jvm:" + sleep.pid()).notes())
                    .containsExactly(
                            "process " + sleep.pid() + " is not a JVM: pid:" + sleep.pid() + " watches any process");
            assertThat(sleep.isAlive()).isTrue();
            assertThat(new JvmAddress.OfProcess(7).noJvm(false)).hasMessage("process 7 is not a JVM"); // as on macOS
        } finally {
            sleep.destroyForcibly();
        }
    }

    /** The recorder changes classes, for which a JVM of 17 maps its archive's file anew, whatever that is by then. */
    @Test
    void a_JVM_whose_class_archive_was_replaced_is_left_alone() throws Exception {
        JvmAddress.OfProcess process = new JvmAddress.OfProcess(7);
        String libjvm = "7fd06e600000-7fd06f7de000 r-xp 00000000 fe:00 7 /usr/lib/jvm/java-17/lib/server/libjvm.so";
        String archive = "800454000-800bc7000 r--p 00455000 fe:00 10 /usr/lib/jvm/java-17/lib/server/classes.jsa";
        assertThat(process.isJvm(List.of(archive, libjvm))).isTrue();
        assertThat(process.isJvm(List.of(archive))).isFalse();
        assertThatThrownBy(() -> process.isJvm(List.of(libjvm, archive + " (deleted)")))
                .hasMessage("process 7 could crash if its events were recorded: its class archive"
                        + " /usr/lib/jvm/java-17/lib/server/classes.jsa was replaced after its start."
                        + " Restart it, or watch pid:7");
    }

    @Test
    void a_process_that_ends_is_watched_until_then(@TempDir Path folder) throws Exception {
        Process sleep = new ProcessBuilder("sleep", "60").start();
        try (Watcher watcher = (Watcher) Watchers.parse("pid:" + sleep.pid())) {
            watcher.begin();
            long startAt = System.nanoTime();
            sleep.destroyForcibly().waitFor();
            for (Thread each : Thread.getAllStackTraces().keySet()) {
                if (each.getName().equals("downbeat-watch")) {
                    each.join(20_000); // it ends when it has seen that
                }
            }
            WatchResult seen = watcher.end(startAt, 60_000_000_000L);
            assertThat(seen.notes()).containsExactly("it ended while it was watched");
            assertThat(seen.toNanos()).isBetween(0L, 50_000_000_000L);
        }
    }

    @Test
    void series_are_read_with_and_without_labels() {
        Exposition read = Exposition.read("""
                # HELP pending waits
                # TYPE pending gauge
                pending{pool="a"} 2.0
                pending{pool="b"} 3.5 1700000000000
                # TYPE errors counter
                errors 17
                other NaN
                """, List.of("pending", "pending{pool=\"b\"}", "errors", "missing"));
        assertThat(read.values())
                .containsEntry("pending", 5.5)
                .containsEntry("pending{pool=\"b\"}", 3.5)
                .containsEntry("errors", 17.0)
                .doesNotContainKey("missing");
        assertThat(read.counters()).isEqualTo(Set.of("errors"));
    }

    /** OpenMetrics puts them behind the value, with labels and a value of their own. */
    @Test
    void an_exemplar_is_no_part_of_its_series() {
        Exposition read = Exposition.read("""
                # TYPE hits counter
                hits_total{code="200",path="/a # b}{\\"c"} 5 # {trace_id="ab"} 0.67 1700000000.0
                hits_total{code="500"} 2 1700000000 # {trace_id="}"} 1
                misses_total 7 # {trace_id="cd"} 0.5
                """, List.of("hits_total", "hits_total{code=\"500\"}", "misses_total"));
        assertThat(read.values())
                .isEqualTo(Map.of("hits_total", 7.0, "hits_total{code=\"500\"}", 2.0, "misses_total", 7.0));
    }

    @Test
    void an_endless_page_of_metrics_and_an_unknown_host_are_reported() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("pending 1\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
            assertThat(seen("prometheus:" + url + "?series=pending").notes())
                    .containsExactly(url + " did not answer completely in time");
        } finally {
            server.stop(0);
        }
        assertThat(seen("prometheus:http://nowhere.invalid/metrics?series=pending")
                        .notes())
                .containsExactly("unknown host nowhere.invalid");
    }

    @Test
    void a_page_of_metrics_that_is_too_large_is_not_kept() {
        AtomicInteger cancelled = new AtomicInteger();
        Limited body = new Limited(HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8));
        body.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {
                cancelled.incrementAndGet();
            }
        });
        for (int mebibyte = 0; mebibyte < 16; mebibyte++) {
            body.onNext(List.of(ByteBuffer.allocate(1 << 20)));
        }
        assertThat(cancelled).hasValue(0);
        body.onNext(List.of(ByteBuffer.allocate(1)));
        body.onNext(List.of(ByteBuffer.allocate(1)));
        body.onComplete();
        assertThat(cancelled).hasValue(1);
        assertThat(body.getBody())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("answered more than 16 MiB");
    }

    @Test
    void the_other_parameters_of_a_page_of_metrics_are_sent() throws Exception {
        List<String> queries = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            queries.add(String.valueOf(exchange.getRequestURI().getQuery()));
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
        try {
            String url = "prometheus:http://127.0.0.1:" + server.getAddress().getPort() + "/metrics?";
            for (String query : List.of("a=1&series=pending&b=2", "a=1&series=pending", "series=pending")) {
                assertThat(seen(url + query).notes()).singleElement().asString().endsWith("answered with status 404");
            }
            assertThat(queries).containsExactly("a=1&b=2", "a=1", "null");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void a_page_of_metrics_that_fails_later_is_reported_with_its_reason() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger asked = new AtomicInteger();
        server.createContext("/metrics", exchange -> {
            byte[] body = "pending 1\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(asked.getAndIncrement() == 0 ? 200 : 500, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/metrics");
            PrometheusSeries series = new PrometheusSeries(uri, List.of("pending"));
            series.first();
            series.sample(1);
            assertThat(series.note()).contains("a sample failed: " + uri + " answered with status 500");
            series.sample(2);
            assertThat(series.note()).contains("2 samples failed, the last: " + uri + " answered with status 500");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void an_interrupted_sample_leaves_the_thread_interrupted() throws Exception {
        Thread.currentThread().interrupt();
        assertThat(seen("prometheus:http://127.0.0.1:1/metrics?series=pending").notes())
                .containsExactly("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_missing_series_is_reported() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] body = "pending 1\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
            assertThat(seen("prometheus:" + url + "?series=pending,missing").notes())
                    .containsExactly(url + " has no series missing");
            assertThat(seen("prometheus:" + url + "?series=pending").notes()).isEmpty();
        } finally {
            server.stop(0);
        }
    }
}
