package dev.downbeat.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.AnswersAtOnce;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.verdict.caveat.Caveat.ShardCaveat;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("slow")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class PlannedStartTest {
    private static RunPlan at(Instant start) {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(100))))
                .maxRequests(1)
                .start(start)
                .build();
    }

    @Test
    void a_shard_that_wakes_in_time_starts_at_the_planned_instant_and_not_before() throws IOException {
        Instant start = Instant.now().plusMillis(100);
        RunResult result = new LoadRun(at(start), new AnswersAtOnce()).run(Progress.none());
        assertThat(Instant.now()).isAfter(start);
        // a machine that pauses just now makes it late: then it must say so, and in no other case
        boolean isLate = !result.started().equals(start);
        assertThat(result.started().isAfter(start)).isEqualTo(isLate);
        assertThat(RunVerdict.of(result, List.of()).caveats().stream()
                        .anyMatch(ShardCaveat.StartedLate.class::isInstance))
                .isEqualTo(isLate);
    }

    @Test
    void a_shard_that_wakes_after_the_planned_start_begins_at_once_and_is_unsound() throws IOException {
        Instant start = Instant.now().minusSeconds(5);
        RunResult result = new LoadRun(at(start), new AnswersAtOnce()).run(Progress.none());
        assertThat(result.started()).isAfterOrEqualTo(start.plusSeconds(5));
        RunVerdict verdict = RunVerdict.of(result, List.of());
        assertThat(verdict.measurement()).isEqualTo(RunVerdict.Soundness.UNSOUND);
        assertThat(verdict.caveats())
                .anySatisfy(caveat -> assertThat(caveat.text())
                        .matches("this shard missed the planned start and started" + " [5-9]\\..*"));
    }

    @Test
    void a_stop_ends_the_wait() {
        LoadRun run = new LoadRun(at(Instant.now().plus(Duration.ofHours(1))), new AnswersAtOnce());
        run.stop();
        assertThatThrownBy(() -> run.run(Progress.none()))
                .isInstanceOf(IOException.class)
                .hasMessage("stopped before its start");
    }
}
