package dev.downbeat.sqs;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.LoadRun;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import java.io.IOException;
import java.time.Duration;

/** Short runs. */
final class Runs {
    private Runs() {}

    static RunPlan.Builder plan(int perSecond, Duration duration) {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .duration(duration)
                .timeout(Duration.ofSeconds(20));
    }

    static RunResult of(String queue, SqsOptions.Builder options, RunPlan.Builder plan) throws IOException {
        return new LoadRun(plan.build(), new SqsTarget(queue, options.build(), false)).run(Progress.none());
    }

    static RunResult of(String queue, SqsOptions.Builder options) throws IOException {
        return of(queue, options, plan(100, Duration.ofSeconds(1)));
    }
}
