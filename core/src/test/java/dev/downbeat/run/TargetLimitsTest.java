package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A target that wants more than the system gives, or breaks at the end. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TargetLimitsTest {
    private static final RunPlan PLAN = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(500))))
            .duration(Duration.ofMillis(40))
            .drain(Duration.ofMillis(10))
            .build();

    /** Never answers, and its lane breaks when asked something at the end. */
    private record Breaking(long preconnects, AtomicLong sent, Set<Thread> senders, boolean breaksAtCounts)
            implements Target {
        Breaking(long preconnects) {
            this(preconnects, false);
        }

        Breaking(long preconnects, boolean breaksAtCounts) {
            this(preconnects, new AtomicLong(), ConcurrentHashMap.newKeySet(), breaksAtCounts);
        }

        @Override
        public String describe() {
            return "a target that breaks at the end";
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            return new Lane() {
                @Override
                public int capacity() {
                    return 4;
                }

                @Override
                public void send(Exchange exchange) {
                    sent.incrementAndGet();
                    senders.add(Thread.currentThread());
                }

                @Override
                public void abandon(Exchange exchange) {}

                @Override
                public void poll(long untilAt) {
                    LockSupport.parkNanos(untilAt - clock.nanoTime());
                }

                @Override
                public void end() {
                    throw new IllegalStateException("broken at the end");
                }

                @Override
                public ConnectionCounts connections() {
                    if (breaksAtCounts) {
                        throw new IllegalStateException("broken counts");
                    }
                    return ConnectionCounts.NONE;
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    void every_request_has_its_fate_though_the_target_breaks_at_the_end() throws IOException {
        RunResult result = new LoadRun(PLAN, new Breaking(0)).run(Progress.none());

        assertThat(result.failure()).hasValueSatisfying(why -> assertThat(why).contains("broken at the end"));
        assertThat(result.ledger().planned()).isEqualTo(20);
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().inFlight()).isEqualTo(4);
    }

    @Test
    void a_lane_that_cannot_count_its_connections_does_not_lose_the_run() throws IOException {
        RunResult result = new LoadRun(PLAN, new Breaking(0, true)).run(Progress.none());

        assertThat(result.failure()).isPresent();
        assertThat(result.ledger().planned()).isEqualTo(20);
        assertThat(result.ledger().addsUp()).isTrue();
    }

    @Test
    void no_load_goes_on_after_the_observer_of_a_run_has_failed() {
        Breaking target = new Breaking(0);
        RunPlan endless = RunPlan.builder(PLAN.workload())
                .duration(Duration.ofMinutes(5))
                .timeout(Duration.ofMillis(1))
                .interval(Duration.ofMillis(20))
                .build();

        assertThatThrownBy(() -> new LoadRun(endless, target).run(interval -> {
                    throw new IllegalStateException("no room on the screen");
                }))
                .hasMessage("no room on the screen");
        assertThat(target.sent).hasPositiveValue();
        assertThat(target.senders).isNotEmpty().noneMatch(Thread::isAlive);
    }

    @Test
    void more_connections_than_open_files_are_refused_before_any_is_opened() {
        assertThatThrownBy(() -> new LoadRun(PLAN, new Breaking(1L << 40)).run(Progress.none()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("open files")
                .hasMessageContaining("ulimit -n");
    }
}
