package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.Timing;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * A stalled service costs Downbeat no memory: the backlog is an index, not a queue. {@code -Ddownbeat.freeze.seconds=60} makes
 * the freeze longer than a build has time for.
 */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeapUnderFreezeTest {
    private static final int PER_SECOND = 10_000;
    private static final int FREEZE_SECONDS = Integer.getInteger("downbeat.freeze.seconds", 5);
    private static final int SECONDS = FREEZE_SECONDS + 4;
    private static final int MAX_BYTES = 1_000_000;

    @Test
    void ten_thousand_requests_a_second_wait_in_less_than_a_megabyte() throws Exception {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(PER_SECOND))))
                .duration(Duration.ofSeconds(SECONDS))
                .timeout(Duration.ofSeconds(3L * SECONDS))
                .build();
        try (LoopbackProcess server = LoopbackProcess.start()) {
            Target target =
                    new HttpTarget(HttpRequest.get(server.uri()), HttpOptions.of(draft -> draft.connections = 100));
            LoadRun load = new LoadRun(plan, target);
            FutureTask<RunResult> run = new FutureTask<>(() -> load.run(Progress.none()));
            Thread thread = new Thread(run, "load-run");
            thread.setDaemon(true);
            thread.start();
            long firstAt = FrozenRun.startAt(load);

            FrozenRun.waitUntil(firstAt + TimeUnit.SECONDS.toNanos(2));
            server.freeze();
            long before = heapBytes();
            FrozenRun.waitUntil(firstAt + TimeUnit.SECONDS.toNanos(2 + FREEZE_SECONDS));
            long after = heapBytes();
            server.resume();

            RunResult result = run.get(5L * SECONDS, TimeUnit.SECONDS);
            long planned = (long) PER_SECOND * SECONDS;
            assertThat(result.ledger()).isEqualTo(new Ledger(planned, planned, 0, 0, 0, 0, 0));
            assertThat(result.lanes().peakBacklog()).isGreaterThan(PER_SECOND * (FREEZE_SECONDS - 1L));
            assertThat(after - before).isLessThan(MAX_BYTES);
        }
    }

    /** The used heap after a full collection. */
    private static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
