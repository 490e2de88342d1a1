package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class CourseTruthsTest {
    private static final Draws DRAWS = new Draws(Courses.families());

    @TestFactory
    Stream<DynamicTest> changes_during_a_run_are_reported_as_changes() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
