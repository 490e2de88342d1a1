package dev.downbeat.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestCsvTest {
    private static Recording recording(int answered, int failed, int timedOut) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(answered + failed + timedOut);
        Exchange exchange = new Exchange(0);
        for (int i = 0; i < answered + failed; i++) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = i < answered ? 1_000 : 2_000;
            exchange.outcome = i < answered ? Outcome.answered() : Outcome.failed("HTTP 503");
            recorder.completed(exchange);
        }
        for (int i = 0; i < timedOut; i++) {
            exchange.begin(0, 0, 0);
            exchange.outcome = Outcome.timedOut();
            recorder.timedOut(exchange, 3_000);
        }
        return recorder.drain();
    }

    @Test
    void each_request_and_group_is_a_row_below_the_names_of_the_columns() throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Closed(1, ThinkTime.none()))
                .duration(Duration.ofMillis(10))
                .build();
        RunResult run = new Simulation(
                        plan, SimulatedService.of(new ServiceLaw.Constant(1_000_000)), RetryPolicy.none(), 1)
                .run(Progress.none())
                .result();
        Map<String, Recording> byName = new LinkedHashMap<>();
        byName.put("pay, \"fast\"", recording(500, 1, 0));
        byName.put(Recording.GROUP + "checkout", recording(2, 0, 0));
        byName.put("frozen", recording(500, 0, 100));
        StringBuilder out = new StringBuilder();
        RequestCsv.write(
                byName, Optional.of(recording(1, 0, 0)), RunVerdict.of(run, ServiceLevelObjective.defaults()), out);
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0))
                .isEqualTo("request,planned,answered,failed,timed_out,in_flight,never_sent,p50_ns,p95_ns,p99_ns,max_ns,"
                        + "failed_p50_ns,failed_p99_ns,failed_max_ns,kind,service,objectives");
        assertThat(lines.get(1))
                .startsWith("\"pay, \"\"fast\"\"\",501,500,1,0,0,0,1000,1000,1000,1000,,,2000,request,");
        assertThat(lines.get(2)).startsWith("\"checkout\",2,2,0,0,0,0,,,,1000,,,,group,");
        assertThat(lines.get(3))
                .as("a lower bound is no percentile")
                .startsWith("\"frozen\",600,500,0,100,0,0,1000,,,,,,,request,");
        assertThat(lines.get(4)).startsWith("\"(all, by Gatling's pace)\",1,1,0,0,0,0,,,,1000,,,,pace,");
    }
}
