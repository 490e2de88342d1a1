package dev.downbeat.bench;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.IntendedTimes;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The next intended time of each arrival process.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar IntendedTimesBenchmark -prof gc
 * </pre>
 *
 * <p>Look at the score (ns per intended time, about 1 ns of it JMH's own) and at {@code gc.alloc.rate.norm}, which must be
 * about 0.
 *
 * <p>Goals: at most 20 ns for {@code CONSTANT}, at most 60 ns for {@code POISSON}. A run asks for each intended time twice,
 * once to send it and once to count it as planned.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls begin() before it measures
public class IntendedTimesBenchmark {
    /** Which process. */
    @Param
    public BenchmarkedArrivals law;

    private ArrivalProcess process;
    private IntendedTimes times;

    /** Goes to the first time. */
    @Setup
    public void begin() {
        process = law.process();
        times = process.times();
    }

    /** One intended time; from the beginning again after the last, which the finite ones need once in a million. */
    @Benchmark
    public long next() {
        long nanos = times.nextNanos();
        if (nanos == IntendedTimes.END) {
            times = process.times();
            nanos = times.nextNanos();
        }
        return nanos;
    }
}
