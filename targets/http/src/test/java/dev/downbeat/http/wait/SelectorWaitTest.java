package dev.downbeat.http.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class SelectorWaitTest {
    private long nowAt;
    private boolean handled;

    /** Waits for 5 ms, with a byte there that is handled so long after the wait began; whether it can only have come within. */
    private boolean sleeps(Pacing pacing, long handledAfterNanos) throws IOException {
        NanoClock clock = () -> nowAt;
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink();
                Selector selector = Selector.open();
                SelectorWait wait = new SelectorWait(selector, clock, pacing, key -> handled = true, () -> handled)) {
            source.configureBlocking(false);
            source.register(selector, SelectionKey.OP_READ);
            sink.write(ByteBuffer.wrap(new byte[1]));
            wait.until(5_000_000, true);
            return wait.hasSlept(handledAfterNanos);
        }
    }

    /** When it was looked last, of a process that is stopped for 50 ms right after the look that finds nothing. */
    private long lastEmptyPollAt(Pacing pacing, long untilAt) throws IOException {
        NanoClock clock = () -> {
            long readAt = nowAt;
            nowAt = 50_000_000;
            return readAt;
        };
        try (Selector selector = Selector.open();
                SelectorWait wait = new SelectorWait(selector, clock, pacing, key -> handled = true, () -> handled)) {
            wait.until(untilAt, true);
            wait.ended(false, clock.nanoTime());
            return wait.lastEmptyPollAt();
        }
    }

    /** A lane that is late for its next request would otherwise never read a response. */
    @Test
    void what_is_there_is_handled_even_if_the_wait_is_over_before_it_begins() throws Exception {
        for (Pacing pacing : Pacing.values()) {
            handled = false;
            try (Selector selector = Selector.open();
                    SelectorWait wait =
                            new SelectorWait(selector, () -> 0, pacing, key -> handled = true, () -> handled)) {
                Pipe pipe = Pipe.open();
                try (Pipe.SourceChannel source = pipe.source();
                        Pipe.SinkChannel sink = pipe.sink()) {
                    source.configureBlocking(false);
                    source.register(selector, SelectionKey.OP_READ);
                    sink.write(ByteBuffer.wrap(new byte[1]));
                    wait.until(-1, true);
                    assertThat(handled).as(pacing.name()).isTrue();
                }
            }
        }
    }

    @Test
    void what_comes_while_nothing_is_due_is_handled_after_the_sleep() throws Exception {
        try (Selector selector = Selector.open();
                SelectorWait wait =
                        new SelectorWait(selector, () -> 0, Pacing.BLOCK, key -> handled = true, () -> handled)) {
            Pipe pipe = Pipe.open();
            try (Pipe.SourceChannel source = pipe.source();
                    Pipe.SinkChannel sink = pipe.sink()) {
                source.configureBlocking(false);
                source.register(selector, SelectionKey.OP_READ);
                sink.write(ByteBuffer.wrap(new byte[1]));
                wait.until(500_000, false);
                assertThat(handled).isTrue();
            }
        }
    }

    @Test
    void who_is_stopped_right_after_a_look_has_not_looked_since() throws Exception {
        nowAt = 1_000;
        assertThat(lastEmptyPollAt(Pacing.SPIN, 11_000)).isEqualTo(1_000);
        nowAt = 1_000;
        assertThat(lastEmptyPollAt(Pacing.HYBRID, 3_001_000))
                .as("2 ms of 3 are slept")
                .isEqualTo(2_001_000);
    }

    /** The process may have been stopped since its last look: the bytes then lay there, and the selector returned at once. */
    @Test
    void what_is_found_at_once_may_have_come_since_the_last_look() throws Exception {
        assertThat(sleeps(Pacing.HYBRID, 10_000)).isFalse();
        assertThat(sleeps(Pacing.BLOCK, 10_000)).isFalse();
        assertThat(sleeps(Pacing.SPIN, 10_000)).isFalse();
    }

    @Test
    void what_is_found_after_a_while_has_come_while_it_slept() throws Exception {
        assertThat(sleeps(Pacing.HYBRID, 2_000_000)).isTrue();
    }

    /** A service that takes longer than a gap of the schedule would otherwise cost a core. */
    @Test
    void the_rest_of_a_millisecond_is_slept_though_a_response_is_due() throws Exception {
        for (Pacing pacing : List.of(Pacing.BLOCK, Pacing.HYBRID)) {
            Thread lane = Thread.currentThread();
            List<Long> reads = new ArrayList<>();
            long firstAt = System.nanoTime();
            NanoClock clock = () -> {
                long sinceNanos = System.nanoTime() - firstAt;
                if (Thread.currentThread() == lane) {
                    sinceNanos = reads.isEmpty() ? 0 : sinceNanos;
                    reads.add(sinceNanos);
                }
                return sinceNanos;
            };
            try (Selector selector = Selector.open();
                    SelectorWait wait =
                            new SelectorWait(selector, clock, pacing, key -> handled = true, () -> handled)) {
                wait.until(900_000, true);
                clock.nanoTime();
                assertThat(reads.get(1))
                        .as("%s: the next look at the clock", pacing)
                        .isGreaterThan(700_000);
            }
        }
    }

    /** Of 5 ms the selector sleeps 4, and up to 0.1 ms more is its usual lateness. */
    @ParameterizedTest(name = "found something: {0}, after {1} ns")
    @CsvSource({
        "true, 4100000, 4101000",
        "true, 4100001, 1000",
        "false, 3000000, 3001000",
        "false, 6000000, 4001000",
    })
    void a_sleep_looks_until_its_end_unless_it_was_overslept(boolean any, long afterNanos, long lastEmptyPollAt)
            throws IOException {
        nowAt = 1_000;
        try (Selector selector = Selector.open();
                SelectorWait wait =
                        new SelectorWait(selector, () -> nowAt, Pacing.HYBRID, key -> handled = true, () -> handled)) {
            selector.wakeup();
            wait.until(5_001_000, true);
            wait.ended(any, 1_000 + afterNanos);
            assertThat(wait.lastEmptyPollAt()).isEqualTo(lastEmptyPollAt);
            assertThat(wait.hasSlept(101_000)).isFalse();
            assertThat(wait.hasSlept(101_001)).isTrue();
        }
    }
}
