package dev.downbeat.http.requests;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The same requests, with those served by a cold instance counted under a separate name. A cold instance is recognised
 * by a response header, or by the idle time before the request. Immutable, thread-safe.
 *
 * @param requests the requests
 * @param header name of a header that only a cold instance sends, or sends with a value other than false or 0; empty
 *     for none
 * @param gapNanos idle time of the lane after which a request is cold; {@link Long#MAX_VALUE} for never
 */
public record ColdRequests(HttpRequests requests, String header, long gapNanos) implements HttpRequests.Wrapper {
    private static final String COLD = " (cold)";

    public ColdRequests {
        header = header.toLowerCase(Locale.ROOT);
        if (2 * requests.names().size() > RequestSet.MOST_NAMES) {
            throw new IllegalArgumentException("cold requests have names of their own: at most "
                    + RequestSet.MOST_NAMES / 2 + " names of requests, but was "
                    + requests.names().size());
        }
    }

    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>(requests.names());
        requests.names().forEach(name -> names.add(name + COLD));
        return names;
    }

    @Override
    public RequestWriter writer(int capacity, boolean close) {
        return new Writer(requests.writer(capacity, close), capacity);
    }

    private final class Writer implements RequestWriter {
        private final RequestWriter writer;
        private final Marker[] bySlot;
        private boolean hasSent;
        private long sentAt;

        Writer(RequestWriter writer, int capacity) {
            this.writer = writer;
            this.bySlot = new Marker[capacity];
            for (int i = 0; i < capacity; i++) {
                bySlot[i] = new Marker();
            }
        }

        @Override
        public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
            bySlot[exchange.slot].isCold =
                    gapNanos != Long.MAX_VALUE && (!hasSent || exchange.startedAt - sentAt >= gapNanos);
            hasSent = true;
            exchange.name = name(exchange); // it may end without a response
            sentAt = exchange.startedAt;
            return writer.write(exchange, into);
        }

        @Override
        public boolean closesConnection() {
            return writer.closesConnection();
        }

        @Override
        public @Nullable ResponseSink sink(Exchange exchange) {
            Marker marker = bySlot[exchange.slot];
            marker.next = writer.sink(exchange);
            return header.isEmpty() ? marker.next : marker;
        }

        @Override
        public boolean writeFollowUp(Exchange exchange, RequestBytes into) {
            return writer.writeFollowUp(exchange, into);
        }

        @Override
        public Outcome outcome(Exchange exchange, Outcome usual) {
            Outcome outcome = writer.outcome(exchange, usual);
            exchange.name = name(exchange);
            return outcome;
        }

        private int name(Exchange exchange) {
            int name = requests.nameOf(exchange);
            return bySlot[exchange.slot].isCold ? name + requests.names().size() : name;
        }
    }

    /** Looks for the header. */
    private final class Marker implements ResponseSink {
        private boolean isCold;
        private @Nullable ResponseSink next;

        @Override
        public void line(byte[] text, int from, int to) {
            isCold |= marks(text, from, to);
            if (next != null) {
                next.line(text, from, to);
            }
        }

        private boolean marks(byte[] text, int from, int to) {
            int colon = from + header.length();
            if (colon >= to || text[colon] != ':') {
                return false;
            }
            String line = new String(text, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
            String value = line.substring(header.length() + 1).strip();
            return line.startsWith(header) && !value.equals("false") && !value.equals("0");
        }

        @Override
        public void body(byte[] bytes, int from, int to) {
            if (next != null) {
                next.body(bytes, from, to);
            }
        }
    }
}
