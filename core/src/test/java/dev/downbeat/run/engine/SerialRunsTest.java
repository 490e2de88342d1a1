package dev.downbeat.run.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SerialRunsTest {
    private interface Opening {
        /** Called before each lane opens. */
        void open(int share) throws IOException;
    }

    private static final Outcome NONE = Outcome.failed("none");

    /** Answers within the send, or never. */
    private record AtOnce(Opening opening, LongFunction<Outcome> outcomes, AtomicLong sent) implements Target {
        AtOnce(Opening opening) {
            this(opening, index -> Outcome.answered(), new AtomicLong());
        }

        static AtOnce ending(LongFunction<Outcome> outcomes) {
            return new AtOnce(share -> {}, outcomes, new AtomicLong());
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
                    Outcome outcome = outcomes.apply(exchange.index);
                    if (outcome != NONE) {
                        exchange.outcome = outcome;
                        exchange.completedAt = clock.nanoTime();
                        listener.completed(exchange);
                    }
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
    void requests_are_numbered_after_those_of_the_warm_up_and_all_runs_are_whole() throws IOException {
        AtOnce target = AtOnce.ending(index -> Outcome.answered());
        SerialRuns runs = new SerialRuns(plan(5, 4), target);
        long beginAt = System.nanoTime();
        SerialResult result = runs.run();
        assertThat(result.durationNanos()).isBetween(1L, System.nanoTime() - beginAt);
        assertThat(result.runs().stream().flatMap(List::stream).map(exchange -> exchange.index))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(12, 32).boxed().toList());
        assertThat(result.runs()).allMatch(run -> run.size() == 4);
        assertThat(result.complete()).isTrue();
        assertThat(result.failures()).isEmpty();
        assertThat(runs.done()).isEqualTo(5);
        assertThat(target.sent).hasValue(32);
    }

    @ParameterizedTest(name = "{0} failures in a row")
    @ValueSource(ints = {9, 10})
    void a_run_of_which_ten_requests_in_a_row_failed_is_over(int inARow) throws IOException {
        Outcome failed = Outcome.failed("HTTP 503");
        SerialResult result = new SerialRuns(
                        plan(2, 20),
                        AtOnce.ending(index -> index % 20 % (inARow + 1) < inARow ? failed : Outcome.answered()))
                .run();
        assertThat(result.runs()).allMatch(run -> run.size() == (inARow == 9 ? 20 : 10));
        assertThat(result.complete()).isEqualTo(inARow == 9);
        assertThat(result.failures()).isEqualTo(Map.of("HTTP 503", inARow == 9 ? 36L : 20L));
    }

    /** At the earliest: a busy machine starts them later. */
    @Test
    void staggered_runs_start_a_part_of_a_run_after_each_other() throws IOException {
        AtomicLong warmAt = new AtomicLong();
        CyclicBarrier all = new CyclicBarrier(4);
        Opening opening = share -> {
            try {
                if (share > 0) {
                    all.await(); // each thread has one run
                }
            } catch (InterruptedException | BrokenBarrierException stopped) {
                throw new IOException(stopped);
            }
        };
        LongFunction<Outcome> outcomes = index -> {
            long untilAt = System.nanoTime() + 5_000_000;
            while (System.nanoTime() - untilAt < 0) {
                Thread.onSpinWait();
            }
            if (index < 10) {
                warmAt.set(System.nanoTime());
            }
            return Outcome.answered();
        };
        AtOnce target = new AtOnce(opening, outcomes, new AtomicLong());
        SerialResult result = new SerialRuns(new SerialPlan(4, 10, 4, 1, true, Duration.ofSeconds(5), 1), target).run();
        assertThat(result.usualRunNanos()).isGreaterThanOrEqualTo(50_000_000);
        long lastNanos = result.runs().stream()
                .mapToLong(run -> run.get(0).startedAt - warmAt.get())
                .max()
                .orElseThrow();
        assertThat(lastNanos).isGreaterThanOrEqualTo(3 * (result.usualRunNanos() / 4));
    }

    @Test
    void a_request_without_an_answer_ends_at_its_timeout() throws IOException {
        SerialPlan plan = new SerialPlan(1, 20, 1, 1, false, Duration.ofMillis(1), 1);
        SerialResult result = new SerialRuns(plan, AtOnce.ending(index -> NONE)).run();
        assertThat(result.failures()).isEqualTo(Map.of("timed out", 10L));
        assertThat(result.runs().get(0))
                .hasSize(10)
                .allMatch(exchange -> exchange.completedAt - exchange.startedAt >= 1_000_000);
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
