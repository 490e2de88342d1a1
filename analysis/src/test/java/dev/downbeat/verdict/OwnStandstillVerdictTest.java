package dev.downbeat.verdict;

import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.VirtualRun;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.caveat.Caveat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OwnStandstillVerdictTest {
    @Test
    void a_pause_of_Downbeat_is_not_reported_as_a_change_of_the_service() {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(200), 1)))
                .duration(Duration.ofSeconds(60))
                .build();
        RunResult result = new VirtualRun(plan)
                .trouble(lane -> lane.standStillOurselves(30 * SECOND, 32 * SECOND))
                .result();
        RunVerdict verdict = RunVerdict.of(result, ServiceLevelObjective.defaults());
        assertThat(verdict.measurement()).isEqualTo(RunVerdict.Measurement.UNSOUND);
        List<String> codes = verdict.caveats().stream().map(Caveat::code).toList();
        assertThat(codes).contains("generator_late").doesNotContain("drift", "jump", "warm_up", "never_settled");
    }
}
