package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.OutgoingRequest;
import dev.downbeat.http.wire.Conversation;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The requests of one HTTP/2 lane, each on the stream object of its slot. Not thread-safe. */
final class H2Requests {
    private final Conversation conversation;
    private final @Nullable H2Stream[] bySlot;
    private final @Nullable H2Connection[] connectionBySlot;
    private final byte[] constant;
    private final boolean constantExpectsNoBody;
    private final H2Head head;

    /**
     * For a new lane.
     *
     * @param encoded the request, if all are the same
     * @param expectsNoBody whether its response never has a body
     */
    H2Requests(
            Conversation conversation, ByteBuffer encoded, boolean expectsNoBody, int capacity, boolean isEncrypted) {
        this.conversation = conversation;
        this.bySlot = new H2Stream[capacity];
        this.connectionBySlot = new H2Connection[capacity];
        this.constant = new byte[encoded.remaining()];
        encoded.duplicate().get(constant);
        this.constantExpectsNoBody = expectsNoBody;
        this.head = new H2Head(isEncrypted);
        if (conversation.writer() == null) {
            head.parse(constant, constant.length);
        }
    }

    /** Whether a stream carries the common request: requests are neither given nor written individually. */
    private boolean isConstant(H2Stream stream) {
        return stream.request == constant;
    }

    /** The stream that carries an exchange; null if there is none. */
    @Nullable
    H2Stream carrying(Exchange exchange) {
        H2Stream stream = bySlot[exchange.slot];
        return stream == null || stream.exchange != exchange ? null : stream;
    }

    /** A stream with the request of an exchange; null if it cannot be sent and has ended. */
    @Nullable
    H2Stream next(Exchange exchange) {
        RequestWriter writer = conversation.writer();
        if (writer != null && !conversation.writes(writer, exchange)) {
            return null;
        }
        H2Stream stream = ofSlot(exchange.slot);
        if (writer == null) {
            stream.begin(exchange, constant);
            stream.expectsNoBody = constantExpectsNoBody;
        } else {
            carry(stream, exchange, writer);
        }
        return stream;
    }

    /** A stream with a given request. */
    H2Stream next(Exchange exchange, OutgoingRequest outgoing) {
        H2Stream stream = ofSlot(exchange.slot);
        stream.begin(exchange, outgoing.bytes().array());
        stream.expectsNoBody = outgoing.expectsNoBody();
        stream.sink = outgoing.sink();
        return stream;
    }

    private H2Stream ofSlot(int slot) {
        H2Stream stream = bySlot[slot];
        if (stream == null) {
            stream = new H2Stream();
            bySlot[slot] = stream;
        }
        connectionBySlot[slot] = null;
        return stream;
    }

    private void carry(H2Stream stream, Exchange exchange, RequestWriter writer) {
        stream.begin(exchange, conversation.written());
        stream.expectsNoBody = writer.expectsNoBody();
        stream.sink = writer.sink(exchange);
    }

    /** Whether a completed exchange continues with a follow-up request on the same stream object. */
    boolean goesOn(H2Stream stream, Exchange exchange) {
        RequestWriter writer = conversation.writer();
        if (!conversation.goesOn(exchange) || writer == null) {
            return false;
        }
        carry(stream, exchange, writer);
        stream.keepsStart = true;
        return true;
    }

    /** The connection that a stream was sent on or waits for; null if neither. */
    @Nullable
    H2Connection connectionOf(H2Stream stream) {
        return connectionBySlot[stream.carried().slot];
    }

    /** Makes a stream wait for this connection to open; for any if null. */
    void waitsFor(H2Stream stream, @Nullable H2Connection connection) {
        connectionBySlot[stream.carried().slot] = connection;
    }

    /** Sends the request of a stream. */
    void start(H2Stream stream, H2Connection connection) {
        boolean isConstant = isConstant(stream);
        if (!isConstant) {
            head.parse(stream.request, stream.requestLength);
        }
        waitsFor(stream, connection);
        connection.start(stream, head, isConstant);
    }
}
