package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.testing.MeasuredFirst;
import dev.downbeat.testing.NeverExcused;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.testing.Timing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Downbeat itself is paused: response times include the pause, but the service is not blamed for it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientStandstillTest {
    private static final int PLANNED = 3_000;

    private record PausedClient(long pausedNanos, Cli.Ending ending, ParsedJson json) {}

    /** The results by HTTP version. */
    private final Map<String, PausedClient> clients = new ConcurrentHashMap<>();

    @TempDir
    private static Path folder;

    @MeasuredFirst
    void stop_the_clients_for_two_seconds() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<PausedClient>> runs = List.of(() -> paused("1.1"), () -> paused("2"));
            for (Future<PausedClient> one : threads.invokeAll(runs)) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private PausedClient paused(String version) throws Exception {
        Path saved = folder.resolve("result-" + version + ".json");
        try (LoopbackProcess server = LoopbackProcess.start();
                Cli cli = Cli.start(
                        "run",
                        server.uri(),
                        "-R",
                        "500",
                        "-d",
                        "6s",
                        "--arrivals",
                        "constant",
                        "--http",
                        version,
                        "--slo",
                        "p90<100ms",
                        "-o",
                        saved.toString())) {
            FrozenRun.waitUntil(
                    Service.firstRequestAt(server) + Duration.ofSeconds(2).toNanos());
            Moment stopped = Moment.of(() -> cli.signal("STOP"));
            FrozenRun.waitUntil(stopped.middleAt() + Duration.ofSeconds(2).toNanos());
            Moment resumed = Moment.of(() -> cli.signal("CONT"));
            Cli.Ending ending = cli.end(Duration.ofSeconds(30));
            PausedClient one = new PausedClient(
                    resumed.middleAt() - stopped.middleAt(), ending, ParsedJson.parse(Files.readString(saved)));
            clients.put(version, one);
            return one;
        }
    }

    private PausedClient client(String version) {
        return Objects.requireNonNull(clients.get(version));
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    @NeverExcused
    void no_request_is_lost_or_skipped(String version) {
        PausedClient one = client(version);
        assertThat(one.json.at("ledger.planned").whole()).isEqualTo(PLANNED);
        assertThat(one.json.at("ledger.answered").whole()).isEqualTo(PLANNED);
        assertThat(one.json.at("ledger.adds_up").truth()).isTrue();
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void response_times_include_the_pause(String version) {
        PausedClient one = client(version);
        double paused = one.pausedNanos;
        // This share of the requests waited, uniformly from 0 to the whole pause; catching up adds to it.
        double share = paused / Duration.ofSeconds(6).toNanos();
        double expected99 = 1 - 0.01 / share;
        double expected90 = 1 - 0.10 / share;
        assertThat(one.json.at("response.max_ns").whole() / paused).isBetween(0.98, 1.1);
        assertThat(one.json.at("response.p99_ns").whole() / paused).isBetween(expected99 - 0.02, expected99 + 0.1);
        assertThat(one.json.at("response.p90_ns").whole() / paused).isBetween(expected90 - 0.02, expected90 + 0.1);
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void they_count_as_own_lateness_not_as_service_time(String version) {
        PausedClient one = client(version);
        double paused = one.pausedNanos;
        assertThat(one.json.at("lateness.p99_ns").whole() / paused).isBetween(0.90, 1.2);
        assertThat(one.json.at("service.p90_ns").whole() / paused).isLessThan(0.1);
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void the_verdict_is_unsound_and_blames_the_client(String version) {
        PausedClient one = client(version);
        assertThat(one.json.at("verdict.measurement").text()).isEqualTo("unsound");
        List<ParsedJson> doubts = one.json.at("verdict.reasons").items().stream()
                .filter(reason -> reason.at("doubt").truth())
                .toList();
        assertThat(doubts.stream().map(reason -> reason.at("code").text()).collect(Collectors.toSet()))
                .contains("not_offered", "generator_late", "hiccup_during_run")
                .isSubsetOf("not_offered", "generator_late", "hiccup_during_run", "often_late");
        assertThat(doubts).allMatch(reason -> reason.at("text").text().matches(".*(Downbeat|more cores).*"));
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void the_service_is_not_blamed(String version) {
        PausedClient one = client(version);
        assertThat(one.json.at("verdict.service").text()).isEqualTo("undecided");
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void the_text_and_the_exit_code_say_the_same(String version) {
        PausedClient one = client(version);
        assertThat(one.ending.out()).contains("MEASUREMENT  UNSOUND").contains("Downbeat itself was paused for");
        assertThat(one.ending.code()).isEqualTo(98);
        assertThat(one.ending.hasStackTrace()).isFalse();
    }
}
