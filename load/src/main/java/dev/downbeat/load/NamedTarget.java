package dev.downbeat.load;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.List;

/** A target with the name of its load. Thread-safe. */
record NamedTarget(String describe, Target target) implements Target {
    @Override
    public List<String> names() {
        return target.names();
    }

    @Override
    public int nameOf(Exchange exchange) {
        return target.nameOf(exchange);
    }

    @Override
    public long longestIdleNanos() {
        return target.longestIdleNanos();
    }

    @Override
    public long preconnects() {
        return target.preconnects();
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        return target.open(share, shares, clock, listener);
    }
}
