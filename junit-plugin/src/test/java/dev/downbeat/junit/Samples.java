package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.Beat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInfo;

/** Load tests that end in each of the possible ways. Not named like tests: only {@link LoadTestExtensionTest} runs them. */
final class Samples {
    private Samples() {}

    static class Keeps {
        static final Set<Long> BEATS = ConcurrentHashMap.newKeySet();
        static final AtomicInteger SET_UP = new AtomicInteger();
        static final AtomicInteger TORN_DOWN = new AtomicInteger();

        @BeforeEach
        void set_up() {
            SET_UP.incrementAndGet();
        }

        @AfterEach
        void tear_down() {
            TORN_DOWN.incrementAndGet();
        }

        /** Slow enough for a busy machine: what we are late by is judged beside it. */
        @LoadTest(perSecond = 100, duration = "500ms", warmUp = "0ms", arrivals = LoadTest.Arrivals.CONSTANT)
        @Slo("errors<0.5%")
        void is_quick(TestInfo info, Beat beat) throws InterruptedException {
            assertThat(info.getDisplayName()).startsWith("is_quick");
            BEATS.add(beat.index());
            Thread.sleep(300);
        }
    }

    @Slo("max<2ms")
    static class Breaks {
        @LoadTest(perSecond = 100, duration = "500ms", warmUp = "0ms", budget = "500ms")
        void is_slow() throws InterruptedException {
            Thread.sleep(30);
        }
    }

    static class Throws {
        @LoadTest(perSecond = 50, duration = "400ms", warmUp = "0ms", budget = "400ms")
        void is_wrong() {
            throw new IllegalStateException("the order was lost");
        }
    }

    static class TooFew {
        @LoadTest(
                perSecond = 20,
                duration = "300ms",
                warmUp = "0ms",
                budget = "300ms",
                undecided = LoadTest.Undecided.IS_ABORTED)
        @Slo("p99.9<1s")
        void is_rare() {}
    }

    static class Malformed {
        @LoadTest(perSecond = 0)
        void never_comes() {}

        @LoadTest(perSecond = 5, duration = "soon")
        void has_no_length() {}

        @LoadTest(perSecond = 5)
        @Slo("p99<50")
        void has_no_unit() {}
    }

    static class Others {
        @LoadTest(perSecond = 50, duration = "300ms", warmUp = "0ms", budget = "300ms")
        void one() {}

        @Nested
        class Inner {
            @LoadTest(perSecond = 50, duration = "300ms", warmUp = "0ms", budget = "300ms")
            void two() {}
        }
    }
}
