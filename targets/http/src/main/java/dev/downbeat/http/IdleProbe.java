package dev.downbeat.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.IdleResult.Ending;
import dev.downbeat.exchange.IdleResult.Probe;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Sends a request on a new connection, leaves that idle, and sends another: what has become of it? Not thread-safe; use
 * once.
 */
public final class IdleProbe {
    private static final long NAP_NANOS = 20_000_000;

    private final long idleNanos;
    private final boolean probed;
    private final long timeoutNanos;
    private final NanoClock clock;
    private final BooleanSupplier stopped;
    private boolean ended;

    /**
     * @param probed whether the target's options ask the kernel for probes
     * @param timeoutNanos after how long without a response a request has none
     * @param stopped ends the pause early
     */
    public IdleProbe(long idleNanos, boolean probed, long timeoutNanos, NanoClock clock, BooleanSupplier stopped) {
        this.idleNanos = idleNanos;
        this.probed = probed;
        this.timeoutNanos = timeoutNanos;
        this.clock = clock;
        this.stopped = stopped;
    }

    /**
     * Does it; empty if it was stopped.
     *
     * @param target of one connection, with nothing opened beforehand, which sends nothing again
     * @throws IOException if no selector can be opened
     */
    public Optional<Probe> run(HttpTarget target) throws IOException {
        try (OpenedLane lane = target.singleLane(clock, exchange -> ended = true)) {
            Exchange first = send(lane, 0);
            if (first.status == 0) {
                return Optional.of(probe(Ending.NOT_KEPT, first.outcome.reason(), 0, first, 0));
            }
            if (!isOpen(lane)) {
                return Optional.of(probe(Ending.NOT_KEPT, "", 0, first, 0));
            }
            long untilAt = first.completedAt + idleNanos;
            for (long now = clock.nanoTime(); untilAt - now > 0; now = clock.nanoTime()) {
                if (stopped.getAsBoolean()) {
                    return Optional.empty();
                }
                lane.poll(NanoClock.earlier(untilAt, now + NAP_NANOS));
                if (!isOpen(lane)) {
                    return Optional.of(goneWhileIdle(lane, first));
                }
            }
            return Optional.of(second(lane, first));
        }
    }

    private Probe second(OpenedLane lane, Exchange first) {
        long usedAt = clock.nanoTime();
        Exchange second = send(lane, 1);
        long idle = usedAt - first.completedAt;
        if (second.outcome.fate() == Fate.TIMED_OUT) {
            return probe(Ending.SILENT, "no response", idle, first, 0);
        }
        if (second.position == 1) { // over another connection: it was closed at the last moment
            return goneWhileIdle(lane, first);
        }
        return second.status == 0
                ? probe(Ending.BROKEN_ON_USE, second.outcome.reason(), idle, first, 0)
                : probe(Ending.KEPT, "", idle, first, second.serviceNanos());
    }

    private Probe goneWhileIdle(OpenedLane lane, Exchange first) {
        Outcome why = lane.brokenWhileIdle();
        long at = clock.nanoTime() - first.completedAt;
        return why == null ? probe(Ending.CLOSED, "", at, first, 0) : probe(Ending.BROKEN, why.reason(), at, first, 0);
    }

    private Probe probe(Ending ending, String reason, long endedNanos, Exchange first, long secondNanos) {
        return new Probe(
                idleNanos,
                probed,
                ending,
                reason,
                endedNanos,
                first.lookupNanos + first.connectNanos + first.handshakeNanos,
                first.serviceNanos(),
                secondNanos);
    }

    private static boolean isOpen(OpenedLane lane) {
        return lane.connections().openAtEnd() > 0;
    }

    private Exchange send(OpenedLane lane, int index) {
        Exchange exchange = new Exchange(0);
        exchange.index = index;
        long now = clock.nanoTime();
        exchange.begin(now, now, now);
        ended = false;
        lane.send(exchange);
        long timeoutAt = now + timeoutNanos;
        while (!ended) {
            long at = clock.nanoTime();
            if (at - timeoutAt >= 0) {
                lane.abandon(exchange);
                exchange.completedAt = at;
                exchange.outcome = Outcome.timedOut();
                return exchange;
            }
            lane.poll(timeoutAt);
        }
        return exchange;
    }
}
