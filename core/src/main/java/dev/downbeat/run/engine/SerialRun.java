package dev.downbeat.run.engine;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A client that sends requests sequentially on its own lane. Not thread-safe; use once. */
final class SerialRun {
    /** After this many consecutive failures the service is considered down. */
    private static final int MOST_FAILURES_IN_A_ROW = 10;

    private static final long NAP_NANOS = 20_000_000;

    private final SerialPlan plan;
    private final NanoClock clock;
    private final BooleanSupplier stopped;
    private final List<Exchange> done;
    private ConnectionCounts connections = ConnectionCounts.NONE;
    private TargetCounts counts = TargetCounts.NONE;
    private boolean ended;

    SerialRun(SerialPlan plan, NanoClock clock, BooleanSupplier stopped) {
        this.plan = plan;
        this.clock = clock;
        this.stopped = stopped;
        this.done = new ArrayList<>(plan.requests());
    }

    /**
     * Opens the lane, waits for the start and sends.
     *
     * @throws IOException if the lane cannot be opened
     */
    void run(Target target, int share, long startAt) throws IOException {
        try (Lane lane = target.open(share, plan.shares(), clock, exchange -> ended = true)) {
            await(startAt);
            int inARow = 0;
            for (int i = 0; i < plan.requests() && inARow < MOST_FAILURES_IN_A_ROW && !stopped.getAsBoolean(); i++) {
                Exchange exchange = send(target, lane, (long) share * plan.requests() + i);
                done.add(exchange);
                inARow = exchange.outcome.fate() == Fate.ANSWERED ? 0 : inARow + 1;
            }
            connections = lane.connections();
            counts = lane.counts();
        }
    }

    private void await(long startAt) {
        for (long left = startAt - clock.nanoTime(); left > 0; left = startAt - clock.nanoTime()) {
            if (stopped.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(this, Math.min(left, NAP_NANOS));
        }
    }

    private Exchange send(Target target, Lane lane, long index) {
        Exchange exchange = new Exchange(0);
        exchange.index = index;
        exchange.session = index;
        exchange.name = target.nameOf(exchange);
        lane.poll(clock.nanoTime()); // so that a close that has already arrived is seen
        long now = clock.nanoTime();
        exchange.begin(now, now, now);
        ended = false;
        long timeoutAt = now + plan.timeout().toNanos();
        exchange.deadlineAt = timeoutAt;
        lane.send(exchange);
        while (!ended) {
            long at = clock.nanoTime();
            if (at - timeoutAt >= 0 && lane.abandonUnlessEnded(exchange)) {
                exchange.completedAt = at;
                exchange.outcome = Outcome.timedOut();
                return exchange;
            }
            lane.poll(timeoutAt);
        }
        return exchange;
    }

    List<Exchange> requests() {
        return done;
    }

    TargetCounts counts() {
        return counts;
    }

    ConnectionCounts connections() {
        return connections;
    }

    boolean isWhole() {
        return done.size() == plan.requests();
    }
}
