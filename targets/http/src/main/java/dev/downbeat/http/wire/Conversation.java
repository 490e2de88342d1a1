package dev.downbeat.http.wire;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.time.NanoClock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a lane asks and what it makes of the answers, whatever the version of HTTP: writes requests that differ, follows what a
 * response asks for, and tells the end of each. Not thread-safe.
 */
public final class Conversation {
    private final @Nullable RequestWriter writer;
    private final HttpFailures failures;
    private final NanoClock clock;
    private final Exchange.Listener listener;
    private final RequestBytes written = new RequestBytes();
    private long hops;

    /**
     * The conversation of one lane.
     *
     * @param writer writes its requests; null if they are all the same
     */
    public Conversation(
            @Nullable RequestWriter writer, HttpFailures failures, NanoClock clock, Exchange.Listener listener) {
        this.writer = writer;
        this.failures = failures;
        this.clock = clock;
        this.listener = listener;
    }

    /** Writes requests that differ; null if they are all the same. */
    public @Nullable RequestWriter writer() {
        return writer;
    }

    /** The request that was written last. */
    public RequestBytes written() {
        return written;
    }

    /** Writes the request of an exchange; false if it cannot be sent, and that was its end. */
    public boolean writes(RequestWriter own, Exchange exchange) {
        written.clear();
        Outcome refused = own.write(exchange, written);
        if (refused == null) {
            return true;
        }
        exchange.unconnected = true;
        exchange.outcome = refused;
        exchange.completedAt = clock.nanoTime();
        listener.completed(exchange);
        return false;
    }

    /** What a complete response means. */
    public Outcome outcome(Exchange exchange) {
        Outcome usual = failures.ofStatus(exchange.status);
        return writer == null ? usual : writer.outcome(exchange, usual);
    }

    /**
     * Ends an exchange that has its outcome, unless the response asks for another request, which is then {@link #written}: its
     * time is part of the exchange.
     */
    public boolean goesOn(Exchange exchange) {
        if (writer != null && exchange.outcome.fate() == Fate.ANSWERED) {
            written.clear();
            if (writer.goesOn(exchange, written)) {
                hops++;
                return true;
            }
        }
        listener.completed(exchange);
        return false;
    }

    /** What was counted over the connections, and here. */
    public TargetCounts counts(ConnectionTally tally) {
        TargetCounts counts = tally.targetCounts();
        return hops == 0 ? counts : counts.plus(new TargetCounts(Map.of("redirects followed", hops)));
    }
}
