package dev.downbeat.loopback.front;

import dev.downbeat.loopback.options.DelayLaw;
import java.util.Objects;

/**
 * How a front behaves. Immutable; begins with {@link #to} and changes by the other methods.
 *
 * @param backendPort where on 127.0.0.1 the backend listens, in the clear; 1 to 65535
 * @param tls whether the front speaks TLS
 * @param closing after how many requests it closes a connection
 * @param answering how long after its arrival a request is answered at the earliest, the backend's time included
 * @param opening how long a new connection waits before its first byte is read, such as a TLS handshake's
 * @param seed of all chance: the n-th accepted connection always draws the same
 */
public record FrontOptions(
        int backendPort, boolean tls, Closing closing, DelayLaw answering, DelayLaw opening, long seed) {
    /** Refuses a port out of range. */
    public FrontOptions {
        if (backendPort < 1 || backendPort > 65_535) {
            throw new IllegalArgumentException("backend-port must be from 1 to 65535, but was " + backendPort);
        }
        Objects.requireNonNull(closing, "closing");
        Objects.requireNonNull(answering, "answering");
        Objects.requireNonNull(opening, "opening");
    }

    /** In the clear, without delay, closing nothing. */
    public static FrontOptions to(int backendPort) {
        return new FrontOptions(backendPort, false, Closing.never(), DelayLaw.NONE, DelayLaw.NONE, 1);
    }

    /** The same with TLS. */
    public FrontOptions encrypted() {
        return new FrontOptions(backendPort, true, closing, answering, opening, seed);
    }

    /** The same with another closing. */
    public FrontOptions closing(Closing other) {
        return new FrontOptions(backendPort, tls, other, answering, opening, seed);
    }

    /** The same with other delays. */
    public FrontOptions delays(DelayLaw ofAnswers, DelayLaw ofConnections) {
        return new FrontOptions(backendPort, tls, closing, ofAnswers, ofConnections, seed);
    }
}
