package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.testing.ParsedJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several processes generate one load, and their results merge into one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShardsTest {
    private static final int PROCESSES = 4;
    private static final Duration BOUND = Duration.ofSeconds(90);
    /** A column of {@code requests.csv}. */
    private static final int INTENDED_MICROS = 5;

    private static final Pattern PIDS = Pattern.compile("pids ([0-9 ]+)");

    private final ConcurrentLinkedQueue<Long> arrivals = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(8);

    @TempDir
    Path folder;

    private final HttpServer server;

    ShardsTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void serve() {
        server.createContext("/", exchange -> {
            arrivals.add(System.nanoTime());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
        threads.shutdownNow();
    }

    private String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** The intended times of a run by one process, in nanoseconds from its start. */
    private static List<Long> planned(Rate rate, long seed, long durationNanos) {
        IntendedTimes times = new Poisson(rate, seed).times();
        return LongStream.generate(times::nextNanos)
                .takeWhile(nanos -> nanos < durationNanos)
                .boxed()
                .toList();
    }

    @Test
    void four_processes_send_what_one_would_have_sent() throws IOException {
        Path file = folder.resolve("all.downbeat");
        Cli.Ending ending = Cli.run(
                BOUND,
                ("run " + uri() + " -R 400 -d 2s --seed 7f3a --processes " + PROCESSES
                                + " --timeout 20s --accept-unsound --json -o " + file)
                        .split(" "));

        assertThat(ending.code()).as(ending.err()).isZero();
        ParsedJson json = ending.json();
        List<Long> intended = planned(Rate.perSecond(400), 0x7f3a, 2_000_000_000L);
        long planned = intended.size();
        assertThat(json.at("ledger.planned").whole()).isEqualTo(planned);
        assertThat(json.at("ledger.answered").whole()).isEqualTo(planned);
        assertThat(json.at("ledger.adds_up").truth()).isTrue();
        assertThat(json.at("response.count").whole()).isEqualTo(planned);
        assertThat(json.at("plan.shards").whole()).isEqualTo(PROCESSES);
        List<ParsedJson> shards = json.at("shards").items();
        assertThat(shards).hasSize(PROCESSES);
        assertThat(shards.stream()
                        .mapToLong(shard -> shard.at("planned").whole())
                        .sum())
                .isEqualTo(planned);
        assertThat(shards)
                .allSatisfy(shard -> assertThat(shard.at("planned").whole())
                        .isBetween(planned / PROCESSES / 2, planned / PROCESSES * 2));
        assertThat(arrivals).hasSize((int) planned);
        assertThat(savedIntendedMicros(file))
                .isEqualTo(intended.stream().map(nanos -> nanos / 1_000).toList());
    }

    /** The intended times in a file whose requests are few enough that all are kept, in whole microseconds, in order. */
    private static List<Long> savedIntendedMicros(Path file) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(file)) {
            return Files.readAllLines(zip.getPath("requests.csv")).stream()
                    .skip(1)
                    .map(row -> (long) Double.parseDouble(row.split(",", -1)[INTENDED_MICROS]))
                    .toList();
        }
    }

    @Test
    void a_process_that_is_killed_leaves_a_partial_and_unsound_result() throws Exception {
        try (Cli cli =
                Cli.start(("run " + uri() + " -R 200 -d 30s --processes 2 --json -o " + folder.resolve("all.downbeat"))
                        .split(" "))) {
            List<Long> pids = pids(cli);
            waitForArrivals(100);
            ProcessHandle.of(pids.get(1)).orElseThrow().destroyForcibly();
            waitForArrivals(arrivals.size() + 50);
            cli.signal("INT");
            Cli.Ending ending = cli.end(BOUND);

            assertThat(ending.code()).isEqualTo(130);
            assertThat(ending.err()).contains("shard 1/2 (pid " + pids.get(1) + ") ended with 137");
            assertThat(ending.json().at("verdict.measurement").text()).isEqualTo("unsound");
            assertThat(ending.out()).as("the exit code is the signal's").contains("\"exit_code\": null");
            assertThat(ending.out())
                    .contains("\"shards_doubtful\"")
                    .contains("the measuring process crashed, was killed, or its disk was full");
            assertThat(ending.json().at("ledger.adds_up").truth()).isTrue();
            assertThat(ending.json().at("shards").items()).hasSize(2);
            assertThat(Files.size(folder.resolve("all.downbeat"))).isPositive();
            assertThat(pids)
                    .allSatisfy(pid -> assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive))
                            .isNotEqualTo(java.util.Optional.of(true)));
        }
    }

    /** Otherwise each process would miss the planned start by a different time. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "2500ms"})
    void all_processes_are_warm_before_they_agree_on_a_start(String warmUp) throws IOException {
        Cli.Ending ending = Cli.run(
                BOUND,
                ("run " + uri() + " -R 100 -d 1s --seed 7f3a --processes 2 --warm-up " + warmUp
                                + " --accept-unsound --json")
                        .split(" "));
        assertThat(ending.code()).as(ending.err()).isZero();
        assertThat(ending.out()).doesNotContain("missed the planned start");
        long planned = planned(Rate.perSecond(100), 0x7f3a, 1_000_000_000L).size();
        assertThat(ending.json().at("ledger.planned").whole()).isEqualTo(planned);
        assertThat(arrivals).hasSizeGreaterThan((int) planned);
    }

    private static List<Long> pids(Cli cli) throws Exception {
        for (long end = System.nanoTime() + BOUND.toNanos(); System.nanoTime() < end; Thread.sleep(20)) {
            Matcher printed = PIDS.matcher(cli.errSoFar());
            if (printed.find()) {
                return Pattern.compile(" ")
                        .splitAsStream(printed.group(1).strip())
                        .map(Long::valueOf)
                        .toList();
            }
        }
        throw new AssertionError("the processes did not start: " + cli.errSoFar());
    }

    private void waitForArrivals(int count) throws Exception {
        for (long end = System.nanoTime() + BOUND.toNanos(); arrivals.size() < count; Thread.sleep(10)) {
            if (System.nanoTime() > end) {
                throw new AssertionError(arrivals.size() + " requests arrived, expected " + count);
            }
        }
    }
}
