package dev.downbeat.truths;

import dev.downbeat.testing.Replications;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;

/**
 * Families as tests: a test for each draw of a family that is certain, one for all draws together where noise may decide. A
 * family that is known to be answered wrongly is drawn and counted all the same; its wrong answers abort their test, with
 * the reason.
 */
final class Draws {
    /** Of each family in a nightly build; in any other a fortieth, at least one. */
    private static final int NIGHTLY = 20;

    /** One draw of a family in which noise decides may be wrong, so that one alone could not fail. */
    private static final int LEAST_NOISY = 2;

    /** Of a family in which noise decides, so many may be wrong. */
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
                        () -> fail(family, wrong(family, seed).stream().toList())));
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
            fail(family, wrong);
        }
    }

    private Optional<String> wrong(Family family, long seed) {
        Scenario scenario = family.draw(seed);
        Judged judged = Judged.of(scenario);
        table.add(family, seed, scenario, judged);
        return judged.isRight() ? Optional.empty() : Optional.of(scenario.parameters() + ": " + judged.text());
    }

    private static void fail(Family family, List<String> wrong) {
        if (wrong.isEmpty()) {
            return;
        }
        String text = String.join("\n", wrong);
        Assertions.fail(text);
    }

    TruthTable table() {
        return table;
    }
}
