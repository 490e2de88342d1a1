package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class MixtureTruthsTest {
    private static final Draws DRAWS = new Draws(Mixtures.families());

    @TestFactory
    Stream<DynamicTest> whatever_happens_nothing_that_is_said_contradicts_the_rest() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
