package dev.downbeat.bench;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
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
            return Replay.of(LongStream.range(0, 1_000_000).map(i -> i * 1_000).toArray());
        }
    };

    private static final Rate RATE = Rate.perSecond(1_000_003);
    private static final Rate TWICE = new Rate(2 * RATE.count(), RATE.periodNanos());
    private static final long SEED = 42;

    abstract ArrivalProcess process();
}
