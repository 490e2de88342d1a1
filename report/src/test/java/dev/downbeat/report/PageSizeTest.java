package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interval;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.RunFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** However long a run was, its page can be sent to somebody and is written at once. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PageSizeTest {
    private static final RunReport MINUTE = SimulatedRun.minute("p90<5ms", "p99<20ms", "p99.9<50ms", "errors<1%");
    private static final RunReport DAY = Samples.report(day(), "p99<20ms");

    @Test
    void a_run_of_a_minute_makes_at_most_130_KB() {
        assertThat(Samples.text(RunView.on(Renderer.HTML), MINUTE).length()).isBetween(30_000, 130_000);
    }

    @Test
    void a_run_of_a_day_makes_at_most_400_KB() {
        assertThat(DAY.result().intervals()).hasSizeGreaterThan(1_100);
        assertThat(Samples.text(RunView.on(Renderer.HTML), DAY).length()).isBetween(30_000, 400_000);
    }

    /** A minute, 1,200 times, with its interval stretched to 72 s, as a run of a day is joined. */
    private static RunResult day() {
        RunResult short60 = new SimulatedRun(400, 60, 50_000_000, 31 * RunFixture.S).result();
        List<Interval> stretched = new ArrayList<>();
        for (Interval interval : short60.intervals()) {
            long start = stretched.isEmpty()
                    ? 0
                    : stretched.get(stretched.size() - 1).endNanos();
            stretched.add(new Interval(start, start + 72 * RunFixture.S, interval.recording(), interval.connections()));
        }
        return new RunFixtureCopy(short60).with(stretched);
    }

    /** The same run with other intervals. */
    private record RunFixtureCopy(RunResult run) {
        RunResult with(List<Interval> intervals) {
            long endNanos = intervals.get(intervals.size() - 1).endNanos();
            RunSpan span = new RunSpan(run.started(), run.span().startAt(), endNanos, run.ending(), run.failure());
            return new RunResult(run.plan(), run.target(), span, run.recording(), intervals, run.lanes(), run.health());
        }
    }
}
