package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class FailureTruthsTest {
    private static final Draws DRAWS = new Draws(Failures.families());

    @TestFactory
    Stream<DynamicTest> failures_are_reported_with_their_kind() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
