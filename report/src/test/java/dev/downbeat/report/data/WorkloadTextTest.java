package dev.downbeat.report.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RunFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkloadTextTest {
    private static final long S = 1_000_000_000;
    private static final Ramp RAMP = new Ramp(Rate.perSecond(100), Rate.perSecond(200), 8 * S, new Spacing.Even());

    private static String brief(ArrivalProcess arrivals, int seconds) {
        return WorkloadText.brief(new RunFixture()
                .workload(new Workload.Open(arrivals), Duration.ofSeconds(seconds))
                .result());
    }

    /** "for 20 s" would be read as the length of the last step. */
    @Test
    void steps_have_a_length_each_and_one_in_all() {
        Step last = new Step(new Constant(Rate.perSecond(200)), Step.ENDLESS);
        assertThat(brief(new Steps(List.of(new Step(RAMP, 8 * S), last)), 20))
                .isEqualTo("ramp 100/s to 200/s over 8 s, then constant 200/s, 20 s in all");
        assertThat(brief(new Constant(Rate.perSecond(200)), 20)).isEqualTo("constant 200/s for 20 s");
    }

    /** "for 20 s" would contradict "DECIDED after 2.0 s of at most 20 s". */
    @Test
    void a_run_that_was_decided_before_its_end_had_at_most_its_length() {
        assertThat(WorkloadText.brief(run(RunSpan.Ending.COMPLETE))).endsWith(" for 20 s");
        assertThat(WorkloadText.brief(run(RunSpan.Ending.DECIDED))).endsWith(" for at most 20 s");
    }

    private static RunResult run(RunSpan.Ending ending) {
        return new RunFixture().answered(20, 1_000_000).ended(ending, 2 * S).result();
    }

    @Test
    void a_ramp_has_its_length_once() {
        assertThat(brief(RAMP, 8)).isEqualTo("ramp 100/s to 200/s over 8 s");
    }
}
