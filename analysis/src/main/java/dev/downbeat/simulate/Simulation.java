package dev.downbeat.simulate;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.simulate.SimulatedLane.Setup;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run in virtual time, with the schedule, generator, recorder and ledger of a real run. Equal arguments give equal
 * results, to the last count. Use once: {@link #run} on one thread; {@link #stop} from any.
 */
public final class Simulation {
    /** The default limit of requests in flight, which is hardly ever reached. */
    public static final int CONNECTIONS = 100_000;

    /** The highest limit of requests in flight. */
    public static final int MOST_CONNECTIONS = 1_000_000;

    private final SimulatedTarget target;
    private final LoadRun run;

    /** A simulation with the default limit. */
    public Simulation(RunPlan plan, SimulatedService service, RetryPolicy retries, long seed) {
        this(plan, service, retries, seed, CONNECTIONS);
    }

    /**
     * A simulation.
     *
     * @param plan the schedule, for one generator
     * @param service the simulated service
     * @param retries how the caller retries; an operation is one request of the plan
     * @param seed seed of service times and jitter
     * @param connections most requests in flight, 1 to {@link #MOST_CONNECTIONS}; further requests wait, and the wait
     *     counts
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
        this.target = new SimulatedTarget(new Setup(service, retries, connections, seed, plan.durationNanos()), clock);
        this.run = new LoadRun(plan, target, clock);
    }

    /**
     * The result of a simulation.
     *
     * @param result as of any run; its client is ideal
     * @param queue the length of the service's queue
     */
    public record Simulated(RunResult result, QueueLengths queue) {}

    /**
     * Runs to the end.
     *
     * @param progress receives each interval of virtual time, on this thread
     */
    public Simulated run(Progress progress) {
        try {
            RunResult result = run.run(progress);
            return new Simulated(result, target.queue(result.durationNanos()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Ends the run early; its result is partial. Thread-safe. */
    public void stop() {
        run.stop();
    }

    /** The simulated target, for a report. */
    public Target target() {
        return target;
    }

    /** The simulated service and its caller as the target of one run with one generator. */
    private static final class SimulatedTarget implements Target {
        private final Setup setup;
        private final ManualClock clock;
        private @Nullable SimulatedLane lane;

        SimulatedTarget(Setup setup, ManualClock clock) {
            this.setup = setup;
            this.clock = clock;
        }

        @Override
        public String describe() {
            return setup.service().describe();
        }

        @Override
        public Lane open(int share, int shares, NanoClock ofTheRun, Exchange.Listener listener) {
            SimulatedLane opened = new SimulatedLane(clock, listener, setup);
            lane = opened;
            return opened;
        }

        QueueLengths queue(long endNanos) {
            return Objects.requireNonNull(lane, "lane").queue(endNanos);
        }
    }
}
