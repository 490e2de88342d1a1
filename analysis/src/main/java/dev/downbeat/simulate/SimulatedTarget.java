package dev.downbeat.simulate;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The simulated service and its caller as the target of one run with one generator. */
final class SimulatedTarget implements Target {
    private final SimulatedWorld world;
    private final ManualClock clock;
    private @Nullable SimulatedLane lane;

    SimulatedTarget(SimulatedWorld world, ManualClock clock) {
        this.world = world;
        this.clock = clock;
    }

    @Override
    public String describe() {
        return world.service().describe();
    }

    @Override
    public Lane open(int share, int shares, NanoClock ofTheRun, Exchange.Listener listener) {
        SimulatedLane opened = new SimulatedLane(clock, listener, world);
        lane = opened;
        return opened;
    }

    QueueLengths queue(long endNanos) {
        return Objects.requireNonNull(lane, "lane").queue(endNanos);
    }
}
