package dev.downbeat.capacity;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.capacity.RateSearch.RateMeasurement;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The runs of one search, each with its own connections, times and indexes. On one thread, except {@link #stop}. */
public final class RateRuns implements RateMeasurement {
    private static final long PERIOD_SECONDS = 1_000;

    private final SearchPlan search;
    private final OptionalLong seed;
    private final Consumer<RunPlan.Builder> settings;
    private final Function<RunPlan, Target> target;
    private int measured;
    private boolean hasAnswered;
    private volatile @Nullable LoadRun running;
    private volatile boolean stopped;

    /**
     * Sends nothing yet.
     *
     * @param seed seed of random arrivals; empty for evenly spaced ones
     * @param settings sets timeout, drain, warm-up and generators
     * @param target the target of a run
     */
    public RateRuns(
            SearchPlan search,
            OptionalLong seed,
            Consumer<RunPlan.Builder> settings,
            Function<RunPlan, Target> target) {
        this.search = search;
        this.seed = seed;
        this.settings = settings;
        this.target = target;
    }

    /** The plan of the next run, if it is at this rate. */
    public RunPlan next(double perSecond, long nanos) {
        RunPlan.Builder plan = RunPlan.builder(new Workload.Open(arrivals(perSecond)))
                .duration(Duration.ofNanos(nanos))
                .interval(Duration.ofNanos(search.stretchNanos()));
        settings.accept(plan);
        return plan.build();
    }

    private ArrivalProcess arrivals(double perSecond) {
        Rate rate = perSecond == Math.rint(perSecond)
                ? Rate.perSecond((long) perSecond)
                : new Rate(Math.round(perSecond * PERIOD_SECONDS), TimeUnit.SECONDS.toNanos(PERIOD_SECONDS));
        // The first run uses seed + 1: saved searches must draw the same times again.
        return seed.isPresent() ? new Poisson(rate, seed.getAsLong() + 1 + measured) : new Constant(rate);
    }

    @Override
    public RunResult measure(double perSecond, long nanos) throws IOException {
        RunPlan plan = next(perSecond, nanos);
        LoadRun run = new LoadRun(plan, target.apply(plan), measured++);
        running = run;
        if (stopped) {
            run.stop();
        }
        try {
            RunResult result = run.run(Progress.none());
            refuseIfNothing(result);
            return result;
        } finally {
            running = null;
        }
    }

    /** Refuses a first rate with no response at all; at later rates this is a result. */
    private void refuseIfNothing(RunResult result) throws IOException {
        hasAnswered |= result.ledger().answered() > 0;
        if (!hasAnswered && result.ledger().failed() > 0) {
            throw new IOException("no request was answered: "
                    + String.join(", ", result.recording().failures().keySet()));
        }
    }

    /** Ends the current run and all later ones. Thread-safe. */
    public void stop() {
        stopped = true;
        LoadRun run = running;
        if (run != null) {
            run.stop();
        }
    }
}
