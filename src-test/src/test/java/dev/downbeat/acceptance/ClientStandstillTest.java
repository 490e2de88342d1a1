package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.testing.Measured;
import dev.downbeat.testing.Timing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The instrument itself stands still: callers would have waited, and it was not the service's fault. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientStandstillTest {
    private static final int PLANNED = 3_000;

    private long stoodStillNanos;
    private Cli.Ending ending;
    private Json json;

    @TempDir
    private static Path folder;

    @Measured
    void stop_the_client_for_two_seconds() throws Exception {
        Path saved = folder.resolve("result.json");
        try (LoopbackProcess server = LoopbackProcess.start(LoopbackOptions.defaults());
                Cli cli = Cli.start(
                        "run",
                        server.uri(),
                        "-R",
                        "500",
                        "-d",
                        "6s",
                        "--arrivals",
                        "constant",
                        "-o",
                        saved.toString())) {
            FrozenRun.waitUntil(
                    Service.firstRequestAt(server) + Duration.ofSeconds(2).toNanos());
            Moment stopped = Moment.of(() -> cli.signal("STOP"));
            FrozenRun.waitUntil(stopped.middleAt() + Duration.ofSeconds(2).toNanos());
            Moment resumed = Moment.of(() -> cli.signal("CONT"));
            stoodStillNanos = resumed.middleAt() - stopped.middleAt();
            ending = cli.end(Duration.ofSeconds(30));
            json = Json.parse(Files.readString(saved));
        }
    }

    @Test
    void no_request_is_lost_or_skipped() {
        assertThat(json.at("ledger.planned").whole()).isEqualTo(PLANNED);
        assertThat(json.at("ledger.answered").whole()).isEqualTo(PLANNED);
        assertThat(json.at("ledger.adds_up").truth()).isTrue();
    }

    @Test
    void response_times_include_the_standstill() {
        double stood = stoodStillNanos;
        // 2 s of 6 s: a third of the requests waited, evenly spread from nothing to all of it.
        assertThat(json.at("response.max_ns").whole() / stood).isBetween(0.95, 1.2);
        assertThat(json.at("response.p99_ns").whole() / stood).isBetween(0.90, 1.2);
        assertThat(json.at("response.p90_ns").whole() / stood).isBetween(0.60, 0.9);
    }

    @Test
    void they_show_as_our_own_lateness_not_as_service_time() {
        double stood = stoodStillNanos;
        assertThat(json.at("lateness.p99_ns").whole() / stood).isBetween(0.90, 1.2);
        assertThat(json.at("service.p90_ns").whole() / stood).isLessThan(0.1);
    }

    @Test
    void the_verdict_is_unsound_and_blames_the_client() {
        assertThat(json.at("verdict.measurement").text()).isEqualTo("unsound");
        List<Json> doubts = json.at("verdict.reasons").items().stream()
                .filter(reason -> reason.at("doubt").truth())
                .toList();
        assertThat(doubts.stream().map(reason -> reason.at("code").text()).collect(Collectors.toSet()))
                .contains("not_offered", "generator_late", "hiccup_during_run")
                .isSubsetOf("not_offered", "generator_late", "hiccup_during_run", "often_late");
        assertThat(doubts).allMatch(reason -> reason.at("text").text().contains("Downbeat"));
    }

    @Test
    void the_service_is_not_blamed() {
        assertThat(json.at("verdict.service").text()).isEqualTo("undecided");
    }

    @Test
    void the_text_and_the_exit_code_say_the_same() {
        assertThat(ending.out()).contains("MEASUREMENT  UNSOUND").contains("Downbeat itself was paused for");
        assertThat(ending.code()).isEqualTo(98);
        assertThat(ending.hasStackTrace()).isFalse();
    }
}
