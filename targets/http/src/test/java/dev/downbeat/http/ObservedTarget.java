package dev.downbeat.http;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.time.NanoClock;
import java.io.IOException;

/**
 * A decorator that notifies an observer just before each request is sent. Thread-safe if the observer is.
 *
 * @param target the actual target
 * @param observer notified before each request
 */
record ObservedTarget(Target target, Observer observer) implements Target.Wrapper {
    /** Notified of each request, on the generator's thread; time spent here delays the request. */
    @FunctionalInterface
    interface Observer {
        /** The exchange is about to be sent. */
        void sends(Exchange exchange);
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        return new ObservedLane(target.open(share, shares, clock, listener), observer);
    }

    private record ObservedLane(Lane lane, Observer observer) implements Lane {
        @Override
        public int capacity() {
            return lane.capacity();
        }

        @Override
        public void send(Exchange exchange) {
            observer.sends(exchange);
            lane.send(exchange);
        }

        @Override
        public void abandon(Exchange exchange) {
            lane.abandon(exchange);
        }

        @Override
        public boolean abandonUnlessEnded(Exchange exchange) {
            return lane.abandonUnlessEnded(exchange);
        }

        @Override
        public void end() {
            lane.end();
        }

        @Override
        public void poll(long untilAt) {
            lane.poll(untilAt);
        }

        @Override
        public long idleWhenFullNanos() {
            return lane.idleWhenFullNanos();
        }

        @Override
        public ConnectionCounts connections() {
            return lane.connections();
        }

        @Override
        public TargetCounts counts() {
            return lane.counts();
        }

        @Override
        public void close() {
            lane.close();
        }
    }
}
