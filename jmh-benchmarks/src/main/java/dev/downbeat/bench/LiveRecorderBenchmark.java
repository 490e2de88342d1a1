package dev.downbeat.bench;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.load.ServiceRecorder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a live service pays for each request that it tells of.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar LiveRecorder -prof gc
 * java -jar jmh-benchmarks/target/benchmarks.jar LiveRecorder -t 2
 * </pre>
 *
 * <p>Look at {@code request}: arrival and end of one request whose instants are known, which most servers have for their
 * log; {@code gc.alloc.rate.norm} must be about 0. {@code requestAndClock} reads the clock twice as well, which costs as
 * much as {@code clock} says, twice.
 *
 * <p>Goal: {@code request} at most 30 ns by one thread.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LiveRecorderBenchmark {
    /** One recorder for all threads. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH calls start() before it measures
    public static class Shared {
        ServiceRecorder recorder;

        /** Begins to watch for standstills. */
        @Setup
        public void start() {
            recorder = ServiceRecorder.of("benchmark");
        }

        /** Ends its thread. */
        @TearDown
        public void stop() {
            recorder.close();
        }
    }

    /** Durations in a ring, and a clock that somebody else has read. */
    @State(Scope.Thread)
    public static class Values {
        private final long[] nanos = new long[Exchanges.COUNT];
        private int next;
        long nowAt;

        /** Makes the values. */
        @Setup
        public void prepare() {
            Exchange[] answered = Exchanges.answered(100);
            Arrays.setAll(nanos, i -> answered[i].responseNanos());
            nowAt = System.nanoTime();
        }

        long next() {
            return nanos[next++ & (Exchanges.COUNT - 1)];
        }
    }

    /** Arrival and answer, at instants that are known. */
    @Benchmark
    public void request(Shared shared, Values values) {
        long cameAt = shared.recorder.arrived(values.nowAt);
        shared.recorder.answered(cameAt, values.nowAt, values.nowAt + values.next());
    }

    /** Arrival and answer, now. */
    @Benchmark
    public void requestAndClock(Shared shared) {
        shared.recorder.answered(shared.recorder.arrived());
    }

    /** The answer alone, as by a generator of one's own. */
    @Benchmark
    public void answered(Shared shared, Values values) {
        shared.recorder.answered(values.nowAt, values.nowAt, values.nowAt + values.next());
    }

    /** One reading of the clock. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }
}
