package dev.downbeat.compare;

import static dev.downbeat.compare.ComparedRuns.RATE;
import static dev.downbeat.compare.ComparedRuns.run;
import static dev.downbeat.compare.ComparedRuns.stalling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Recording;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What two systems are found to differ in, request by request. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ComparedNamesTest {
    @Test
    void a_request_that_is_slower_is_found_by_its_name_though_the_whole_is_faster() {
        Comparison comparison = Comparison.of(
                named("a", run("list", 1.3, 0, 1), run("pay", 1, 0, 2)),
                named("b", run("list", 1, 0, 3), run("pay", 1.3, 0, 4)));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.FASTER);
        ComparedNames all = ComparedNames.of(comparison);
        assertThat(all.worse(0).keySet()).containsExactly("pay");
        assertThat(all.worse(2)).isEmpty();
        assertThat(ComparedNames.of(comparison, Set.of("list", "gone")).worse(0))
                .isEmpty();
        assertThat(ComparedNames.of(comparison, Set.of("pay")).worse(0.05).keySet())
                .containsExactly("pay");
    }

    @Test
    void a_name_missing_on_one_side_is_reported() {
        ComparedNames names = ComparedNames.of(Comparison.of(
                named("a", run("list", 1, 0, 1), run("pay", 1, 0, 2)),
                named("b", run("list", 1, 0, 3), run("checkout", 1, 0, 4))));
        assertThat(names.byName()).containsOnlyKeys("list");
        assertThat(names.onlyBase()).containsExactly("pay");
        assertThat(names.onlyOther()).containsExactly("checkout");
    }

    @Test
    @Tag("slow")
    void of_many_names_of_identical_systems_hardly_ever_one_is_worse() {
        int pairs = Replications.areWhole() ? 400 : 3; // of ten names each: seconds
        int apart = 0;
        for (int pair = 0; pair < pairs; pair++) {
            apart += ComparedNames.of(Comparison.of(tenNames("a", 2L * pair), tenNames("b", 2L * pair + 1)))
                            .worse(0)
                            .isEmpty()
                    ? 0
                    : 1;
        }
        assertThat((double) apart).isLessThanOrEqualTo(pairs * 0.01 + 3 * Math.sqrt(pairs * 0.01));
    }

    /** Without incidents a name has the answers of its own; a stall that all meet is one event, not one for each name. */
    @Test
    void a_stall_makes_no_name_worse() {
        ComparedSide calm = new ComparedSide("a", List.of(twice(stalling("a", 1))));
        ComparedSide stalled = new ComparedSide("b", List.of(twice(stalling("b", 2, 20))));
        Comparison comparison = Comparison.of(calm, stalled);
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.STALLS_MORE);
        assertThat(comparison.ignoringStalls().isRegression(0)).isFalse();
        assertThat(ComparedNames.of(comparison).worse(0)).isEmpty();
    }

    /** All requests of a run under two names. */
    private static ComparedRun twice(ComparedRun run) {
        return new ComparedRun(
                run.name(),
                twice(run.stretches()),
                run.workload(),
                run.ratePerSecond(),
                List.of(),
                run.calm()
                        .map(calm -> new ComparedRun.Calm(
                                calm.incidents(), calm.overload(), twice(calm.stretches()), twice(calm.named()))));
    }

    private static List<Recording> twice(List<Recording> stretches) {
        return stretches.stream()
                .map(each -> each.withNames(Map.of("list", each, "pay", each)))
                .toList();
    }

    private static ComparedSide tenNames(String name, long seed) {
        Map<String, ComparedRun> runs = new TreeMap<>();
        for (int i = 0; i < 10; i++) {
            runs.put("request " + i, run("request " + i, 1, 0.01, 10 * seed + i));
        }
        List<Recording> stretches = IntStream.range(0, 30)
                .mapToObj(second -> {
                    Map<String, Recording> names = new TreeMap<>();
                    runs.forEach((each, run) -> names.put(each, run.stretches().get(second)));
                    return names.values().stream()
                            .reduce(Recording.empty(), Recording::plus)
                            .withNames(names);
                })
                .toList();
        return new ComparedSide(
                name, List.of(new ComparedRun(name, stretches, "open", OptionalDouble.of(RATE), List.of())));
    }

    /** A side with requests of two names; what is said of the whole is of the first alone. */
    private static ComparedSide named(String name, ComparedRun most, ComparedRun few) {
        List<Recording> stretches = IntStream.range(0, most.stretches().size())
                .mapToObj(second -> most.stretches()
                        .get(second)
                        .withNames(Map.of(
                                most.name(), most.stretches().get(second),
                                few.name(), few.stretches().get(second))))
                .toList();
        return new ComparedSide(
                name, List.of(new ComparedRun(name, stretches, most.workload(), most.ratePerSecond(), List.of())));
    }
}
