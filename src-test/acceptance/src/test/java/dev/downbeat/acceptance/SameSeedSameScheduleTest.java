package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A schedule depends on its seed, not on the number of generator threads. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SameSeedSameScheduleTest {
    private static final long SEED = 0x7f3a;
    private static final Duration DURATION = Duration.ofMillis(700);

    /** Answers at once and records the intended time of each request. */
    private static final class RecordingTarget implements Target {
        final Map<Long, Long> intendedAt = new ConcurrentHashMap<>();

        @Override
        public String describe() {
            return "recording";
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
            return new Lane() {
                @Override
                public int capacity() {
                    return 64;
                }

                @Override
                public void send(Exchange exchange) {
                    Long before = intendedAt.put(exchange.index, exchange.intendedAt);
                    exchange.completedAt = clock.nanoTime();
                    exchange.outcome = before == null ? Outcome.answered() : Outcome.failed("sent twice");
                    listener.completed(exchange);
                }

                @Override
                public void abandon(Exchange exchange) {
                    throw new IllegalStateException("nothing is ever in flight");
                }

                @Override
                public void poll(long untilAt) {
                    long left = untilAt - clock.nanoTime();
                    if (left > 0) {
                        LockSupport.parkNanos(Math.min(left, 1_000_000));
                    }
                }

                @Override
                public ConnectionCounts connections() {
                    return ConnectionCounts.NONE;
                }

                @Override
                public void close() {}
            };
        }
    }

    private static ArrivalProcess arrivals(long seed) {
        return new Poisson(Rate.perSecond(3_000), seed);
    }

    /** By index, nanoseconds from the first intended time in a run. */
    private static SortedMap<Long, Long> schedule(ArrivalProcess arrivals, int generators) throws IOException {
        RecordingTarget target = new RecordingTarget();
        RunPlan plan = RunPlan.builder(new Workload.Open(arrivals))
                .duration(DURATION)
                .generators(generators)
                .build();
        RunResult result = new LoadRun(plan, target).run(Progress.none());
        assertThat(result.ledger().answered())
                .isEqualTo(result.ledger().planned())
                .isEqualTo(target.intendedAt.size());
        SortedMap<Long, Long> offsets = new TreeMap<>();
        long firstAt = target.intendedAt.get(0L);
        target.intendedAt.forEach((index, at) -> offsets.put(index, at - firstAt));
        return offsets;
    }

    /** The same, computed from the arrival process alone. */
    private static SortedMap<Long, Long> computed(ArrivalProcess arrivals) {
        SortedMap<Long, Long> offsets = new TreeMap<>();
        IntendedTimes times = arrivals.times(0, 1);
        long first = -1;
        for (long nanos = times.nextNanos(); nanos < DURATION.toNanos(); nanos = times.nextNanos()) {
            first = first < 0 ? nanos : first;
            offsets.put((long) offsets.size(), nanos - first);
        }
        return offsets;
    }

    @ParameterizedTest(name = "{0} generators")
    @ValueSource(ints = {1, 2, 3, 5})
    void the_same_seed_gives_the_same_intended_times(int generators) throws IOException {
        assertThat(schedule(arrivals(SEED), generators))
                .hasSizeGreaterThan(1_500)
                .isEqualTo(computed(arrivals(SEED)));
    }

    @Test
    void another_seed_gives_other_intended_times() throws IOException {
        assertThat(schedule(arrivals(SEED + 1), 2)).isNotEqualTo(computed(arrivals(SEED)));
    }
}
