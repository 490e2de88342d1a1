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

/** Runs failing sample tests by JUnit under simulated conditions, and observes real load. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimingTest {
    private static final Conditions.Reading QUIET = new Conditions.Reading(0, 1_000_000, 0.5, 0);
    private static final Conditions.Reading DISTURBED = new Conditions.Reading(0, 12_000_000, 4, 0);
    private static final Conditions.Reading BUSY = new Conditions.Reading(12.3, 34_000_000, 5.6, 0);

    @AfterEach
    void reset_conditions() {
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

    /** Measures before each attempt. {@code fails(2)} fails, except in the second of two attempts. */
    @Timing
    static class Failing extends Sample {
        @MeasuredFirst
        static void measureAll() {
            measure();
        }

        @Test
        void passes() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void fails(int which) {
            assertThat(which == 1 || (Sample.measured == 2 && Sample.readings.length == 2))
                    .isTrue();
        }
    }

    @Timing
    static class BrokenMeasurement extends Sample {
        @MeasuredFirst
        static void measureAll() {
            measure();
            throw new IllegalStateException("no answer");
        }

        @Test
        void passes() {}
    }

    /** A test that does not depend on time, and one that does. */
    @Timing
    static class FailingRegardlessOfTime extends Sample {
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
    static class NestedSetupFails extends Sample {
        @MeasuredFirst
        static void measureAll() {
            measure();
        }

        @Test
        void passes() {}

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
    void a_failure_on_a_quiet_machine_fails_at_once() {
        Events tests = run(Failing.class, QUIET, QUIET, QUIET).testEvents();
        tests.assertStatistics(counts -> counts.succeeded(2).failed(1).aborted(0));
        assertThat(Sample.measured).isEqualTo(1);
    }

    @Test
    void after_a_failure_on_a_busy_machine_only_the_failed_tests_are_repeated() {
        Events tests = run(Failing.class, BUSY, QUIET).testEvents();
        tests.assertStatistics(
                counts -> counts.succeeded(3).aborted(1).failed(0).skipped(2));
        assertThat(Sample.measured).isEqualTo(2);
    }

    @Test
    void a_last_failure_on_a_quiet_machine_fails() {
        Events tests = run(Failing.class, BUSY, BUSY, QUIET).testEvents();
        tests.assertStatistics(counts -> counts.aborted(2).failed(1));
    }

    @Test
    void three_failures_fail_unless_the_machine_was_busy_each_time() {
        Events tests = run(Failing.class, BUSY, DISTURBED, BUSY).testEvents();
        tests.assertStatistics(counts -> counts.aborted(2).failed(1));
        assertThat(Sample.measured).isEqualTo(3);
    }

    @Test
    void three_failures_on_a_busy_machine_are_listed_as_not_shown_and_do_not_fail() {
        List<String> lines = NotShown.during(() -> run(Failing.class, BUSY, BUSY, BUSY)
                .testEvents()
                .assertStatistics(counts -> counts.succeeded(2).aborted(3).failed(0)));
        assertThat(Sample.measured).isEqualTo(3);
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("NOT SHOWN (steal 12 %, a ready thread waited 6 % of the time and up to 34 ms): "
                        + "Failing fails [");
    }

    @Test
    void a_broken_measurement_is_repeated_too() {
        List<String> lines = NotShown.during(() -> run(BrokenMeasurement.class, BUSY, BUSY, BUSY)
                .testEvents()
                .assertStatistics(counts -> counts.aborted(3).failed(0)));
        assertThat(lines).singleElement().asString().endsWith("BrokenMeasurement passes: no answer");
        run(BrokenMeasurement.class, QUIET).testEvents().assertStatistics(counts -> counts.failed(1));
    }

    @ParameterizedTest
    @ValueSource(classes = {FailingRegardlessOfTime.class, NeverMeasured.class})
    void a_test_that_does_not_depend_on_time_is_repeated_and_fails_even_on_a_busy_machine(Class<?> sample) {
        List<String> lines = NotShown.during(() -> run(sample, BUSY, BUSY, BUSY)
                .testEvents()
                .assertStatistics(counts -> counts.aborted(5).failed(1)));
        assertThat(Sample.measured).isEqualTo(3);
        assertThat(lines).hasSize(1);
    }

    @Test
    void a_failure_before_all_tests_of_a_class_is_not_excused_if_one_of_them_is_never_excused() {
        List<String> lines = NotShown.during(() -> run(NestedSetupFails.class, BUSY, BUSY, BUSY)
                .containerEvents()
                .assertStatistics(counts -> counts.aborted(2).failed(1)));
        assertThat(lines).isEmpty();
    }

    @Test
    void a_reading_is_bad_when_others_used_the_cores() {
        assertThat(QUIET.isGood()).isTrue();
        assertThat(new Conditions.Reading(2, 1_000_000, 0.5, 0).isGood()).isFalse();
        assertThat(new Conditions.Reading(0, 10_000_000, 0.5, 0).isGood()).isFalse();
        assertThat(new Conditions.Reading(0, 1_000_000, 3, 0).isGood()).isFalse();
        assertThat(new Conditions.Reading(0, 1_000_000, 0.5, 10).isGood()).isFalse();
        assertThat(new Conditions.Reading(0, 1_000_000, 0.5, 24).isBusy()).isFalse();
        assertThat(new Conditions.Reading(0, 1_000_000, 0.5, 25).isBusy()).isTrue();
        assertThat(DISTURBED.isGood()).isFalse();
        assertThat(DISTURBED.isBusy()).isFalse();
        assertThat(BUSY.isBusy()).isTrue();
    }

    /** They are no children of this build: their parent has exited. */
    @Test
    void other_processes_that_use_all_cores_are_noticed() throws Exception {
        String loop = "sh -c 'while :; do :; done' >/dev/null 2>&1 & echo $!;";
        Process parent = new ProcessBuilder(
                        "sh", "-c", loop.repeat(2 * Runtime.getRuntime().availableProcessors()))
                .start();
        List<ProcessHandle> loops = new String(parent.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .toList();
        try (Conditions conditions = Conditions.watch()) {
            parent.waitFor();
            LockSupport.parkNanos(1_000_000_000);
            assertThat(conditions.reading().crowdedPercent()).isGreaterThan(25);
        } finally {
            loops.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** A class without a prior measurement takes its reading after an instant. */
    @Test
    void an_instant_is_too_short_to_detect_other_processes() {
        for (int i = 0; i < 50; i++) {
            try (Conditions conditions = Conditions.watch()) {
                assertThat(conditions.reading().crowdedPercent()).isZero();
            }
        }
    }

    @Test
    void threads_that_leave_no_core_free_are_detected() {
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
    void only_a_share_is_repeated_unless_all_repetitions_are_requested() {
        if (Replications.areWhole()) {
            assertThat(Replications.of(1_000)).isEqualTo(1_000);
        } else {
            assertThat(Replications.of(1_000)).isLessThan(1_000);
        }
        assertThat(Replications.of(1)).isEqualTo(1);
        assertThat(Replications.of(1, 5)).isEqualTo(5);
    }
}
