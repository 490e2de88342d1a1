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
 * Writes varying requests, follows up on responses and reports the end of each exchange, independent of the HTTP
 * version. Not thread-safe.
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

    /** The writer of varying requests; null if they are all the same. */
    public @Nullable RequestWriter writer() {
        return writer;
    }

    public RequestBytes written() {
        return written;
    }

    /** Writes the request of an exchange; false if it cannot be sent, which ends the exchange. */
    public boolean writes(RequestWriter with, Exchange exchange) {
        written.clear();
        Outcome refused = with.write(exchange, written);
        if (refused == null) {
            return true;
        }
        exchange.unconnected = true;
        exchange.outcome = refused;
        exchange.completedAt = clock.nanoTime();
        listener.completed(exchange);
        return false;
    }

    /** The outcome of a complete response. */
    public Outcome outcome(Exchange exchange) {
        Outcome usual = failures.ofStatus(exchange.status);
        return writer == null ? usual : writer.outcome(exchange, usual);
    }

    /**
     * Ends a completed exchange, unless its response requires a follow-up request, which is then {@link #written}. The
     * follow-up's time is part of the exchange.
     */
    public boolean hasFollowUp(Exchange exchange) {
        if (writer != null && exchange.outcome.fate() == Fate.ANSWERED) {
            written.clear();
            if (writer.writeFollowUp(exchange, written)) {
                hops++;
                exchange.firstByteAt = exchange.startedAt; // the response is the last one's
                exchange.status = 0;
                return true;
            }
        }
        if (exchange.outcome.fate() == Fate.NEVER_SENT && exchange.position > 0) {
            exchange.outcome = Outcome.ownLimitAfterSending(exchange.outcome.reason()); // such as at its second hop
        }
        listener.completed(exchange);
        return false;
    }

    /** The counts of the connections and of this conversation. */
    public TargetCounts counts(ConnectionCounter counter) {
        TargetCounts counts = counter.targetCounts();
        return hops == 0 ? counts : counts.plus(new TargetCounts(Map.of("redirects followed", hops)));
    }
}
