package dev.downbeat.cli;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Passes everything on to another target, and remembers when the first request was meant to start. Thread-safe. */
final class FirstIntended implements Target {
    private final Target target;
    private final CountDownLatch seen = new CountDownLatch(1);
    private volatile long intendedAt;

    FirstIntended(Target target) {
        this.target = target;
    }

    /** Waits for the first request; false if none came within the time. */
    boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return seen.await(timeout, unit);
    }

    /** When the first request was meant to start, by the run's clock. */
    long at() {
        return intendedAt;
    }

    @Override
    public String describe() {
        return target.describe();
    }

    @Override
    public List<String> names() {
        return target.names();
    }

    @Override
    public int nameOf(Exchange exchange) {
        return target.nameOf(exchange);
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        return new Watching(target.open(share, shares, clock, listener));
    }

    private final class Watching implements Lane {
        private final Lane lane;

        Watching(Lane lane) {
            this.lane = lane;
        }

        @Override
        public int capacity() {
            return lane.capacity();
        }

        @Override
        public void send(Exchange exchange) {
            if (exchange.index == 0) {
                intendedAt = exchange.intendedAt;
                seen.countDown();
            }
            lane.send(exchange);
        }

        @Override
        public void abandon(Exchange exchange) {
            lane.abandon(exchange);
        }

        @Override
        public void poll(long untilAt) {
            lane.poll(untilAt);
        }

        @Override
        public ConnectionCounts connections() {
            return lane.connections();
        }

        @Override
        public void close() {
            lane.close();
        }
    }
}
