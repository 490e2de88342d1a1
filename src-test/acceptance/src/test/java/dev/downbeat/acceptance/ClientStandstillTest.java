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

/** The instrument itself is paused: callers would have waited, and it was not the service's fault. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientStandstillTest {
    private static final int PLANNED = 3_000;

    /** What one client told. */
    private record Known(long stoodStillNanos, Cli.Ending ending, ParsedJson json) {}

    /** By the version of HTTP. */
    private final Map<String, Known> told = new ConcurrentHashMap<>();

    @TempDir
    private static Path folder;

    @MeasuredFirst
    void stop_the_clients_for_two_seconds() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Known>> clients = List.of(() -> stopped("1.1"), () -> stopped("2"));
            for (Future<Known> one : threads.invokeAll(clients)) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Known stopped(String version) throws Exception {
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
            Known one = new Known(
                    resumed.middleAt() - stopped.middleAt(), ending, ParsedJson.parse(Files.readString(saved)));
            told.put(version, one);
            return one;
        }
    }

    private Known told(String version) {
        return Objects.requireNonNull(told.get(version));
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    @NeverExcused
    void no_request_is_lost_or_skipped(String version) {
        Known one = told(version);
        assertThat(one.json.at("ledger.planned").whole()).isEqualTo(PLANNED);
        assertThat(one.json.at("ledger.answered").whole()).isEqualTo(PLANNED);
        assertThat(one.json.at("ledger.adds_up").truth()).isTrue();
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void response_times_include_the_standstill(String version) {
        Known one = told(version);
        double stood = one.stoodStillNanos;
        // Of all requests this share waited, evenly spread from nothing to all of it. Above lies the time to catch up.
        double share = stood / Duration.ofSeconds(6).toNanos();
        double law99 = 1 - 0.01 / share;
        double law90 = 1 - 0.10 / share;
        assertThat(one.json.at("response.max_ns").whole() / stood).isBetween(0.98, 1.1);
        assertThat(one.json.at("response.p99_ns").whole() / stood).isBetween(law99 - 0.02, law99 + 0.1);
        assertThat(one.json.at("response.p90_ns").whole() / stood).isBetween(law90 - 0.02, law90 + 0.1);
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void they_count_as_own_lateness_not_as_service_time(String version) {
        Known one = told(version);
        double stood = one.stoodStillNanos;
        assertThat(one.json.at("lateness.p99_ns").whole() / stood).isBetween(0.90, 1.2);
        assertThat(one.json.at("service.p90_ns").whole() / stood).isLessThan(0.1);
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void the_verdict_is_unsound_and_blames_the_client(String version) {
        Known one = told(version);
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
        Known one = told(version);
        assertThat(one.json.at("verdict.service").text()).isEqualTo("undecided");
    }

    @ParameterizedTest(name = "HTTP/{0}")
    @ValueSource(strings = {"1.1", "2"})
    void the_text_and_the_exit_code_say_the_same(String version) {
        Known one = told(version);
        assertThat(one.ending.out()).contains("MEASUREMENT  UNSOUND").contains("Downbeat itself was paused for");
        assertThat(one.ending.code()).isEqualTo(98);
        assertThat(one.ending.hasStackTrace()).isFalse();
    }
}
