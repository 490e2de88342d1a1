package dev.downbeat.run.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.run.Progress;
import dev.downbeat.run.engine.Intervals.IntervalHandover;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntervalsTest {
    private static final long SECOND = 1_000_000_000;

    /** Each second one more connection was opened, and as many are open as seconds have passed. */
    private static Intervals ofSeconds(int seconds) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        BlockingQueue<IntervalHandover.Closed> closed = new LinkedBlockingQueue<>();
        for (int i = 1; i <= seconds; i++) {
            ConnectionCounts counts = new ConnectionCounts(i, 0, 0, 0, 0, 0, i, 0);
            closed.add(new IntervalHandover.Closed(
                    0, i * SECOND, i == seconds, counts, ProcessDelays.NONE, recorder, new AtomicReference<>()));
        }
        Intervals intervals = new Intervals(1, SECOND, Progress.none());
        intervals.collect(closed, true, () -> {});
        return intervals;
    }

    @Test
    void a_run_of_hours_keeps_a_bounded_number_of_intervals_and_loses_nothing() {
        int seconds = 10 * IntervalTimeline.MOST + 7;
        List<Interval> all = ofSeconds(seconds).all();

        assertThat(all.size()).isBetween(IntervalTimeline.MOST / 2, IntervalTimeline.MOST);
        long sinceNanos = 0;
        long opened = 0;
        for (Interval interval : all) {
            assertThat(interval.startNanos()).isEqualTo(sinceNanos);
            sinceNanos = interval.endNanos();
            opened += interval.connections().opened();
            assertThat(opened).isEqualTo(sinceNanos / SECOND);
            assertThat(interval.connections().openAtEnd()).isEqualTo(opened);
        }
        assertThat(sinceNanos).isEqualTo(seconds * SECOND);
        assertThat(all.get(0).lengthNanos()).isGreaterThan(4 * SECOND);
        assertThat(all.get(all.size() - 1).lengthNanos()).isLessThan(3 * SECOND);
    }

    @Test
    void a_short_run_keeps_every_second() {
        assertThat(ofSeconds(IntervalTimeline.MOST).all())
                .hasSize(IntervalTimeline.MOST)
                .allSatisfy(interval -> assertThat(interval.lengthNanos()).isEqualTo(SECOND));
    }
}
