package dev.downbeat.verdict;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
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
        assertThat(verdict.measurement()).isEqualTo(RunVerdict.Soundness.UNSOUND);
        List<String> codes = verdict.caveats().stream().map(Caveat::code).toList();
        assertThat(codes).contains("generator_late").doesNotContain("drift", "jump", "warm_up", "never_settled");
    }

    /** Of the 800 answers beyond a second, the half that was sent before the pause may have come too late. */
    @Test
    void only_answers_beyond_the_timeout_from_the_dispatch_may_be_errors() {
        RunResult result = paused().slots(5_000)
                .servers(5_000)
                .service(index -> 500 * MILLI)
                .result();
        assertThat(result.recording().response().countAbove(SECOND)).isGreaterThan(790);
        assertThat(errors(result, 3)).isEqualTo(JudgedObjective.Status.MET);
        assertThat(errors(result, 1)).isEqualTo(JudgedObjective.Status.UNDECIDED);
    }

    @Test
    void a_wait_for_a_slot_after_a_late_dispatch_is_no_error_within_the_timeout() {
        RunResult result = paused().trouble(lane ->
                        lane.standStillOurselves(8 * SECOND, 8_900 * MILLI).freeze(8_850 * MILLI, 9_200 * MILLI))
                .result();
        assertThat(result.recording().response().countAbove(SECOND)).isGreaterThan(100);
        assertThat(errors(result, 0.1)).isEqualTo(JudgedObjective.Status.MET);
    }

    private static VirtualRun paused() {
        return new VirtualRun(RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000))))
                        .duration(Duration.ofSeconds(20))
                        .timeout(Duration.ofSeconds(1))
                        .build())
                .trouble(lane -> lane.standStillOurselves(8 * SECOND, 8_900 * MILLI));
    }

    private static JudgedObjective.Status errors(RunResult result, double percent) {
        return RunVerdict.of(result, List.of(ServiceLevelObjective.parse("errors<" + percent + "%")))
                .objectives()
                .get(0)
                .status();
    }
}
