package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.testing.MeasuredFirst;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.testing.Timing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A request that timed out after 1 s took at least 1 s: it is neither dropped nor counted as 1 s. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimeoutTest {
    private static final int PER_SECOND = 100;
    private static final int PLANNED = 1_200;
    private static final long TIMEOUT_NANOS = 1_000_000_000L;

    private Moment frozen;
    private Moment resumed;
    private Cli.Ending ending;
    private ParsedJson json;

    @TempDir
    private static Path folder;

    @MeasuredFirst
    void freeze_the_service_for_five_seconds() throws Exception {
        Path saved = folder.resolve("result.json");
        try (LoopbackProcess server = LoopbackProcess.start();
                Cli cli = Cli.start(("run " + server.uri() + " -R " + PER_SECOND
                                + " -d 12s --timeout 1s --arrivals constant -q --slo p50<500ms --slo p99<30s -o "
                                + saved)
                        .split(" "))) {
            FrozenRun.waitUntil(
                    Service.firstRequestAt(server) + Duration.ofSeconds(2).toNanos());
            frozen = Moment.of(server::freeze);
            FrozenRun.waitUntil(frozen.middleAt() + Duration.ofSeconds(5).toNanos());
            resumed = Moment.of(server::resume);
            ending = cli.end(Duration.ofSeconds(40));
            json = ParsedJson.parse(Files.readString(saved));
        }
    }

    @Test
    void requests_that_timed_out_are_counted_as_such_and_none_is_dropped() {
        // A request due in the freeze, earlier than a timeout before its end, cannot be answered in time.
        // After the freeze the server first works on abandoned requests, which may take a second.
        double leastSeconds = (resumed.earliestAt() - frozen.latestAt() - TIMEOUT_NANOS) / 1e9;
        double mostSeconds = (resumed.latestAt() - frozen.earliestAt()) / 1e9;
        assertThat((double) json.at("ledger.timed_out").whole())
                .isBetween(leastSeconds * PER_SECOND - 1, mostSeconds * PER_SECOND + 1);
        assertThat(json.at("ledger.planned").whole()).isEqualTo(PLANNED);
        assertThat(json.at("ledger.adds_up").truth()).isTrue();
        assertThat(json.at("ledger.answered").whole()
                        + json.at("ledger.timed_out").whole())
                .isEqualTo(PLANNED);
    }

    @Test
    void they_stay_among_the_requests_of_the_percentiles() {
        assertThat(json.at("censored.count").whole())
                .isEqualTo(json.at("ledger.timed_out").whole());
        assertThat(json.at("censored.lower_bound.count").whole()).isEqualTo(PLANNED);
        assertThat(json.at("response.count").whole()).isEqualTo(PLANNED);
    }

    @Test
    void they_lasted_at_least_the_timeout() {
        for (String percentile : new String[] {"p75_ns", "p90_ns", "p99_ns", "max_ns"}) {
            assertThat(json.at("censored.lower_bound." + percentile).whole())
                    .as(percentile)
                    .isGreaterThanOrEqualTo(TIMEOUT_NANOS);
        }
        assertThat(json.at("censored.lower_bound.p75_ns").whole()).isLessThan(TIMEOUT_NANOS * 11 / 10);
    }

    @Test
    void no_percentile_among_them_is_presented_as_a_value() {
        for (String name : new String[] {"mean_ns", "p75_ns", "p90_ns", "p99_ns", "max_ns"}) {
            assertThat(json.at("response").at(name).isNull()).as(name).isTrue();
            assertThat(json.at("unavailable").members().get("response." + name))
                    .asString()
                    .contains("lower bound");
        }
    }

    @Test
    void a_percentile_below_them_stays_exact() {
        assertThat(json.at("response.p50_ns").whole()).isLessThan(TIMEOUT_NANOS / 2);
        assertThat(json.at("objectives").items().get(0).at("status").text()).isEqualTo("met");
    }

    @Test
    void an_objective_above_the_timeout_is_undecided() {
        ParsedJson p99 = json.at("objectives").items().get(1);
        assertThat(p99.at("status").text()).isEqualTo("undecided");
        assertThat(p99.at("lower_bound").truth()).isTrue();
    }

    @Test
    void the_text_says_at_least() {
        assertThat(ending.out())
                .containsPattern("(?m)^ *p95 +≥ 1")
                .containsPattern("(?m)^ *p99 +≥ 1")
                .containsPattern("(?m)^ *max +≥ 1")
                .containsPattern("timed out [0-9]+");
        assertThat(ending.code()).isIn(98, 99);
        assertThat(ending.hasStackTrace()).isFalse();
    }
}
