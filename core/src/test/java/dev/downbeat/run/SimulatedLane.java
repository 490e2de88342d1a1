package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.ManualClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A service in virtual time: some servers, first come first served, a service time per request, and spans in which
 * either the service or the generator's own process is paused. Polling moves the clock. Times are nanoseconds from
 * the start of the run.
 */
public final class SimulatedLane implements Lane {
    private record Completion(long at, Exchange exchange, long sentAt) {}

    private record Span(long fromNanos, long untilNanos) {}

    private final ManualClock clock;
    private final long startAt;
    private final Exchange.Listener listener;
    private final int capacity;
    /** A heap: the server that is free first is the first. */
    private final long[] serverFreeNanos;

    private final LongUnaryOperator serviceNanos;
    private final PriorityQueue<Completion> completions =
            new PriorityQueue<>(Comparator.comparingLong(Completion::at).thenComparingLong(Completion::sentAt));
    private final Set<Exchange> out = new HashSet<>();
    private final List<Span> frozen = new ArrayList<>();
    private final List<Span> ownStandstills = new ArrayList<>();
    private long breakNanos = Long.MAX_VALUE;
    private long callNanos = Long.MAX_VALUE;
    private long sendNanos;
    private boolean stampsEnds;
    private long idleNanos = -1;
    private Runnable call = () -> {};
    private @Nullable Outcome instantFailure;
    long sent;

    SimulatedLane(ManualClock clock, Exchange.Listener listener, int capacity, int servers, LongUnaryOperator service) {
        this.clock = clock;
        this.startAt = clock.nanoTime() + LoadRun.LEAD_NANOS;
        this.listener = listener;
        this.capacity = capacity;
        this.serverFreeNanos = new long[servers];
        this.serviceNanos = service;
    }

    public SimulatedLane freeze(long fromNanos, long untilNanos) {
        frozen.add(new Span(fromNanos, untilNanos));
        return this;
    }

    public SimulatedLane standStillOurselves(long fromNanos, long untilNanos) {
        ownStandstills.add(new Span(fromNanos, untilNanos));
        return this;
    }

    SimulatedLane breakAt(long nanos) {
        breakNanos = nanos;
        return this;
    }

    SimulatedLane callAt(long nanos, Runnable action) {
        callNanos = nanos;
        call = action;
        return this;
    }

    /** Each send takes so long. */
    SimulatedLane sendingTakes(long nanos) {
        sendNanos = nanos;
        return this;
    }

    /** Another thread stamps the ends, also while this process stands still in {@link #poll}. */
    SimulatedLane stampEnds() {
        stampsEnds = true;
        return this;
    }

    /** It is known how long the generator waited for the service with every slot in use. */
    SimulatedLane reportIdle() {
        idleNanos = 0;
        return this;
    }

    SimulatedLane failAtOnce(Outcome failure) {
        instantFailure = failure;
        return this;
    }

    private long nanos() {
        return clock.nanoTime() - startAt;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void send(Exchange exchange) {
        sent++;
        clock.advanceNanos(sendNanos);
        exchange.position = 1;
        if (instantFailure != null) {
            exchange.outcome = instantFailure;
            exchange.completedAt = clock.nanoTime();
            listener.completed(exchange);
            return;
        }
        long done = afterWork(Math.max(nanos(), serverFreeNanos[0]), serviceNanos.applyAsLong(exchange.index));
        occupyFirst(done);
        completions.add(new Completion(startAt + done, exchange, clock.nanoTime()));
        out.add(exchange);
    }

    /** The first server is busy until then: another may now be the first that is free. */
    private void occupyFirst(long untilNanos) {
        int at = 0;
        for (int child = 1; child < serverFreeNanos.length; child = 2 * at + 1) {
            if (child + 1 < serverFreeNanos.length && serverFreeNanos[child + 1] < serverFreeNanos[child]) {
                child++;
            }
            if (serverFreeNanos[child] >= untilNanos) {
                break;
            }
            serverFreeNanos[at] = serverFreeNanos[child];
            at = child;
        }
        serverFreeNanos[at] = untilNanos;
    }

    /** The end of {@code work} begun at {@code from}; no work is done while the service stalls. */
    private long afterWork(long from, long work) {
        long at = from;
        long left = work;
        for (Span span : frozen) {
            if (at < span.untilNanos && at + left > span.fromNanos) {
                left -= Math.max(0, span.fromNanos - at);
                at = span.untilNanos;
            }
        }
        return at + left;
    }

    @Override
    public void abandon(Exchange exchange) {
        if (!out.remove(exchange)) {
            throw new AssertionError("abandoned what was not in flight");
        }
        completions.removeIf(completion -> completion.exchange == exchange);
    }

    @Override
    public void poll(long untilAt) {
        Completion next = completions.peek();
        long goal = next != null && next.at - untilAt < 0 ? next.at : untilAt;
        if (goal - clock.nanoTime() > 0) {
            idleNanos += idleNanos >= 0 && out.size() == capacity ? goal - clock.nanoTime() : 0;
            clock.moveTo(goal);
        }
        for (Span span : ownStandstills) {
            if (nanos() > span.fromNanos && nanos() < span.untilNanos) {
                clock.moveTo(startAt + span.untilNanos);
            }
        }
        if (nanos() >= breakNanos) {
            throw new IllegalStateException("the target's code broke");
        }
        if (nanos() >= callNanos) {
            callNanos = Long.MAX_VALUE;
            call.run();
        }
        while (!completions.isEmpty() && completions.peek().at - clock.nanoTime() <= 0) {
            Completion completion = completions.remove();
            Exchange exchange = completion.exchange;
            out.remove(exchange);
            exchange.completedAt = stampsEnds ? completion.at : clock.nanoTime();
            exchange.firstByteAt = exchange.completedAt;
            listener.completed(exchange);
        }
    }

    @Override
    public long idleWhenFullNanos() {
        return idleNanos;
    }

    @Override
    public ConnectionCounts connections() {
        return ConnectionCounts.NONE;
    }

    @Override
    public void close() {}
}
