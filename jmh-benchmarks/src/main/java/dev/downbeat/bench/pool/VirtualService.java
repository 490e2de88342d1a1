package dev.downbeat.bench.pool;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A service in virtual time: connections are the slots of the lane, each server works on one request, service times are
 * exponential. Shows the behaviour of a pool without disturbances by the machine.
 *
 * <p>For one generator; not thread-safe.
 */
final class VirtualService implements Target {
    private final ManualClock clock;
    private final int connections;
    private final int servers;
    private final long meanServiceNanos;
    private final SplittableRandom random;

    private record Completion(long at, Exchange exchange) {}

    VirtualService(ManualClock clock, int connections, int servers, long meanServiceNanos, long seed) {
        this.clock = clock;
        this.connections = connections;
        this.servers = servers;
        this.meanServiceNanos = meanServiceNanos;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public String describe() {
        return "a service in virtual time";
    }

    @Override
    public Lane open(int share, int shares, NanoClock runClock, Exchange.Listener listener) {
        return new VirtualLane(listener);
    }

    private final class VirtualLane implements Lane {
        private final Exchange.Listener listener;
        private final PriorityQueue<Completion> completions =
                new PriorityQueue<>(Comparator.comparingLong(Completion::at));
        private final PriorityQueue<Long> serversFreeAt = new PriorityQueue<>();

        VirtualLane(Exchange.Listener listener) {
            this.listener = listener;
            for (int i = 0; i < servers; i++) {
                serversFreeAt.add(clock.nanoTime());
            }
        }

        @Override
        public int capacity() {
            return connections;
        }

        @Override
        public void send(Exchange exchange) {
            long beginsAt = Math.max(clock.nanoTime(), serversFreeAt.remove());
            long endsAt = beginsAt + Math.round(-Math.log(1 - random.nextDouble()) * meanServiceNanos);
            serversFreeAt.add(endsAt);
            completions.add(new Completion(endsAt, exchange));
        }

        @Override
        public void abandon(Exchange exchange) {
            completions.removeIf(completion -> completion.exchange() == exchange);
        }

        @Override
        public void poll(long untilAt) {
            Completion next = completions.peek();
            if (next == null || next.at() - untilAt > 0) {
                clock.awaitUntil(untilAt);
                return;
            }
            completions.remove();
            clock.awaitUntil(next.at());
            next.exchange().completedAt = clock.nanoTime();
            next.exchange().position = 1;
            listener.completed(next.exchange());
        }

        @Override
        public ConnectionCounts connections() {
            return ConnectionCounts.NONE;
        }

        @Override
        public void close() {}
    }
}
