package dev.downbeat.cli;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.verdict.Slo;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which rates a search tries, for how long, and in which order. */
final class SweepOptions {
    /** Which rate comes next. */
    enum Order {
        RISING,
        RANDOM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final double PRECISION = 0.05;
    private static final double FASTEST = 1e8;
    private static final long PERIOD_SECONDS = 1_000;

    @Option(
            names = {"-R", "--rate"},
            paramLabel = "FROM[..TO]",
            converter = OfferedRate.Converter.class,
            description = "The first rate, and the highest to try: 100..5k/s. Default 100/s, and as far as it goes.")
    @Nullable
    OfferedRate rate;

    @Option(
            names = "--step-duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = {
                "How long each rate is measured at first, the first fifth of it for settling; longer where nothing is"
                        + " sure. Default 25s, at least 3s."
            })
    Duration step = Duration.ofSeconds(25);

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long all of it may take. Default 15m.")
    Duration budget = Duration.ofMinutes(15);

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = {
                "rising (default), or random, so that a service that changes with time does not look like one that"
                        + " changes with load; needs FROM..TO."
            })
    Order order = Order.RISING;

    @Option(
            names = "--arrivals",
            paramLabel = "LAW",
            description = "poisson (as from many independent callers; default) or constant (evenly spaced).")
    LoadOptions.Arrivals arrivals = LoadOptions.Arrivals.POISSON;

    @Option(
            names = "--seed",
            paramLabel = "HEX",
            converter = Seed.Converter.class,
            description = "Repeats the schedules exactly. Default: a new one, shown in the report.")
    @Nullable
    Seed seed;

    private int runs;

    SearchPlan toPlan(List<Slo> slos) {
        double from = rate == null ? 100 : rate.from().perSecond();
        double to = rate == null || !rate.isRamp() ? FASTEST : rate.to().perSecond();
        if (!(from > 0)) {
            throw new TypeConversionException("the first rate must be above 0");
        }
        if (to < from) {
            throw new TypeConversionException("-R goes from the lower rate to the higher one, such as 100..5k/s");
        }
        if (order == Order.RANDOM && to >= FASTEST) {
            throw new TypeConversionException("--order random needs to know the highest rate: -R 100..5k/s");
        }
        if (step.toNanos() < SearchPlan.LEAST_STEP_NANOS) {
            throw new TypeConversionException("--step-duration must be at least 3s");
        }
        if (budget.compareTo(step) < 0) {
            throw new TypeConversionException("--budget must be at least the --step-duration");
        }
        OptionalLong shuffle = order == Order.RANDOM ? OptionalLong.of(theSeed().value()) : OptionalLong.empty();
        return new SearchPlan(from, to, step.toNanos(), budget.toNanos(), slos, PRECISION, shuffle);
    }

    /** Each run has times of its own. */
    ArrivalProcess next(double perSecond) {
        Rate exact = exactly(perSecond);
        return arrivals == LoadOptions.Arrivals.CONSTANT
                ? new Constant(exact)
                : new Poisson(exact, theSeed().part(runs++));
    }

    private static Rate exactly(double perSecond) {
        return perSecond == Math.rint(perSecond)
                ? Rate.perSecond((long) perSecond)
                : new Rate(Math.round(perSecond * PERIOD_SECONDS), PERIOD_SECONDS * 1_000_000_000L);
    }

    boolean isRandom() {
        return arrivals == LoadOptions.Arrivals.POISSON || order == Order.RANDOM;
    }

    Seed theSeed() {
        if (seed == null) {
            seed = Seed.random();
        }
        return Objects.requireNonNull(seed, "seed");
    }
}
