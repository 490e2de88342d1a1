package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;

/** The components of a response time. For one request they add up to its response time. */
public enum Part {
    /** From intended start to dispatch: Downbeat's own delay. */
    LATENESS("Downbeat's lateness"),
    /** From dispatch to start: no free connection. */
    BACKLOG_WAIT("wait for a connection"),
    /** From dispatch to start on multiplexed connections: no free stream. */
    STREAM_WAIT("wait for a free stream"),
    /** The DNS lookup of a new connection. */
    LOOKUP("name lookup"),
    /** The connect of a new connection. */
    CONNECT("connect"),
    /** The TLS handshake of a new connection. */
    HANDSHAKE("TLS handshake"),
    /** Until the server, or its flow-control window, accepted the whole request body. */
    WINDOW_WAIT("wait for the server's window"),
    /** From sending the request to the first byte of the response, without the wait for a window. */
    FIRST_BYTE("wait for the first byte"),
    /** From the first to the last byte of the response. */
    READING("reading the response");

    private final String words;

    Part(String words) {
        this.words = words;
    }

    /** A short display name of requests over HTTP; {@link PartNames} has those of a run. */
    public String words() {
        return words;
    }

    /** The duration of this part in a completed exchange, in nanoseconds. */
    public long nanosOf(Exchange exchange) {
        return switch (this) {
            case LATENESS -> exchange.latenessNanos();
            case BACKLOG_WAIT -> exchange.onStream ? 0 : exchange.backlogWaitNanos();
            case STREAM_WAIT -> exchange.onStream ? exchange.backlogWaitNanos() : 0;
            case LOOKUP -> exchange.lookupNanos;
            case CONNECT -> exchange.connectNanos;
            case HANDSHAKE -> exchange.handshakeNanos;
            case FIRST_BYTE ->
                exchange.firstByteAt
                        - exchange.startedAt
                        - newConnectionNanos(exchange)
                        - exchange.windowNanos
                        - exchange.idleNanos;
            case WINDOW_WAIT -> exchange.windowNanos;
            case READING -> exchange.completedAt - exchange.firstByteAt;
        };
    }

    private static long newConnectionNanos(Exchange exchange) {
        return exchange.lookupNanos + exchange.connectNanos + exchange.handshakeNanos;
    }
}
