package dev.downbeat.truths;

import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A made-up case and what is true of it.
 *
 * @param parameters what was drawn, for a reader
 * @param runs one, or those of the base and as many that are compared with them
 * @param asked the objectives; empty if nobody asked
 * @param tolerance of a comparison, if a decision was asked for
 * @param truth what is true
 */
record Scenario(
        String parameters,
        List<RunResult> runs,
        List<ServiceLevelObjective> asked,
        OptionalDouble tolerance,
        Truth truth) {
    Scenario {
        runs = List.copyOf(runs);
        asked = List.copyOf(asked);
    }

    /** A run, with the objectives as a command line takes them. */
    static Scenario run(Draw draw, RunResult run, Truth truth, String... asked) {
        return new Scenario(
                draw.text(),
                List.of(run),
                Arrays.stream(asked).map(ServiceLevelObjective::parse).toList(),
                OptionalDouble.empty(),
                truth);
    }

    /** Two runs, compared with a tolerance of 5 %. */
    static Scenario pair(Draw draw, RunResult base, RunResult other, Truth truth) {
        return new Scenario(draw.text(), List.of(base, other), List.of(), OptionalDouble.of(0.05), truth);
    }

    /** Several runs a side, those of the base first, compared with a tolerance of 5 %. */
    static Scenario sides(Draw draw, List<RunResult> base, List<RunResult> other, Truth truth) {
        List<RunResult> all = new ArrayList<>(base);
        all.addAll(other);
        return new Scenario(draw.text(), all, List.of(), OptionalDouble.of(0.05), truth);
    }

    boolean isPair() {
        return runs.size() > 1;
    }
}
