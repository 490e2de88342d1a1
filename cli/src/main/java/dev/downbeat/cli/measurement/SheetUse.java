package dev.downbeat.cli.measurement;

import dev.downbeat.capacity.Characterisation;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.SerialPlan;
import java.time.Duration;
import java.util.Optional;

/** What a sheet may cost, and how its time is divided. Each component is described by its {@link Word}. */
public record SheetUse(
        @Word.Of(Search.class) Optional<OfferedRate> rate,

        @Word(
                names = "--budget",
                label = "TIME",
                help = "Time limit of the sheet. Default 4m; more gives narrower intervals.")
        Optional<Duration> budget,

        @Word(names = "--quick", help = "A first look: --budget 60s.")
        boolean quick,

        @Word.Of(Search.class) Load.Arrivals arrivals,

        @Word(
                names = "--seed",
                label = "HEX",
                help = "Repeats the schedules exactly. Default: a new one, shown in the sheet.")
        Optional<Seed> seed) {
    private static final Duration LEAST_BUDGET = Duration.ofSeconds(8);
    private static final Duration DEFAULT_BUDGET = Duration.ofMinutes(4);
    private static final Duration QUICK_BUDGET = Duration.ofSeconds(60);

    /** Shares of the budget; the rest is for warming up, draining and opening connections. */
    private static final double SEARCH = 0.52;

    private static final double CALM = 0.2;
    private static final double OVERLOAD = 0.04;
    private static final double SERIAL = 0.08;

    /** So many steps does a search have, or more where nothing is sure. */
    private static final int STEPS = 16;

    private static final long LEAST_RUN_NANOS = 1_500_000_000L;
    private static final long LONGEST_STEP_NANOS = 25_000_000_000L;
    private static final int CLIENTS = 60;
    private static final int CLIENT_REQUESTS = 12;
    private static final int LONG_RUNS = 12;
    private static final int LONG_REQUESTS = 180;
    private static final int LEAST_REQUESTS = 20;

    /** Refuses a budget that is given twice, or too little. */
    public SheetUse {
        Refusal.when(quick && budget.isPresent(), "--quick and --budget are mutually exclusive");
        Refusal.when(budget.orElse(LEAST_BUDGET).compareTo(LEAST_BUDGET) < 0, "--budget must be at least 8s");
    }

    /** With a seed of its own if it has none. */
    public SheetUse drawn() {
        return seed.isPresent()
                ? this
                : Values.with(this, "--seed", Seed.random().toString());
    }

    /** The search that is a part of it. */
    public Search toSearch() {
        long nanos = Math.max(SearchPlan.LEAST_STEP_NANOS, share(SEARCH));
        long step = Math.max(SearchPlan.LEAST_STEP_NANOS, Math.min(LONGEST_STEP_NANOS, nanos / STEPS));
        return new Search(rate, Duration.ofNanos(step), Duration.ofNanos(nanos), Search.Order.RISING, arrivals, seed);
    }

    private Duration total() {
        return quick ? QUICK_BUDGET : budget.orElse(DEFAULT_BUDGET);
    }

    private long share(double share) {
        return (long) (total().toNanos() * share);
    }

    public Characterisation.Lengths lengths() {
        return new Characterisation.Lengths(
                Math.max(LEAST_RUN_NANOS, share(CALM)), Math.max(LEAST_RUN_NANOS, share(OVERLOAD)));
    }

    /** For how long serial runs of one kind may go on. */
    public long serialNanos() {
        return share(SERIAL);
    }

    /** New clients, one after the other. */
    public SerialPlan freshClients(Seed chosen, Duration timeout) {
        return new SerialPlan(CLIENTS, CLIENT_REQUESTS, 1, 1, true, timeout, chosen.value());
    }

    /** Long runs, two at a time, of as many requests as the time allows that take so long each. */
    public SerialPlan longRuns(Seed chosen, Duration timeout, long requestNanos) {
        // two at a time may take twice as long each, and a run comes before that is not counted
        long affordable = serialNanos() / (Math.max(1, requestNanos) * (LONG_RUNS + 1));
        int requests = (int) Math.max(LEAST_REQUESTS, Math.min(LONG_REQUESTS, affordable));
        return new SerialPlan(LONG_RUNS, requests, 2, 1, true, timeout, chosen.value());
    }
}
