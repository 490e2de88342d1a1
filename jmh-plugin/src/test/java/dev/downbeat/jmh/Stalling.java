package dev.downbeat.jmh;

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

/** What {@link JmhRunTest} runs. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 2, time = 1000, timeUnit = TimeUnit.MILLISECONDS)
@Fork(0)
public class Stalling {
    static final long STALL_MICROS = 200_000;

    /** A service that answers in about 200 us and once in 300 operations stalls. */
    @State(Scope.Thread)
    public static class Service {
        private int count;

        void call() {
            boolean stands = ++count % 300 == 0;
            long untilAt = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(stands ? STALL_MICROS : 200);
            while (System.nanoTime() - untilAt < 0) {
                LockSupport.parkNanos(untilAt - System.nanoTime());
            }
        }
    }

    @Benchmark
    public void paced(IntendedStart beat, Service service) {
        service.call();
    }

    @Benchmark
    public int tooShort(IntendedStart beat) {
        return 1;
    }
}
