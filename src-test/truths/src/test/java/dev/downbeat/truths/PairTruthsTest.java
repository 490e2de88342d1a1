package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class PairTruthsTest {
    private static final Draws DRAWS = new Draws(Pairs.families());

    @TestFactory
    Stream<DynamicTest> comparisons_claim_no_more_than_is_true() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
