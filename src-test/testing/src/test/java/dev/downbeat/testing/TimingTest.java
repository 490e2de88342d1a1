package dev.downbeat.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Tests that fail are run here as JUnit runs them: under good conditions, and beside threads that leave no core free. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimingTest {
    private static final Conditions.Reading QUIET = new Conditions.Reading(0, 1_000_000, 0.5, 0);
    private static final Conditions.Reading RESTLESS = new Conditions.Reading(0, 12_000_000, 4, 0);
    private static final Conditions.Reading BUSY = new Conditions.Reading(12.3, 34_000_000, 5.6, 0);

    @AfterEach
    void pretend_nothing() {
        Conditions.pretended = null;
    }

    private static EngineExecutionResults run(Class<?> sample, Conditions.Reading... readings) {
        Sample.measured = 0;
        Sample.readings = readings;
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .execute();
    }

    static class Sample {
        private static int measured;
        private static Conditions.Reading[] readings = {};

        static void measure() {
            Conditions.pretended = readings[measured++];
        }
    }

    /** Measures anew before each attempt; wrong in all but the last of the readings, and always in those of three. */
    @Timing
    static class Wrong extends Sample {
        @MeasuredFirst
        static void measureAll() {
            measure();
        }

        @Test
        void is_right() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void is_wrong(int which) {
            assertThat(which == 1 || (Sample.measured == 2 && Sample.readings.length == 2))
                    .isTrue();
        }
    }

    @Timing
    static class Broken extends Sample {
        @MeasuredFirst
        static void measureAll() {
            measure();
            throw new IllegalStateException("no answer");
        }

        @Test
        void is_right() {}
    }

    /** Says nothing of time, but its neighbour does. */
    @Timing
    static class WrongWhateverTheTime extends Sample {
        @MeasuredFirst
        static void measureAll() {
            measure();
        }

        @Test
        @NeverExcused
        void prints_a_secret() {
            throw new IllegalStateException("a secret");
        }

        @Test
        void is_late() {
            throw new IllegalStateException("late");
        }
    }

    @Timing
    static class NeverMeasured extends Sample {
        @MeasuredFirst
        static void measureAll() {
            measure();
            throw new IllegalStateException("does not compile");
        }

        @Test
        @NeverExcused
        void compiles() {}

        @Test
        void is_quick() {}
    }

    @Timing
    static class NestedNeverBegun extends Sample {
        @MeasuredFirst
        static void measureAll() {
            measure();
        }

        @Test
        void is_right() {}

        @Nested
        class Inner {
            @BeforeAll
            static void begin() {
                throw new IllegalStateException("no answer");
            }

            @Test
            @NeverExcused
            void counts() {}
        }
    }

    @Test
    void what_is_wrong_on_a_quiet_machine_fails_at_once() {
        Events tests = run(Wrong.class, QUIET, QUIET, QUIET).testEvents();
        tests.assertStatistics(counts -> counts.succeeded(2).failed(1).aborted(0));
        assertThat(Sample.measured).isEqualTo(1);
    }

    @Test
    void what_is_wrong_on_a_busy_machine_is_measured_again_and_the_rest_is_not() {
        Events tests = run(Wrong.class, BUSY, QUIET).testEvents();
        tests.assertStatistics(
                counts -> counts.succeeded(3).aborted(1).failed(0).skipped(2));
        assertThat(Sample.measured).isEqualTo(2);
    }

    @Test
    void what_is_wrong_in_the_end_on_a_quiet_machine_fails() {
        Events tests = run(Wrong.class, BUSY, BUSY, QUIET).testEvents();
        tests.assertStatistics(counts -> counts.aborted(2).failed(1));
    }

    @Test
    void what_is_wrong_three_times_fails_if_the_machine_was_once_not_that_busy() {
        Events tests = run(Wrong.class, BUSY, RESTLESS, BUSY).testEvents();
        tests.assertStatistics(counts -> counts.aborted(2).failed(1));
        assertThat(Sample.measured).isEqualTo(3);
    }

    @Test
    void tests_that_the_machine_never_allowed_are_not_shown_and_do_not_fail() {
        List<String> lines = NotShown.during(() -> run(Wrong.class, BUSY, BUSY, BUSY)
                .testEvents()
                .assertStatistics(counts -> counts.succeeded(2).aborted(3).failed(0)));
        assertThat(Sample.measured).isEqualTo(3);
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("NOT SHOWN (steal 12 %, a ready thread waited 6 % of the time and up to 34 ms): "
                        + "Wrong is wrong [");
    }

    @Test
    void a_measurement_that_breaks_is_made_again_too() {
        List<String> lines = NotShown.during(() -> run(Broken.class, BUSY, BUSY, BUSY)
                .testEvents()
                .assertStatistics(counts -> counts.aborted(3).failed(0)));
        assertThat(lines).singleElement().asString().endsWith("Broken is right: no answer");
        run(Broken.class, QUIET).testEvents().assertStatistics(counts -> counts.failed(1));
    }

    @ParameterizedTest
    @ValueSource(classes = {WrongWhateverTheTime.class, NeverMeasured.class})
    void a_test_that_says_nothing_of_time_is_repeated_and_fails_though_the_machine_was_always_busy(Class<?> sample) {
        List<String> lines = NotShown.during(() -> run(sample, BUSY, BUSY, BUSY)
                .testEvents()
                .assertStatistics(counts -> counts.aborted(5).failed(1)));
        assertThat(Sample.measured).isEqualTo(3);
        assertThat(lines).hasSize(1);
    }

    @Test
    void what_fails_before_all_tests_of_a_class_is_not_excused_if_one_of_them_is_not() {
        List<String> lines = NotShown.during(() -> run(NestedNeverBegun.class, BUSY, BUSY, BUSY)
                .containerEvents()
                .assertStatistics(counts -> counts.aborted(2).failed(1)));
        assertThat(lines).isEmpty();
    }

    @Test
    void a_reading_is_bad_when_others_had_the_cores() {
        assertThat(QUIET.isGood()).isTrue();
        assertThat(new Conditions.Reading(2, 1_000_000, 0.5, 0).isGood()).isFalse();
        assertThat(new Conditions.Reading(0, 10_000_000, 0.5, 0).isGood()).isFalse();
        assertThat(new Conditions.Reading(0, 1_000_000, 3, 0).isGood()).isFalse();
        assertThat(new Conditions.Reading(0, 1_000_000, 0.5, 10).isGood()).isFalse();
        assertThat(new Conditions.Reading(0, 1_000_000, 0.5, 24).isBusy()).isFalse();
        assertThat(new Conditions.Reading(0, 1_000_000, 0.5, 25).isBusy()).isTrue();
        assertThat(RESTLESS.isGood()).isFalse();
        assertThat(RESTLESS.isBusy()).isFalse();
        assertThat(BUSY.isBusy()).isTrue();
    }

    /** Nobody's children: who has started them is over. */
    @Test
    void other_processes_that_use_all_cores_are_noticed() throws Exception {
        String loop = "sh -c 'while :; do :; done' >/dev/null 2>&1 & echo $!;";
        Process gone = new ProcessBuilder(
                        "sh", "-c", loop.repeat(2 * Runtime.getRuntime().availableProcessors()))
                .start();
        List<ProcessHandle> loops = new String(gone.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .toList();
        try (Conditions conditions = Conditions.watch()) {
            gone.waitFor();
            LockSupport.parkNanos(1_000_000_000);
            assertThat(conditions.reading().crowdedPercent()).isGreaterThan(25);
        } finally {
            loops.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Where a class measures nothing before its tests, what comes between is no time in which anybody took anything. */
    @Test
    void a_moment_is_too_short_to_tell_who_took_the_cores() {
        for (int i = 0; i < 50; i++) {
            try (Conditions conditions = Conditions.watch()) {
                assertThat(conditions.reading().crowdedPercent()).isZero();
            }
        }
    }

    @Test
    void threads_that_leave_no_core_free_are_seen() {
        int busy = 8 * Runtime.getRuntime().availableProcessors();
        AtomicBoolean isOver = new AtomicBoolean();
        for (int i = 0; i < busy; i++) {
            Thread spin = new Thread(() -> {
                while (!isOver.get()) {
                    Thread.onSpinWait();
                }
            });
            spin.setDaemon(true);
            spin.start();
        }
        try (Conditions conditions = Conditions.watch()) {
            LockSupport.parkNanos(1_000_000_000);
            assertThat(conditions.reading().isGood())
                    .as("%s", conditions.reading())
                    .isFalse();
        } finally {
            isOver.set(true);
        }
    }

    @Test
    void a_tenth_is_repeated_unless_all_is_asked_for() {
        if (Replications.areWhole()) {
            assertThat(Replications.of(1_000)).isEqualTo(1_000);
        } else {
            assertThat(Replications.of(1_000)).isLessThan(1_000);
        }
        assertThat(Replications.of(1)).isEqualTo(1);
        assertThat(Replications.of(1, 5)).isEqualTo(5);
    }
}
