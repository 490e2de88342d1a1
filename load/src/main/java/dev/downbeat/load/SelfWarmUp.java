package dev.downbeat.load;

import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.time.Duration;

/** Warms up Downbeat's own code, against code that does nothing, before a measurement. */
final class SelfWarmUp {
    private static boolean done;

    private SelfWarmUp() {}

    /** Runs once per JVM. */
    static synchronized void once() throws IOException {
        if (done) {
            return;
        }
        Target nothing = CodeTarget.blocking("nothing", 4, beat -> {}, new ExceptionCounts());
        RunPlan plan = RunPlan.builder(new Workload.Closed(4, ThinkTime.none()))
                .duration(Duration.ofMillis(300))
                .build();
        new LoadRun(plan, nothing).run(Progress.none());
        done = true;
    }
}
