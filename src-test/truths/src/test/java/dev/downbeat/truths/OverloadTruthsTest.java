package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class OverloadTruthsTest {
    private static final Draws DRAWS = new Draws(Overloads.families());

    @TestFactory
    Stream<DynamicTest> overloads_are_reported_first() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
