package dev.downbeat.bench.sample;

import dev.downbeat.jmh.DownbeatProfiler;
import dev.downbeat.jmh.IntendedStart;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * A service answers in 100 us, and once in 4,000 requests it stalls for 300 ms. Its callers come 2,000 times a second,
 * whether it stalls or not: what do they wait?
 *
 * <p>Wrong: {@link #wrong} asks again when it has its answer. While the service stalls it asks nothing, so all that
 * were meant to come meanwhile are missing, and JMH's p0.99 is about 100 us: 99 % of those that were asked. The stall is one
 * sample of several thousands.
 *
 * <p>Right: {@link #right} takes a {@link IntendedStart}. Its operations begin when they were meant to, or late, and the profiler
 * counts from when they were meant to: {@code response.p99} is some hundred milliseconds. Note that JMH's own p0.99 of {@code
 * right} is as wrong as before: JMH's stopwatch starts after the wait. And {@code service.p99} is what it says: the time of
 * the operation alone.
 *
 * <p>Run it:
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar OmissionSample -p rate=2000 -prof dev.downbeat.jmh.DownbeatProfiler
 * java -cp jmh-benchmarks/target/benchmarks.jar dev.downbeat.bench.sample.OmissionSample
 * </pre>
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 3, time = 5)
@Fork(1)
public class OmissionSample {
    /** What is called. */
    @State(Scope.Thread)
    public static class Service {
        private static final long WORK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
        private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
        private static final int CALLS_BETWEEN_STALLS = 4_000;

        private int calls;

        void call() {
            if (++calls % CALLS_BETWEEN_STALLS == 0) {
                LockSupport.parkNanos(STALL_NANOS);
            }
            long doneAt = System.nanoTime() + WORK_NANOS;
            while (System.nanoTime() - doneAt < 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Asks again when it has its answer. */
    @Benchmark
    public void wrong(Service service) {
        service.call();
    }

    /** Asks when it was meant to. */
    @Benchmark
    public void right(IntendedStart beat, Service service) {
        service.call();
    }

    /** Runs the pair. */
    public static void main(String[] args) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(OmissionSample.class.getSimpleName())
                        .param("rate", "2000")
                        .addProfiler(DownbeatProfiler.class)
                        .build())
                .run();
    }
}
