package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class MixtureTruthsTest {
    private static final Draws DRAWS = new Draws(Mixtures.families());

    @TestFactory
    Stream<DynamicTest> no_answer_contradicts_itself() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
