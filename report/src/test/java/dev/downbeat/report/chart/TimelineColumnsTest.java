package dev.downbeat.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.RunFixture;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimelineColumnsTest {
    private static final long S = RunFixture.S;

    @Test
    void a_long_run_is_joined_without_losing_a_request() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 1_000; i++) {
            run.answered(3, 1_000_000).failed(1, "x", 1_000).until((i + 1) * S);
        }
        RunResult result = run.ended(RunSpan.Ending.COMPLETE, 1_000 * S).result();
        TimelineColumns timeline = new TimelineColumns(result.intervals());
        assertThat(timeline.columns()).hasSizeBetween(120, 240);
        Ledger sum = timeline.columns().stream()
                .map(column -> column.recording().ledger())
                .reduce(Ledger.EMPTY, Ledger::plus);
        assertThat(sum).isEqualTo(result.ledger());
        assertThat(timeline.lengthNanos()).isEqualTo(1_000 * S);
    }

    @Test
    void the_last_answers_after_the_last_second_are_no_column_of_their_own() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 10; i++) {
            run.answered(1, 1_000_000).until((i + 1) * S);
        }
        run.answered(1, 1_000_000).until(10 * S + 4_000_000);
        List<TimelineColumns.Column> columns = new TimelineColumns(
                        run.ended(RunSpan.Ending.COMPLETE, 10 * S).result().intervals())
                .columns();
        assertThat(columns).hasSize(10);
        assertThat(columns.get(9).recording().ledger().answered()).isEqualTo(2);
    }

    @Test
    void planned_requests_that_have_not_ended_are_outstanding() {
        Recording waiting = new RunFixture().inFlight(5, 1).result().recording();
        Recording done = new RunFixture().answered(2, 1).result().recording();
        List<Interval> intervals = List.of(new Interval(0, S, waiting), new Interval(S, 2 * S, done));
        assertThat(new TimelineColumns(intervals).columns())
                .extracting(TimelineColumns.Column::outstanding)
                .containsExactly(5L, 5L);
    }

    @Test
    void a_run_without_intervals_has_no_course() {
        assertThat(new TimelineColumns(List.of()).isShown()).isFalse();
    }
}
