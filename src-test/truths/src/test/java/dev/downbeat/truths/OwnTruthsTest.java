package dev.downbeat.truths;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class OwnTruthsTest {
    private static final Draws DRAWS = new Draws(OwnFaults.families());

    @TestFactory
    Stream<DynamicTest> own_delays_are_not_blamed_on_the_service() {
        return DRAWS.tests();
    }

    @AfterAll
    static void table() {
        DRAWS.table().print();
    }
}
