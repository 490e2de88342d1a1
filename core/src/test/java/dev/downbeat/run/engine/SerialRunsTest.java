package dev.downbeat.run.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SerialRunsTest {
    private interface Opening {
        /** Called before each lane opens. */
        void open(int share) throws IOException;
    }

    /** Answers within the send. */
    private record AtOnce(Opening opening, AtomicLong sent) implements Target {
        AtOnce(Opening opening) {
            this(opening, new AtomicLong());
        }

        @Override
        public String describe() {
            return "a target that answers within the send";
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
            opening.open(share);
            return new Lane() {
                @Override
                public int capacity() {
                    return 1;
                }

                @Override
                public void send(Exchange exchange) {
                    sent.incrementAndGet();
                    exchange.completedAt = clock.nanoTime();
                    listener.completed(exchange);
                }

                @Override
                public void abandon(Exchange exchange) {}

                @Override
                public void poll(long untilAt) {}

                @Override
                public ConnectionCounts connections() {
                    return ConnectionCounts.NONE;
                }

                @Override
                public void close() {}
            };
        }
    }

    private static SerialPlan plan(int runs, int requests) {
        return new SerialPlan(runs, requests, 4, 3, false, Duration.ofSeconds(5), 1);
    }

    @Test
    void every_run_that_could_not_connect_is_counted_and_no_warm_up() throws IOException {
        SerialResult result = new SerialRuns(plan(20, 2), new AtOnce(share -> {
                    if (share == 1 || share % 2 == 0 && share > 2) {
                        throw new IOException("connection refused");
                    }
                    if (share == 3) {
                        throw new IllegalStateException("password=secret");
                    }
                    if (share == 5) {
                        throw new OutOfMemoryError("no direct memory");
                    }
                }))
                .run();

        assertThat(result.failures())
                .isEqualTo(Map.of(
                        "connection refused",
                        10L,
                        "java.lang.IllegalStateException",
                        1L,
                        "java.lang.OutOfMemoryError",
                        1L));
        assertThat(result.runs()).hasSize(20);
        assertThat(result.complete()).isFalse();
    }

    @Test
    void an_error_in_every_run_is_not_an_empty_result() {
        assertThatThrownBy(() -> new SerialRuns(plan(2, 2), new AtOnce(share -> {
                            if (share > 2) {
                                throw new StackOverflowError();
                            }
                        }))
                        .run())
                .isInstanceOf(IOException.class)
                .hasMessage("java.lang.StackOverflowError");
    }

    @Test
    void nothing_is_sent_after_an_interrupt() throws InterruptedException {
        Thread caller = Thread.currentThread();
        AtOnce target = new AtOnce(share -> {
            if (share == 3) {
                caller.interrupt();
            }
        });
        SerialRuns runs = new SerialRuns(plan(9, 800_000), target);

        assertThatThrownBy(runs::run).isInstanceOf(IOException.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().startsWith("downbeat-serial-")) {
                each.join();
            }
        }
        assertThat(target.sent.get()).isLessThan(12 * 800_000);
    }
}
