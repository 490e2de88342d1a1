package dev.downbeat.bench;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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

    /** The arrival processes to be measured, at rates whose gaps are no whole number of nanoseconds. */
    public enum BenchmarkedArrivals {
        /** Even distances. */
        CONSTANT {
            @Override
            ArrivalProcess process() {
                return new Constant(RATE);
            }
        },
        /** Random distances. */
        POISSON {
            @Override
            ArrivalProcess process() {
                return new Poisson(RATE, SEED);
            }
        },
        /** A rising rate, even distances. */
        RAMP_EVEN {
            @Override
            ArrivalProcess process() {
                return new Ramp(RATE, TWICE, TimeUnit.DAYS.toNanos(1), new Spacing.Even());
            }
        },
        /** A rising rate, random distances. At the beginning, which is all that is measured, every second draw is thrown away. */
        RAMP_POISSON {
            @Override
            ArrivalProcess process() {
                return new Ramp(RATE, TWICE, TimeUnit.DAYS.toNanos(1), new Spacing.Poisson(SEED));
            }
        },
        /** A hundred constant rates one after another, for a second each. */
        STEPS {
            @Override
            ArrivalProcess process() {
                List<Step> steps = IntStream.rangeClosed(1, 100)
                        .mapToObj(i -> new Step(
                                new Constant(new Rate(i * RATE.count(), 50 * RATE.periodNanos())),
                                TimeUnit.SECONDS.toNanos(1)))
                        .toList();
                return new Steps(steps);
            }
        },
        /** A million recorded times. */
        REPLAY {
            @Override
            ArrivalProcess process() {
                return Replay.of(
                        LongStream.range(0, 1_000_000).map(i -> i * 1_000).toArray());
            }
        };

        private static final Rate RATE = Rate.perSecond(1_000_003);
        private static final Rate TWICE = new Rate(2 * RATE.count(), RATE.periodNanos());
        private static final long SEED = 42;

        abstract ArrivalProcess process();
    }
}
