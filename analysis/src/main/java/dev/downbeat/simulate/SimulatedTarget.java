package dev.downbeat.simulate;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The service and its caller as a target of one run by one generator. */
final class SimulatedTarget implements Target {
    private final SimulatedService service;
    private final RetryPolicy retries;
    private final int connections;
    private final long seed;
    private final long loadNanos;
    private final ManualClock clock;
    private @Nullable SimulatedLane lane;

    SimulatedTarget(Simulation simulation, ManualClock clock) {
        this.service = simulation.service();
        this.retries = simulation.retries();
        this.connections = simulation.connections();
        this.seed = simulation.seed();
        this.loadNanos = simulation.plan().durationNanos();
        this.clock = clock;
    }

    SimulatedService service() {
        return service;
    }

    RetryPolicy retries() {
        return retries;
    }

    int connections() {
        return connections;
    }

    long seed() {
        return seed;
    }

    long loadNanos() {
        return loadNanos;
    }

    @Override
    public String describe() {
        return service.describe();
    }

    @Override
    public Lane open(int share, int shares, NanoClock ofTheRun, Exchange.Listener listener) {
        SimulatedLane opened = new SimulatedLane(clock, listener, this);
        lane = opened;
        return opened;
    }

    QueueLengths queue(long endNanos) {
        return Objects.requireNonNull(lane, "lane").queue(endNanos);
    }
}
