package dev.downbeat.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.options.HttpEndpoint;
import java.util.List;

/** What an {@link HttpTarget} sends where its requests differ. Immutable, thread-safe. */
public interface HttpRequests {
    /** The service that all of them ask, or the first of these; its path is not used. */
    HttpEndpoint endpoint();

    /** The services that they ask, at least one; each has connections of its own. */
    default List<HttpEndpoint> services() {
        return List.of(endpoint());
    }

    /** Which of the services a request asks: a function of its index, session and step alone. */
    default int serviceOf(Exchange exchange) {
        return 0;
    }

    /** In one line: {@code 4 requests to http://localhost:8080}. */
    String describe();

    /** Their names, at least one and at most 1,000; each is counted on its own. */
    List<String> names();

    /** Which of the names a request has: a function of its index, session and step alone. */
    int nameOf(Exchange exchange);

    /**
     * Makes what one lane writes its requests with.
     *
     * @param capacity how many requests of the lane are outstanding at most
     * @param close whether to ask the server to close each connection
     */
    RequestWriter writer(int capacity, boolean close);
}
