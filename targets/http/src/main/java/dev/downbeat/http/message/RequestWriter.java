package dev.downbeat.http.message;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import org.jspecify.annotations.Nullable;

/** Writes the requests of one lane and evaluates their responses. Not thread-safe. */
public interface RequestWriter {
    /**
     * Writes a request in wire format.
     *
     * @param into initially empty
     * @return why it cannot be sent; null if it can
     */
    @Nullable
    Outcome write(Exchange exchange, RequestBytes into);

    /** Whether the response to the last request written never has a body, regardless of its head. */
    boolean expectsNoBody();

    /** The consumer of the response to the last request written; null if it is not inspected. */
    @Nullable
    ResponseSink sink(Exchange exchange);

    /**
     * Writes a follow-up request that the response calls for, such as a redirect; both belong to one exchange. Called
     * once after each answered response.
     *
     * @param into initially empty
     * @return whether there is a follow-up request
     */
    default boolean goesOn(Exchange exchange, RequestBytes into) {
        return false;
    }

    /**
     * The outcome of a complete response.
     *
     * @param usual the default outcome for its status
     */
    Outcome outcome(Exchange exchange, Outcome usual);
}
