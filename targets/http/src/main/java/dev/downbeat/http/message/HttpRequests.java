package dev.downbeat.http.message;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.options.HttpEndpoint;
import java.util.List;

/** The varying requests of a target. Immutable, thread-safe. */
public interface HttpRequests {
    /** The services, at least one; each has its own connections. Their paths are ignored. */
    List<HttpEndpoint> services();

    /** The service of a request: a function of its index, session and step only. */
    default int serviceOf(Exchange exchange) {
        return 0;
    }

    /** A one-line description: {@code 4 requests to http://localhost:8080}. */
    String describe();

    /** The request names, 1 to 1,000; each is counted separately. */
    List<String> names();

    /** The name of a request: a function of its index, session and step only. */
    int nameOf(Exchange exchange);

    /**
     * Creates the writer of one lane.
     *
     * @param capacity maximum number of outstanding requests of the lane
     * @param close whether to ask the server to close each connection
     */
    RequestWriter writer(int capacity, boolean close);

    /** Requests that leave to others what they do not do themselves. Thread-safe if both are. */
    interface Wrapper extends HttpRequests {
        HttpRequests requests();

        @Override
        default List<HttpEndpoint> services() {
            return requests().services();
        }

        @Override
        default int serviceOf(Exchange exchange) {
            return requests().serviceOf(exchange);
        }

        @Override
        default String describe() {
            return requests().describe();
        }

        @Override
        default List<String> names() {
            return requests().names();
        }

        @Override
        default int nameOf(Exchange exchange) {
            return requests().nameOf(exchange);
        }
    }
}
