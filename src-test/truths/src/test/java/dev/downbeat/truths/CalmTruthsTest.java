package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class CalmTruthsTest {
    private static final Draws DRAWS = new Draws(Calms.families());

    @TestFactory
    Stream<DynamicTest> where_nothing_happened_nothing_is_said_to_have() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
