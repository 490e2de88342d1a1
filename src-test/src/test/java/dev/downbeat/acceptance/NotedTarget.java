package dev.downbeat.acceptance;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Passes everything on to another target, and notes when the run's first request was meant to start. */
final class NotedTarget implements Target {
    private final Target target;
    private final CompletableFuture<Long> first = new CompletableFuture<>();

    NotedTarget(Target target) {
        this.target = target;
    }

    /** When the request of index 0 was meant to start; waits for it. */
    long firstIntendedAt() throws Exception {
        return first.get(30, TimeUnit.SECONDS);
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
        Lane lane = target.open(share, shares, clock, listener);
        return new Lane() {
            @Override
            public int capacity() {
                return lane.capacity();
            }

            @Override
            public void send(Exchange exchange) {
                if (exchange.index == 0) {
                    first.complete(exchange.intendedAt);
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
        };
    }
}
