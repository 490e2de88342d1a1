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
 * The cost for a live service of recording a request.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar LiveRecorder -prof gc
 * java -jar jmh-benchmarks/target/benchmarks.jar LiveRecorder -t 2
 * </pre>
 *
 * <p>{@code request} records arrival and end of a request at known instants, which most servers have for their log; {@code
 * gc.alloc.rate.norm} must be about 0. {@code requestAndClock} also reads the clock twice, at the cost of {@code clock} each.
 *
 * <p>Goal: {@code request} at most 30 ns with one thread.
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

        /** Creates the recorder, whose thread watches for pauses. */
        @Setup
        public void start() {
            recorder = ServiceRecorder.of("benchmark");
        }

        /** Stops its thread. */
        @TearDown
        public void stop() {
            recorder.close();
        }
    }

    /** Durations in a ring, and an instant read in advance. */
    @State(Scope.Thread)
    public static class Values {
        private final long[] nanos = new long[Exchanges.COUNT];
        private int next;
        long nowAt;

        /** Creates the values. */
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

    /** Arrival and response at known instants. */
    @Benchmark
    public void request(Shared shared, Values values) {
        long arrivedAt = shared.recorder.arrived(values.nowAt);
        shared.recorder.answered(arrivedAt, values.nowAt, values.nowAt + values.next());
    }

    /** Arrival and response, now. */
    @Benchmark
    public void requestAndClock(Shared shared) {
        shared.recorder.answered(shared.recorder.arrived());
    }

    /** The response alone, as from a custom load generator. */
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
