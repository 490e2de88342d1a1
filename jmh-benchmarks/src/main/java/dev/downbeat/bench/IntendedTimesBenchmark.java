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
 * <p>The score is ns per intended time, of which about 1 ns is JMH's; {@code gc.alloc.rate.norm} must be about 0.
 *
 * <p>Goals: at most 20 ns for {@code CONSTANT}, at most 60 ns for {@code POISSON}. A run generates each intended time twice, once
 * to send the request and once to count it as planned.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls begin() before it measures
public class IntendedTimesBenchmark {
    /** The arrival process. */
    @Param
    public BenchmarkedArrivals law;

    private ArrivalProcess process;
    private IntendedTimes times;

    /** Starts the process. */
    @Setup
    public void begin() {
        process = law.process();
        times = process.times();
    }

    /** One intended time. Finite processes start again after the last, once in a million calls. */
    @Benchmark
    public long next() {
        long nanos = times.nextNanos();
        if (nanos == IntendedTimes.END) {
            times = process.times();
            nanos = times.nextNanos();
        }
        return nanos;
    }

    /** The arrival processes, at rates whose gaps are not whole nanoseconds. */
    public enum BenchmarkedArrivals {
        /** Constant gaps. */
        CONSTANT {
            @Override
            ArrivalProcess process() {
                return new Constant(RATE);
            }
        },
        /** Exponential gaps. */
        POISSON {
            @Override
            ArrivalProcess process() {
                return new Poisson(RATE, SEED);
            }
        },
        /** A rising rate, evenly spaced. */
        RAMP_EVEN {
            @Override
            ArrivalProcess process() {
                return new Ramp(RATE, TWICE, TimeUnit.DAYS.toNanos(1), new Spacing.Even());
            }
        },
        /** A rising rate, randomly spaced. At the start of the ramp, which is measured, every second draw is rejected. */
        RAMP_POISSON {
            @Override
            ArrivalProcess process() {
                return new Ramp(RATE, TWICE, TimeUnit.DAYS.toNanos(1), new Spacing.Poisson(SEED));
            }
        },
        /** A hundred constant rates, for a second each. */
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
