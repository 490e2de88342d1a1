package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;

/** A target that answers within the send, by the clock of the run. */
public class AnswersAtOnce implements Target {
    @Override
    public String describe() {
        return "a target that answers within the send";
    }

    /** What the run does until a moment. */
    protected void polled(long untilAt) {}

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
            public void poll(long untilAt) {
                polled(untilAt);
            }

            @Override
            public ConnectionCounts connections() {
                return ConnectionCounts.NONE;
            }

            @Override
            public void close() {}
        };
    }
}
