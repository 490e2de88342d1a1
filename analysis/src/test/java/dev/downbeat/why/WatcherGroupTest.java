package dev.downbeat.why;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatcherGroupTest {
    private final List<String> calls = new ArrayList<>();

    /** Breaks in the step that is named. */
    private class Scripted implements Watcher {
        private final String name;
        private final String breaksAt;

        Scripted(String name, String breaksAt) {
            this.name = name;
            this.breaksAt = breaksAt;
        }

        private void step(String step) {
            calls.add(name + " " + step);
            if (step.equals(breaksAt)) {
                throw new IllegalStateException("port 9010 is closed\nand more");
            }
        }

        @Override
        public String source() {
            return name;
        }

        @Override
        public void begin() {
            step("begins");
        }

        @Override
        public WatchResult end(long startAt, long durationNanos) {
            step("ends");
            return new WatchResult(name, List.of(), 0, durationNanos, startAt, List.of());
        }

        @Override
        public void close() {
            step("closes");
        }
    }

    @Test
    void each_begins_ends_and_closes_whatever_becomes_of_the_others() {
        List<Watcher> watchers = List.of(
                new Scripted("a", "begins"),
                new Scripted("b", "ends"),
                new Scripted("c", "closes"),
                new Scripted("d", "never"));
        List<WatchResult> seen;
        try (WatcherGroup watching = WatcherGroup.begin(watchers)) {
            seen = watching.end(7, 100);
        }
        String why = "nothing was watched: port 9010 is closed";
        assertThat(seen)
                .containsExactly(
                        WatchResult.nothing("a", why),
                        WatchResult.nothing("b", why),
                        new WatchResult("c", List.of(), 0, 100, 7, List.of()),
                        new WatchResult("d", List.of(), 0, 100, 7, List.of()));
        assertThat(calls)
                .containsExactly(
                        "a begins",
                        "b begins",
                        "c begins",
                        "d begins",
                        "b ends",
                        "c ends",
                        "d ends",
                        "a closes",
                        "b closes",
                        "c closes",
                        "d closes");
    }

    /** A service that hangs must not keep what the others saw, nor the report. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(60)
    void an_end_that_is_limited_gives_up_a_watcher_that_hangs_and_interrupts_nothing_afterwards(boolean interrupted) {
        CountDownLatch never = new CountDownLatch(1);
        Watcher hangs = new Scripted("a", "never") {
            @Override
            public WatchResult end(long startAt, long durationNanos) {
                try {
                    never.await();
                } catch (InterruptedException expired) {
                    Thread.currentThread().interrupt();
                }
                throw new IllegalStateException("interrupted");
            }
        };
        List<WatchResult> seen;
        try (WatcherGroup watching =
                WatcherGroup.begin(List.of(hangs, new Scripted("b", "never")), Duration.ofMillis(1))) {
            if (interrupted) {
                Thread.currentThread().interrupt();
            } else {
                watching.endSoon();
            }
            seen = watching.end(7, 100);
        }
        assertThat(Thread.interrupted()).isEqualTo(interrupted);
        assertThat(seen)
                .containsExactly(
                        WatchResult.nothing("a", "nothing was watched: interrupted"),
                        new WatchResult("b", List.of(), 0, 100, 7, List.of()));
    }
}
