package dev.downbeat.run;

import dev.downbeat.target.ConnectionCounts;
import dev.downbeat.target.Exchange;
import dev.downbeat.target.Lane;
import dev.downbeat.target.Target;
import dev.downbeat.time.NanoClock;

/** A target that answers within the send, by the clock of the run. */
final class AnswersAtOnce implements Target {
    @Override
    public String describe() {
        return "a target that answers within the send";
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
        return new Lane() {
            @Override
            public int capacity() {
                return 4;
            }

            @Override
            public void send(Exchange exchange) {
                exchange.completedAt = clock.nanoTime();
                listener.completed(exchange);
            }

            @Override
            public void abandon(Exchange exchange) {}

            @Override
            public void poll(long untilAt) {}

            @Override
            public ConnectionCounts connections() {
                return ConnectionCounts.NONE;
            }

            @Override
            public void close() {}
        };
    }
}
