package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.downbeat.gatling.correction.BeatInjection;
import dev.downbeat.load.Arrivals;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users arrive by Downbeat's own laws, to the nanosecond. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OnTheBeatTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static List<Long> times(Arrivals arrivals) {
        List<Long> all = new ArrayList<>();
        arrivals.times(7).forEachRemaining((long nanos) -> all.add(nanos));
        return all;
    }

    @Test
    void arrivals_follow_each_other() {
        assertThat(times(Arrivals.perSecond(3)
                        .evenly()
                        .during(SECOND)
                        .then(Arrivals.none().during(SECOND))
                        .then(Arrivals.at(Duration.ofNanos(5), Duration.ofNanos(7)))))
                .containsExactly(0L, 333_333_333L, 666_666_666L, 2_000_000_005L, 2_000_000_007L);
    }

    @Test
    void users_without_end_are_refused() {
        assertThatThrownBy(() -> new BeatInjection(Arrivals.perSecond(100), 7))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the arrivals of a scenario must end, such as"
                        + " perSecond(200).during(ofSeconds(20)), but were Poisson 100/s");
        Arrivals second = Arrivals.perSecond(100).during(SECOND);
        assertThat(new BeatInjection(second, 7).count()).isEqualTo(times(second).size());
    }

    @Test
    void Gatling_sends_at_exactly_those_times(@TempDir Path results) throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            GatlingRun run = GatlingRun.of(BeatSimulations.OnTheBeat.class, results, Map.of("test.url", server.uri()));
            List<Long> meant = times(BeatSimulations.OnTheBeat.arrivals());
            assertThat(run.addsUp()).isTrue();
            assertThat(run.ledger("answered")).isEqualTo(meant.size());
            List<Long> seen = new ArrayList<>();
            for (JsonNode exemplar : run.json().at("/exemplars")) {
                seen.add(exemplar.at("/intended_ns").longValue());
            }
            assertThat(seen).isNotEmpty().isSubsetOf(meant);
            assertThat(run.json().at("/plan/workload").textValue()).isEqualTo("open");
        }
    }

    @Test
    void they_are_refused_in_uncorrected_simulations(@TempDir Path results) {
        assertThatThrownBy(() -> GatlingRun.of(BeatSimulations.BeatWithoutDownbeat.class, results, Map.of()))
                .hasMessageContaining("extends DownbeatSimulation");
    }
}
