package dev.downbeat.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import org.jspecify.annotations.Nullable;

/** Writes the requests of one lane and reads what their responses are asked for. Not thread-safe. */
public interface RequestWriter {
    /**
     * Writes a request as it goes on the wire.
     *
     * @param into is empty
     * @return why it cannot be sent; null if it can
     */
    @Nullable
    Outcome write(Exchange exchange, RequestBytes into);

    /** Whether the response to the request written last has no body, whatever its head says. */
    boolean expectsNoBody();

    /** Who looks at the response to the request written last; null if nobody does. */
    @Nullable
    ResponseSink sink(Exchange exchange);

    /**
     * How a complete response counts.
     *
     * @param usual what its status means unless the request says otherwise
     */
    Outcome outcome(Exchange exchange, Outcome usual);
}
