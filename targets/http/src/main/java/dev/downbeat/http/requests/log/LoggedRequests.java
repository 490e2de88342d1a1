package dev.downbeat.http.requests.log;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.requests.RequestTemplate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The requests of an access log, each with its method and path, in time order, without bodies. The file is read while
 * they are sent. Immutable, thread-safe.
 */
public final class LoggedRequests implements HttpRequests {
    private static final byte[] VERSION = RequestTemplate.ascii(" HTTP/1.1\r\n");
    private static final byte[] EMPTY = RequestTemplate.ascii("Content-Length: 0\r\n");
    private static final byte[] CLOSE = RequestTemplate.ascii("Connection: close\r\n");
    private static final Outcome TRUNCATED = Outcome.ownLimit("the access log was truncated during the run");
    private static final byte[] LINE_END = RequestTemplate.ascii("\r\n");

    private final HttpEndpoint endpoint;
    private final LoggedLines lines;
    private final byte[] head;
    private final boolean closesConnection;

    /**
     * The requests of a log, for a service.
     *
     * @param endpoint the service; its path is ignored
     * @param headers added to each request
     */
    public LoggedRequests(HttpEndpoint endpoint, LoggedLines lines, List<HttpRequest.Header> headers) {
        this.endpoint = endpoint;
        this.lines = lines;
        this.closesConnection = headers.stream().anyMatch(HttpRequest::isConnectionClose);
        this.head =
                HttpRequest.lines(HttpRequest.withDefaults(endpoint, headers)).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<HttpEndpoint> services() {
        return List.of(endpoint);
    }

    @Override
    public String describe() {
        return String.format(
                Locale.ROOT,
                "%,d logged %s to %s",
                lines.count(),
                lines.count() == 1 ? "request" : "requests",
                endpoint.service());
    }

    @Override
    public List<String> names() {
        return lines.names();
    }

    @Override
    public int nameOf(Exchange exchange) {
        return lines.nameOf(exchange.index);
    }

    @Override
    public RequestWriter writer(int capacity, boolean close) {
        return new Writer(close);
    }

    /** Not thread-safe. */
    private final class Writer implements RequestWriter {
        private final boolean close;

        Writer(boolean close) {
            this.close = close;
        }

        @Override
        public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
            lines.write(exchange.index, into);
            if (into.length() == 0) {
                return TRUNCATED;
            }
            byte[] bytes = into.array();
            boolean sendsContentLength = bytes[0] == 'P' && bytes[1] != 'R';
            into.append(VERSION);
            into.append(head);
            if (sendsContentLength) {
                into.append(EMPTY);
            }
            if (close) {
                into.append(CLOSE);
            }
            into.append(LINE_END);
            return null;
        }

        @Override
        public boolean closesConnection() {
            return closesConnection;
        }

        @Override
        public @Nullable ResponseSink sink(Exchange exchange) {
            return null;
        }

        @Override
        public Outcome outcome(Exchange exchange, Outcome usual) {
            return usual;
        }
    }
}
