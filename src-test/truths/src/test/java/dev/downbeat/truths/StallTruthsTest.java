package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class StallTruthsTest {
    private static final Draws DRAWS = new Draws(Stalls.families());

    @TestFactory
    Stream<DynamicTest> stalls_are_reported_as_stalls() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
