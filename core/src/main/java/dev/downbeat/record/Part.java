package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;

/** What a response time is made of. The parts of one request add up to its response time. */
public enum Part {
    /** From intended to dispatched: our own delay. */
    LATENESS("our lateness"),
    /** From dispatched to started: no free connection. */
    BACKLOG_WAIT("wait for a connection"),
    /** From dispatched to started, where a slot is a stream: none was free. */
    STREAM_WAIT("wait for a free stream"),
    /** The name look-up of a new connection. */
    LOOKUP("name look-up"),
    /** The connect of a new connection. */
    CONNECT("connect"),
    /** The TLS handshake of a new connection. */
    HANDSHAKE("TLS handshake"),
    /** Until the server's flow-control window, or the server itself, took all of the request's body. */
    WINDOW_WAIT("wait for the server's window"),
    /** From the request's leaving to the first byte of the response, without the wait for a window. */
    FIRST_BYTE("wait for the first byte"),
    /** From the first byte of the response to the last. */
    READING("reading the response");

    private final String words;

    Part(String words) {
        this.words = words;
    }

    /** In a few words, for a reader. */
    public String words() {
        return words;
    }

    /** This part of one exchange that has ended, in nanoseconds. */
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
