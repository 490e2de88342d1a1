package dev.downbeat.http.message;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import org.jspecify.annotations.Nullable;

/** Transforms the output of another writer. Not thread-safe. */
public abstract class RewritingWriter implements RequestWriter {
    private final RequestWriter writer;
    private final RequestBytes plain = new RequestBytes();

    /** Wraps another writer. */
    protected RewritingWriter(RequestWriter writer) {
        this.writer = writer;
    }

    /** Writes the transformed form of a request, which starts at the first of these bytes. */
    protected abstract void rewrite(byte[] request, int length, RequestBytes into);

    @Override
    public final @Nullable Outcome write(Exchange exchange, RequestBytes into) {
        plain.clear();
        Outcome refused = writer.write(exchange, plain);
        if (refused == null) {
            rewrite(plain.array(), plain.length(), into);
        }
        return refused;
    }

    @Override
    public final boolean goesOn(Exchange exchange, RequestBytes into) {
        plain.clear();
        boolean more = writer.goesOn(exchange, plain);
        if (more) {
            rewrite(plain.array(), plain.length(), into);
        }
        return more;
    }

    @Override
    public final boolean expectsNoBody() {
        return writer.expectsNoBody();
    }

    @Override
    public final @Nullable ResponseSink sink(Exchange exchange) {
        return writer.sink(exchange);
    }

    @Override
    public final Outcome outcome(Exchange exchange, Outcome usual) {
        return writer.outcome(exchange, usual);
    }
}
