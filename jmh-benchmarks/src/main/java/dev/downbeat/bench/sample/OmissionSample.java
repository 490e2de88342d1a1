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
 * A service answers in 100 us and stalls for 300 ms once in 4,000 requests. Independent callers send 2,000 requests per second,
 * whether it stalls or not. How long do they wait?
 *
 * <p>Wrong: {@link #wrong} sends the next request when it has its response. It sends nothing during a stall, so the requests that
 * callers would have sent are missing. JMH's p0.99 is about 100 us, since the stall is one sample among thousands.
 *
 * <p>Right: {@link #right} takes an {@link IntendedStart}. Its operations start at their intended times or late, and the profiler
 * measures from the intended times: {@code response.p99} is a few hundred milliseconds. JMH's own p0.99 is as wrong as before,
 * because JMH starts its clock after the wait. {@code service.p99} is the time of the operation alone.
 *
 * <p>To run it:
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
    /** The service. */
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

    /** Sends the next request when it has its response. */
    @Benchmark
    public void wrong(Service service) {
        service.call();
    }

    /** Sends at the intended times. */
    @Benchmark
    public void right(IntendedStart beat, Service service) {
        service.call();
    }

    /** Runs both. */
    public static void main(String[] args) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(OmissionSample.class.getSimpleName())
                        .param("rate", "2000")
                        .addProfiler(DownbeatProfiler.class)
                        .build())
                .run();
    }
}
