package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class CalmTruthsTest {
    private static final Draws DRAWS = new Draws(Calms.families());

    @TestFactory
    Stream<DynamicTest> a_run_without_events_reports_none() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
