package dev.downbeat.compare;

import static dev.downbeat.compare.ComparedRuns.run;
import static dev.downbeat.compare.ComparedRuns.stalling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.compare.Comparison.ComparedIncidents;
import dev.downbeat.event.Incident;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.testing.Simulated;
import dev.downbeat.verdict.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ComparedIncidentsTest {
    @Test
    void one_stall_is_set_apart_and_the_rest_is_compared() {
        ComparedSide base = new ComparedSide("a", List.of(stalling("a", 5, 30)));
        ComparedSide other = new ComparedSide("b", List.of(stalling("b", 6, -1)));
        Comparison comparison = Comparison.of(base, other);
        ComparedIncidents apart = comparison.incidents().orElseThrow();
        assertThat(apart.text())
                .startsWith(
                        "base had one stall of 1.00 s, other none: one stall does not show how often stalls occur. Without it p")
                .contains("the same within");
        assertThat(apart.frequency()).isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.SAME);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(0.2), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
    }

    @Test
    void a_side_with_significantly_more_stalls_is_worse() {
        ComparedSide base = new ComparedSide("a", List.of(stalling("a", 5, -1)));
        ComparedSide other = new ComparedSide("b", List.of(stalling("b", 6, 3, 9, 15, 21, 27, 33, 39, 45, 51)));
        Comparison comparison = Comparison.of(base, other);
        assertThat(comparison.incidents().orElseThrow().text())
                .startsWith("base had none, other 9 stalls (9.00 s in total): other has more");
        assertThat(comparison.isRegression(0.5)).isTrue();
    }

    /** A freeze of one turn moves p99 only, which ten short turns cannot judge. */
    @Test
    void a_stall_in_one_of_ten_turns_is_one_and_the_other_turns_are_compared() {
        Comparison worse = Comparison.ofTurns(List.of(turns("a", 1), turns("b", 20, 4)), List.of())
                .get(0);
        assertThat(worse.incidents().orElseThrow().text())
                .startsWith(
                        "base had none, other one stall of 1.00 s: one stall does not show how often stalls occur. Without it p")
                .contains("the same within");
        assertThat(worse.outcome()).isEqualTo(Comparison.Difference.STALLS_MORE);
        assertThat(Gate.of(worse, Gate.Question.within(0.2)).exitCode()).isEqualTo(ExitCode.MISSED);
        assertThat(worse.ignoringStalls().outcome()).isEqualTo(Comparison.Difference.SAME);
        Comparison better = Comparison.ofTurns(List.of(turns("b", 20, 4), turns("a", 1)), List.of())
                .get(0);
        assertThat(better.outcome())
                .as("one stall of the base makes nobody faster")
                .isEqualTo(Comparison.Difference.SAME);
    }

    @Test
    void too_few_turns_without_stalls_are_not_judged() {
        Comparison rare = Comparison.ofTurns(List.of(turns("a", 1, 0, 1, 2), turns("b", 20, 3, 4, 5)), List.of())
                .get(0);
        assertThat(rare.incidents().orElseThrow().text()).endsWith("Without them, too little data is left to compare");
        assertThat(rare.outcome()).isEqualTo(Comparison.Difference.CANNOT_TELL);
    }

    /** Ten turns; where it stalls, one request in ten waits for up to a second. */
    private static ComparedSide turns(String name, long seed, Integer... stalled) {
        List<ComparedRun> turns = new ArrayList<>();
        for (int turn = 0; turn < 10; turn++) {
            boolean stalls = List.of(stalled).contains(turn);
            Recording whole = stalling(name, seed + turn).stretches().get(0);
            if (stalls) {
                whole = whole.plus(stalling(name, seed, 0).stretches().get(0));
            }
            Incident stall = new Incident(
                    0, 1_000_000_000L, 40, 1, 1_000_000_000L, Incident.Cause.SERVICE_STALL, 0, false, false, "");
            turns.add(ComparedRuns.withIncidents(
                    name, List.of(whole), stalls ? List.of(stall) : List.of(), List.of(whole)));
        }
        return new ComparedSide(name, turns);
    }

    @Test
    void a_large_difference_is_seen_in_the_few_seconds_that_a_stall_leaves() {
        ComparedSide base = new ComparedSide("a", List.of(shortRun("a", 1, 0)));
        ComparedSide other = new ComparedSide("b", List.of(shortRun("b", 10, 4)));
        Comparison comparison = Comparison.of(base, other);
        assertThat(comparison.incidents().orElseThrow().text())
                .startsWith(
                        "base had none, other one stall of 1.00 s: one stall does not show how often stalls occur. Without it p")
                .endsWith(": slower");
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.SLOWER);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MISSED);
    }

    /** The scatter of the base's runs does not replace that of the seconds left. */
    @Test
    void few_seconds_of_one_run_are_all_that_is_left_of_several_and_are_not_judged() {
        ComparedSide base =
                new ComparedSide("a", List.of(shortRun("a1", 1, 0), shortRun("a2", 1.02, 0), shortRun("a3", 1.04, 0)));
        ComparedSide few = new ComparedSide("b", List.of(shortRun("b1", 3, 12), shortRun("b2", 3, 11)));
        ComparedSide enough = new ComparedSide("b", List.of(shortRun("b1", 3, 12), shortRun("b2", 3, 7)));
        assertThat(answersWithoutIncidents(base, few)).doesNotContain(ChangeAnswer.SLOWER);
        assertThat(answersWithoutIncidents(base, enough)).contains(ChangeAnswer.SLOWER);
    }

    private static List<ChangeAnswer> answersWithoutIncidents(ComparedSide base, ComparedSide other) {
        return ComparedIncidents.of(base, other, List.of(50.0, 90.0), 1).orElseThrow().rows().stream()
                .map(ComparedRow::answer)
                .toList();
    }

    /** 12 s, of which an incident takes the first ones away. */
    private static ComparedRun shortRun(String name, double factor, int felt) {
        List<Recording> seconds = run(name, factor, 0, 7).stretches().subList(0, 12);
        Incident stall = new Incident(
                0, 1_000_000_000L, 40, 1, 1_000_000_000L, Incident.Cause.SERVICE_STALL, 0, false, false, "");
        return ComparedRuns.withIncidents(
                name, seconds, felt > 0 ? List.of(stall) : List.of(), seconds.subList(felt, seconds.size()));
    }
}
