package dev.downbeat.truths;

import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A simulated case with its correct answers.
 *
 * @param parameters the drawn values, for messages
 * @param runs one run; for a comparison, those of the base, then as many new ones
 * @param objectives those requested; may be empty
 * @param tolerance of a comparison, if it requires a decision
 * @param truth the correct answers
 */
record Scenario(
        String parameters,
        List<RunResult> runs,
        List<ServiceLevelObjective> objectives,
        OptionalDouble tolerance,
        Truth truth) {
    Scenario {
        runs = List.copyOf(runs);
        objectives = List.copyOf(objectives);
    }

    /** One run, with objectives in command-line syntax. */
    static Scenario run(Draw draw, RunResult run, Truth truth, String... objectives) {
        return new Scenario(
                draw.text(),
                List.of(run),
                Arrays.stream(objectives).map(ServiceLevelObjective::parse).toList(),
                OptionalDouble.empty(),
                truth);
    }

    /** Two runs, compared with a tolerance of 5 %. */
    static Scenario pair(Draw draw, RunResult base, RunResult other, Truth truth) {
        return new Scenario(draw.text(), List.of(base, other), List.of(), OptionalDouble.of(0.05), truth);
    }

    /** Several runs per side, compared with a tolerance of 5 %. */
    static Scenario sides(Draw draw, List<RunResult> base, List<RunResult> other, Truth truth) {
        List<RunResult> all = new ArrayList<>(base);
        all.addAll(other);
        return new Scenario(draw.text(), all, List.of(), OptionalDouble.of(0.05), truth);
    }

    boolean isPair() {
        return runs.size() > 1;
    }
}
