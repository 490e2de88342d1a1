package dev.downbeat.simulate;

import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * A run in virtual time: the same plan, generator, recorder and ledger as against a real service, against one on paper. The
 * same arguments give the same result, to the last count. Use once: {@link #run} on one thread; {@link #stop} from any.
 */
public final class Simulation {
    /** So many requests may be out at a time unless said otherwise: no limit, nearly always. */
    public static final int CONNECTIONS = 100_000;

    /** And at most so many. */
    public static final int MOST_CONNECTIONS = 1_000_000;

    private final SimulatedTarget target;
    private final LoadRun run;

    /** A simulation with {@link #CONNECTIONS}. */
    public Simulation(RunPlan plan, SimulatedService service, RetryPolicy retries, long seed) {
        this(plan, service, retries, seed, CONNECTIONS);
    }

    /**
     * A simulation; five arguments, since each is a whole of its own.
     *
     * @param plan when requests are meant to start; of one generator
     * @param service what they meet
     * @param retries what a caller does that gets no answer; an operation of it is a request of the plan
     * @param seed chooses the service times and the jitter
     * @param connections so many requests may be out at a time, 1 to {@link #MOST_CONNECTIONS}; a request that finds none
     *     free waits, and the wait counts
     */
    public Simulation(RunPlan plan, SimulatedService service, RetryPolicy retries, long seed, int connections) {
        Objects.requireNonNull(service, "service");
        if (plan.generators() != 1) {
            throw new IllegalArgumentException("generators must be 1, but was " + plan.generators());
        }
        if (connections < 1 || connections > MOST_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections must be from 1 to " + MOST_CONNECTIONS + ", but was " + connections);
        }
        boolean endless =
                retries.attempts() == Integer.MAX_VALUE && retries.pause().firstNanos() == 0;
        if (endless && service.queueLimit() < Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "attempts without end against a queue that refuses need a pause: in virtual"
                            + " time there would be infinitely many of them at once");
        }
        ManualClock clock = new ManualClock(0);
        this.target = new SimulatedTarget(
                new SimulatedWorld(service, retries, connections, seed, plan.durationNanos()), clock);
        this.run = new LoadRun(plan, target, clock);
    }

    /**
     * What came of it.
     *
     * @param result as of any run; what its client went through is that of an ideal one
     * @param queue what only a simulation knows
     */
    public record Simulated(RunResult result, QueueLengths queue) {}

    /**
     * Runs to the end.
     *
     * @param progress told of each interval of virtual time, on this thread
     */
    public Simulated run(Progress progress) {
        try {
            RunResult result = run.run(progress);
            return new Simulated(result, target.queue(result.durationNanos()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Ends the run early; the result is partial. Thread-safe. */
    public void stop() {
        run.stop();
    }

    /** What the run is about, for a report. */
    public Target target() {
        return target;
    }
}
