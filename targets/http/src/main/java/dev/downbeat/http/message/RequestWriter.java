package dev.downbeat.http.message;

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
     * Goes on with a request whose response asks for another, such as a redirect that is followed: both are one exchange.
     * Asked once after each response that is answered.
     *
     * @param into is empty
     * @return whether there is another to send
     */
    default boolean goesOn(Exchange exchange, RequestBytes into) {
        return false;
    }

    /**
     * How a complete response counts.
     *
     * @param usual what its status means unless the request says otherwise
     */
    Outcome outcome(Exchange exchange, Outcome usual);
}
