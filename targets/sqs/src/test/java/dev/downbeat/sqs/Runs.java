package dev.downbeat.sqs;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.sqs.options.SqsOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Runs as short as their question allows: the tests wait for nothing that they do not ask about. */
public final class Runs {
    private static final int COUNT = 100;

    private Runs() {}

    public static RunPlan.Builder plan(int perSecond, Duration duration) {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .duration(duration)
                .timeout(Duration.ofSeconds(20));
    }

    public static RunResult of(String queue, Consumer<SqsOptions.Draft> options, RunPlan.Builder plan)
            throws IOException {
        return new LoadRun(plan.build(), new SqsTarget(queue, SqsOptions.of(options), false)).run(Progress.none());
    }

    /** A hundred requests in a quarter of a second. */
    public static RunResult of(String queue, Consumer<SqsOptions.Draft> options) throws IOException {
        return of(queue, options, plan(COUNT * 4, Duration.ofMillis(250)));
    }
}
