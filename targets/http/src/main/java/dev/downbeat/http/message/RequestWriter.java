package dev.downbeat.http.message;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import java.nio.ByteBuffer;
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

    /** Whether the last request written has {@code Connection: close}. */
    boolean closesConnection();

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
    default boolean writeFollowUp(Exchange exchange, RequestBytes into) {
        return false;
    }

    /** The outcome of a complete response, given the default one for its status. */
    Outcome outcome(Exchange exchange, Outcome usual);

    /** Transforms requests. */
    interface Rewrite {
        /** Writes the transformed form of a request, which starts at the first of these bytes. */
        void rewrite(byte[] request, int length, RequestBytes into);
    }

    /** Transforms the output of another writer. Not thread-safe. */
    final class Rewriting implements RequestWriter {
        private final RequestWriter writer;
        private final Rewrite rewrite;
        private final RequestBytes plain = new RequestBytes();

        public Rewriting(RequestWriter writer, Rewrite rewrite) {
            this.writer = writer;
            this.rewrite = rewrite;
        }

        @Override
        public @Nullable Outcome write(Exchange exchange, RequestBytes into) {
            plain.clear();
            Outcome refused = writer.write(exchange, plain);
            if (refused == null) {
                rewrite.rewrite(plain.array(), plain.length(), into);
            }
            return refused;
        }

        @Override
        public boolean writeFollowUp(Exchange exchange, RequestBytes into) {
            plain.clear();
            boolean more = writer.writeFollowUp(exchange, plain);
            if (more) {
                rewrite.rewrite(plain.array(), plain.length(), into);
            }
            return more;
        }

        @Override
        public boolean closesConnection() {
            return writer.closesConnection();
        }

        @Override
        public @Nullable ResponseSink sink(Exchange exchange) {
            return writer.sink(exchange);
        }

        @Override
        public Outcome outcome(Exchange exchange, Outcome usual) {
            return writer.outcome(exchange, usual);
        }
    }

    /**
     * A request in wire format, and the consumer of its response.
     *
     * @param bytes the whole of an array that is never modified
     * @param closesConnection whether it has {@code Connection: close}
     * @param sink null if the response is not inspected
     */
    record OutgoingRequest(
            ByteBuffer bytes,
            boolean closesConnection,
            @Nullable ResponseSink sink) {}

    /** Receives a response while it is read. The arrays belong to the reader and must not be retained. */
    interface ResponseSink {
        /** The status line or a header field, without its line end; a status line starts a new response. */
        void line(byte[] text, int from, int to);

        void body(byte[] bytes, int from, int to);
    }
}
