package dev.downbeat.cli.measurement;

import dev.downbeat.arrival.Constant;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.SecretPart;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Seed;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Everything that defines a search. {@link CliOption} describes each component. */
public record Sweep(
        @CliOption(
                names = "TARGET",
                secret = SecretPart.OF_URL,
                help = "http://..., https://..., unix:/socket:/path, an SQS queue's URL, sqs:QUEUE, sqs:demo,"
                        + " jdbc:..., jdbc:demo, or exec:'COMMAND'.")
        String target,

        @CliOption(names = "Search") Search search,
        @CliOption(names = "Objectives") Objectives objectives,
        @CliOption(names = "Asking") ClientOptions asking) {
    /** The same with all random choices filled in. */
    public Sweep resolved() {
        return new Sweep(target, Values.withSeed(search), objectives, asking);
    }

    public Sweep of(String other) {
        return new Sweep(other, search, objectives, asking);
    }

    public Sweep with(ClientOptions other) {
        return new Sweep(target, search, objectives, other);
    }

    /** The most requests of the search, with a warm-up before each of the shortest runs; empty without a highest rate. */
    public Optional<Long> mostRequests() {
        return search.rate().filter(OfferedRate::isRamp).map(highest -> {
            RunPlan.Builder shortest = RunPlan.builder(new Workload.Open(new Constant(highest.to())))
                    .duration(search.step());
            asking.waiting().applyTo(shortest);
            RunPlan run = shortest.build();
            double warmUps = run.warmUpNanos() == 0 ? 0 : (double) run.warmUp().durationNanos() / run.durationNanos();
            return (long) Math.ceil(highest.to().perSecond() * search.budget().toNanos() / 1e9 * (1 + warmUps));
        });
    }

    public SearchPlan plan() {
        return search.toPlan(objectives.slos());
    }

    /** Its arguments, without secrets of the target's URL. */
    @Override
    public String toString() {
        return Values.redacted(this).toString();
    }

    /** Which rates a search tries, how long, and in which order. {@link CliOption} describes each component. */
    public record Search(
            @CliOption(
                    names = {"-R", "--rate"},
                    label = "FROM[..TO]",
                    help = "The first rate, and the highest to try: 100..5k/s. Default 100/s, with no upper end.")
            Optional<OfferedRate> rate,

            @CliOption(
                    names = "--step-duration",
                    label = "TIME",
                    defaultValue = "25s",
                    help =
                            "How long each rate is measured, a fifth of it to settle; longer while undecided. Default 25s, "
                                    + "at least 3s.")
            Duration step,

            @CliOption(
                    names = "--budget",
                    label = "TIME",
                    defaultValue = "15m",
                    help = "Time limit of the search. Default 15m.")
            Duration budget,

            @CliOption(
                    names = "--order",
                    label = "ORDER",
                    defaultValue = "rising",
                    help = "rising (default) or random, which separates drift over time from the effect of load; needs "
                            + "FROM..TO.")
            Order order,

            @CliOption(
                    names = "--arrivals",
                    label = "LAW",
                    defaultValue = "poisson",
                    help = "poisson (as from many independent callers; default) or constant (evenly spaced).")
            ArrivalLaw arrivals,

            @CliOption(
                    names = "--seed",
                    label = "HEX",
                    help = "Repeats the schedules exactly. Default: a new one, shown in the report.")
            Optional<Seed> seed) {
        public enum Order {
            RISING,
            RANDOM
        }

        private static final double FASTEST = 1e8;

        public Search {
            boolean isOpen = rate.filter(OfferedRate::isRamp).isEmpty();
            Refusal.when(rate.filter(first -> first.from().count() == 0).isPresent(), "the first rate must be above 0");
            Refusal.when(
                    rate.filter(both -> both.to().perSecond() < both.from().perSecond())
                            .isPresent(),
                    "-R goes from the lower rate to the higher one, such as 100..5k/s");
            Refusal.when(
                    order == Order.RANDOM && isOpen, "--order random needs to know the highest rate: -R 100..5k/s");
            Refusal.when(step.toNanos() < SearchPlan.LEAST_STEP_NANOS, "--step-duration must be at least 3s");
            Refusal.when(budget.compareTo(step) < 0, "--budget must be at least the --step-duration");
        }

        /** The plan of the search; the seed must be set. */
        public SearchPlan toPlan(List<ServiceLevelObjective> slos) {
            double from = rate.map(first -> first.from().perSecond()).orElse(100.0);
            double to = rate.filter(OfferedRate::isRamp)
                    .map(last -> last.to().perSecond())
                    .orElse(FASTEST);
            OptionalLong shuffle =
                    order == Order.RANDOM ? OptionalLong.of(seed.orElseThrow().value()) : OptionalLong.empty();
            return new SearchPlan(from, to, step.toNanos(), budget.toNanos(), slos, SearchPlan.PRECISION, shuffle);
        }

        /** The seed of random arrivals, which must be set; empty for evenly spaced ones. */
        public OptionalLong seedOfArrivals() {
            return arrivals == ArrivalLaw.CONSTANT
                    ? OptionalLong.empty()
                    : OptionalLong.of(seed.orElseThrow().value());
        }

        /** The seed as the user types it; empty if nothing is random. */
        public String seedText() {
            boolean isRandom = arrivals == ArrivalLaw.POISSON || order == Order.RANDOM;
            return isRandom ? seed.map(Seed::toString).orElse("") : "";
        }
    }
}
