package dev.downbeat.truths;

import dev.downbeat.testing.Replications;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;

/**
 * Families as tests: one test per draw of a certain family, one test for all draws of a noisy family.
 */
final class Draws {
    /** Draws per family in a nightly build. Other builds make a fortieth of them, at least one. */
    private static final int NIGHTLY = 20;

    /** One draw of a noisy family may always be wrong, so a single one could never fail. */
    private static final int LEAST_NOISY = 2;

    /** The share of draws of a noisy family that may be wrong. */
    private static final double WRONG_BY_NOISE = 0.02;

    private final List<Family> families;
    private final TruthTable table = new TruthTable();

    Draws(List<Family> families) {
        this.families = families;
    }

    Stream<DynamicTest> tests() {
        int draws = Replications.of(NIGHTLY);
        List<DynamicTest> tests = new ArrayList<>();
        for (Family family : families) {
            if (!family.isCertain()) {
                int several = Math.max(LEAST_NOISY, draws);
                tests.add(DynamicTest.dynamicTest(
                        family.name() + ", " + several + " from seed 0x" + Long.toHexString(family.seed(0)),
                        () -> together(family, several)));
                continue;
            }
            for (int i = 0; i < draws; i++) {
                long seed = family.seed(i);
                tests.add(DynamicTest.dynamicTest(
                        family.name() + ", seed 0x" + Long.toHexString(seed),
                        () -> failIfAny(wrong(family, seed).stream().toList())));
            }
        }
        return tests.stream();
    }

    private void together(Family family, int draws) {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < draws; i++) {
            wrong(family, family.seed(i)).ifPresent(wrong::add);
        }
        if (wrong.size() > Math.ceil(WRONG_BY_NOISE * draws)) {
            failIfAny(wrong);
        }
    }

    private Optional<String> wrong(Family family, long seed) {
        Scenario scenario = family.draw(seed);
        Judged judged = Judged.of(scenario);
        table.add(family, seed, scenario, judged);
        return judged.isRight() ? Optional.empty() : Optional.of(scenario.parameters() + ": " + judged.text());
    }

    private static void failIfAny(List<String> wrong) {
        if (!wrong.isEmpty()) {
            Assertions.fail(String.join("\n", wrong));
        }
    }

    TruthTable table() {
        return table;
    }
}
