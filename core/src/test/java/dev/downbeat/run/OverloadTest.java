package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** More than this machine can send, to a target that answers within the send. By the real clock: the thread is busy. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class OverloadTest {
    @Test
    @Timeout(180) // a run that does not hear takes for ever; of a busy machine it has a small part
    void a_rate_beyond_all_reach_still_closes_intervals_and_hears_a_stop() throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(30_000_000))))
                .duration(Duration.ofMinutes(1))
                .interval(Duration.ofMillis(100))
                .build();
        LoadRun run = new LoadRun(plan, new AnswersAtOnce());
        AtomicInteger intervals = new AtomicInteger();
        RunResult result = run.run(interval -> {
            if (intervals.incrementAndGet() == 5) {
                run.stop();
            }
        });

        assertThat(result.ending()).isEqualTo(RunSpan.Ending.INTERRUPTED);
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().neverSent()).isPositive();
    }
}
