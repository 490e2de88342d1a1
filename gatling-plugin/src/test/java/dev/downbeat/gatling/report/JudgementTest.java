package dev.downbeat.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Criteria;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JudgementTest {
    private static final String NAME = "GET /orders?id=1";

    @Test
    void errors_are_limited_unless_the_objectives_limit_them() {
        RunResult run = run();
        assertThat(judged(run)).containsExactly("errors<1%");
        assertThat(judged(run, "p50<50ms")).containsExactly("p50<50ms", "errors<1%");
        assertThat(judged(run, "errors<5%")).containsExactly("errors<5%");
    }

    @Test
    void an_objective_for_a_request_and_for_every_one_is_one_check() {
        RunResult run = run();
        RunResult named = run.with(run.recording().withNames(Map.of("buy", run.recording())));
        assertThat(judged(named, "*: p50<50ms", "buy: p50 < 50 ms", "*: p50<60ms"))
                .containsExactly("buy: p50<50ms", "buy: p50<60ms", "errors<1%");
    }

    private static List<String> judged(RunResult run, String... asked) {
        Criteria criteria = new Criteria(Settings.parseAll(asked), RequiredCertainty.PLAIN, false);
        return Judgement.of(run, criteria).verdict().objectives().stream()
                .map(judged -> judged.slo().text())
                .toList();
    }

    private static RunResult run() {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(200), 1)))
                .duration(Duration.ofSeconds(20))
                .build();
        return new Simulation(plan, SimulatedService.of(new ServiceLaw.Constant(1_000_000)), RetryPolicy.none(), 1)
                .run(Progress.none())
                .result();
    }

    @Test
    void an_objective_finds_a_request_whose_name_hides_a_value() {
        RunResult run = run();
        String shown = Redaction.line(NAME);
        assertThat(shown).isNotEqualTo(NAME);
        RunResult named = run.with(run.recording().withNames(Map.of(shown, run.recording())));
        ServiceLevelObjective asked = new ServiceLevelObjective.Named(NAME, ServiceLevelObjective.parse("p50<50ms"));
        assertThat(Judgement.of(named, new Criteria(List.of(asked), RequiredCertainty.PLAIN, false))
                        .verdict()
                        .objectives())
                .extracting(JudgedObjective::status)
                .containsExactly(JudgedObjective.Status.MET, JudgedObjective.Status.MET);
    }
}
