package dev.downbeat.run.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.AnswersAtOnce;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.Generator.StopFlag;
import dev.downbeat.run.engine.Intervals.IntervalHandover;
import dev.downbeat.selfcheck.DelayTotals;
import dev.downbeat.time.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A collector that is slow to return a recorder makes an interval longer, and no more starved than it was. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LongIntervalTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long RETURNED_NANOS = 2_500 * MILLI;

    /** In virtual time, answers within the send; the collector returns the first recorder after 2.5 s. */
    private static final class SlowlyRead extends AnswersAtOnce {
        final ManualClock clock = new ManualClock(0);
        final LinkedBlockingQueue<IntervalHandover.Closed> closed = new LinkedBlockingQueue<>();
        final List<IntervalHandover.Closed> all = new ArrayList<>();

        @Override
        protected void polled(long untilAt) {
            clock.moveTo(Math.max(clock.nanoTime(), untilAt));
            while (!closed.isEmpty() && clock.nanoTime() >= RETURNED_NANOS) {
                closed.peek().read();
                all.add(closed.remove());
            }
        }
    }

    /** Delayed for 6 % of the time. */
    private static DelayTotals delayed(ManualClock clock) {
        return new DelayTotals() {
            @Override
            public long runDelayNanos() {
                return clock.nanoTime() * 6 / 100;
            }

            @Override
            public long hiccupNanos() {
                return 0;
            }

            @Override
            public long gcNanos() {
                return 0;
            }
        };
    }

    @Test
    void each_of_its_parts_is_judged_by_its_own_length() throws IOException {
        SlowlyRead target = new SlowlyRead();
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000))))
                .duration(Duration.ofSeconds(5))
                .build();
        IntervalHandover handover = new IntervalHandover(0, List.of(), target.closed, false);
        new Generator(plan, 0, 0, target, target.clock, handover, new StopFlag()).run(0, delayed(target.clock));

        assertThat(target.all).extracting(part -> part.endNanos() / SECOND).containsExactly(1L, 3L, 4L);
        assertThat(target.all)
                .extracting(part -> part.strain().starvedNanos() / SECOND)
                .containsExactly(1L, 2L, 1L);
        assertThat(target.closed).as("the last").hasSize(1);
    }
}
