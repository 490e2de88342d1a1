package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class CourseTruthsTest {
    private static final Draws DRAWS = new Draws(Courses.families());

    @TestFactory
    Stream<DynamicTest> what_changes_in_a_run_is_told_as_a_change() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
