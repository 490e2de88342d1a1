package dev.downbeat.http.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

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
    private long lookedAt(Pacing pacing, long untilAt) throws IOException {
        NanoClock clock = () -> {
            long readAt = nowAt;
            nowAt = 50_000_000;
            return readAt;
        };
        try (Selector selector = Selector.open();
                SelectorWait wait = new SelectorWait(selector, clock, pacing, key -> handled = true, () -> handled)) {
            wait.until(untilAt, true);
            wait.ended(false, clock.nanoTime());
            return wait.lookedAt();
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
    void who_is_stopped_right_after_a_look_has_not_looked_since() throws Exception {
        assertThat(lookedAt(Pacing.SPIN, 10_000)).isZero();
        nowAt = 0;
        assertThat(lookedAt(Pacing.HYBRID, 3_000_000)).isBetween(0L, 3_000_000L);
    }

    /** The process may have been stopped since its last look: the bytes then lay there, and the selector returned at once. */
    @Test
    void what_is_found_at_once_may_have_come_since_the_last_look() throws Exception {
        assertThat(sleeps(Pacing.HYBRID, 10_000)).isFalse();
        assertThat(sleeps(Pacing.BLOCK, 10_000)).isFalse();
        assertThat(sleeps(Pacing.SPIN, 10_000)).isFalse();
    }

    /** Of the selector's own wait, which Java 22 and newer replace by ppoll: that looks before it sleeps, so nothing is guessed. */
    @Test
    @DisabledForJreRange(min = JRE.JAVA_22, disabledReason = "ppoll replaces the wait that this is about")
    void what_is_found_after_a_while_has_come_while_it_slept() throws Exception {
        assertThat(sleeps(Pacing.HYBRID, 2_000_000)).isTrue();
    }

    /** A service that takes longer than a gap of the schedule would otherwise cost a core. */
    @Test
    @DisabledForJreRange(min = JRE.JAVA_22, disabledReason = "ppoll replaces the wait that this is about")
    void the_rest_of_a_millisecond_is_slept_though_a_response_is_due() throws Exception {
        for (Pacing pacing : List.of(Pacing.BLOCK, Pacing.HYBRID)) {
            Thread lane = Thread.currentThread();
            int[] reads = new int[1];
            long firstAt = System.nanoTime();
            NanoClock clock = () -> {
                boolean isFirst = Thread.currentThread() == lane && reads[0]++ == 0;
                return isFirst ? 0 : System.nanoTime() - firstAt;
            };
            try (Selector selector = Selector.open();
                    SelectorWait wait =
                            new SelectorWait(selector, clock, pacing, key -> handled = true, () -> handled)) {
                wait.until(900_000, true);
                assertThat(reads[0]).as("%s reads the clock", pacing).isEqualTo(1);
            }
        }
    }
}
