package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.compare.Detection;
import dev.downbeat.compare.Detection.Plan;
import dev.downbeat.compare.Detection.Row;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DetectionTextTest {
    @Test
    void each_percentile_has_a_plan_or_a_reason_for_its_absence() {
        Detection detection = new Detection(
                0.05,
                30,
                List.of(
                        new Row(50, 20, Optional.of(new Plan(12, 20))),
                        new Row(75, 20, Optional.of(new Plan(1, 20))),
                        new Row(90, 20, Optional.empty()),
                        new Row(99, 90, Optional.empty())));
        assertThat(PlanCommand.DetectionText.of(detection, "pilot.downbeat").lines())
                .containsExactly(
                        "To show +5 % in four of five comparisons, with runs like pilot.downbeat (30 s):",
                        "  p50  12 runs of 20 s a side (8m in all)",
                        "  p75  1 run of 20 s a side (40 s in all)",
                        "  p90  more than 50 runs of 10 min a side",
                        "  p99  cannot be planned: the pilot has no interval there, one of 90 s should have",
                        "This takes runs of one service to differ by 3 %, and what moves within the pilot to be all"
                                + " that moves.");
    }
}
