package builds;

import dev.downbeat.jmh.IntendedStart;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** The benchmark of docs/jmh.md with something in the place of a client. */
public class HandshakeBenchmark {
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public long handshake(IntendedStart start) {
        LockSupport.parkNanos(100_000);
        return System.nanoTime();
    }
}
