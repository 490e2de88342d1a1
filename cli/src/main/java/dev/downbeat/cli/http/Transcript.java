package dev.downbeat.cli.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.HttpRequests;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import dev.downbeat.http.options.HttpEndpoint;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Requests of which is kept what is sent and what comes back, the hops of redirects included. For one lane at a time. */
final class Transcript implements HttpRequests {
    private final HttpRequests requests;
    private final List<byte[]> sent = new ArrayList<>();
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    Transcript(HttpRequests requests) {
        this.requests = requests;
    }

    /** Begins with another request. */
    void clear() {
        sent.clear();
        head.reset();
        body.reset();
    }

    /** What was sent, the hops included. */
    List<byte[]> requests() {
        return sent;
    }

    /** What came back last, without its transfer coding. */
    Optional<byte[]> answer() {
        if (head.size() == 0) {
            return Optional.empty();
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(head.toByteArray());
        whole.writeBytes(new byte[] {'\r', '\n'});
        whole.writeBytes(body.toByteArray());
        return Optional.of(whole.toByteArray());
    }

    @Override
    public HttpEndpoint endpoint() {
        return requests.endpoint();
    }

    @Override
    public List<HttpEndpoint> services() {
        return requests.services();
    }

    @Override
    public int serviceOf(Exchange exchange) {
        return requests.serviceOf(exchange);
    }

    @Override
    public String describe() {
        return requests.describe();
    }

    @Override
    public List<String> names() {
        return requests.names();
    }

    @Override
    public int nameOf(Exchange exchange) {
        return requests.nameOf(exchange);
    }

    @Override
    public RequestWriter writer(int capacity, boolean close) {
        return new Writer(requests.writer(capacity, close));
    }

    private final class Writer implements RequestWriter {
        private final RequestWriter writer;

        Writer(RequestWriter writer) {
            this.writer = writer;
        }

        @Override
        public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
            Outcome refused = writer.write(exchange, into);
            if (refused == null) {
                sent.add(Arrays.copyOf(into.array(), into.length()));
            }
            return refused;
        }

        @Override
        public boolean goesOn(Exchange exchange, RequestBytes into) {
            boolean more = writer.goesOn(exchange, into);
            if (more) {
                sent.add(Arrays.copyOf(into.array(), into.length()));
            }
            return more;
        }

        @Override
        public boolean expectsNoBody() {
            return writer.expectsNoBody();
        }

        @Override
        public ResponseSink sink(Exchange exchange) {
            return new Kept(writer.sink(exchange));
        }

        @Override
        public Outcome outcome(Exchange exchange, Outcome usual) {
            return writer.outcome(exchange, usual);
        }
    }

    /** Keeps what goes by. */
    private final class Kept implements ResponseSink {
        private final @Nullable ResponseSink inner;

        Kept(@Nullable ResponseSink inner) {
            this.inner = inner;
        }

        @Override
        public void line(byte[] text, int from, int to) {
            if (to - from > 5 && text[from] == 'H' && text[from + 4] == '/') {
                head.reset();
                body.reset();
            }
            head.write(text, from, to - from);
            head.write('\r');
            head.write('\n');
            if (inner != null) {
                inner.line(text, from, to);
            }
        }

        @Override
        public void body(byte[] bytes, int from, int to) {
            body.write(bytes, from, to - from);
            if (inner != null) {
                inner.body(bytes, from, to);
            }
        }
    }
}
