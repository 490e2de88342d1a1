package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class OwnTruthsTest {
    private static final Draws DRAWS = new Draws(Ours.families());

    @TestFactory
    Stream<DynamicTest> what_is_ours_is_not_said_of_the_service() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
