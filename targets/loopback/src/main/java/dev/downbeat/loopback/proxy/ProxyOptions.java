package dev.downbeat.loopback.proxy;

import dev.downbeat.time.ServiceLaw;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The behaviour of a proxy. Immutable; starts with {@link #to}, modified by the other methods.
 *
 * @param backendPort the backend's plain port on 127.0.0.1; 1 to 65535
 * @param tls whether the proxy uses TLS
 * @param closing the number of requests after which it closes a connection
 * @param answering minimum time from a request's arrival to its response, including the backend's time
 * @param opening delay before a new connection's first byte is read, such as for a TLS handshake
 * @param seed random seed: the n-th accepted connection always draws the same values
 */
public record ProxyOptions(
        int backendPort, boolean tls, Closing closing, ServiceLaw answering, ServiceLaw opening, long seed) {
    /** Rejects a port out of range. */
    public ProxyOptions {
        if (backendPort < 1 || backendPort > 65_535) {
            throw new IllegalArgumentException("backend-port must be from 1 to 65535, but was " + backendPort);
        }
        Objects.requireNonNull(closing, "closing");
        Objects.requireNonNull(answering, "answering");
        Objects.requireNonNull(opening, "opening");
    }

    /** Plain, without delays or closes. */
    public static ProxyOptions to(int backendPort) {
        return new ProxyOptions(
                backendPort, false, Closing.after(Integer.MAX_VALUE, false), ServiceLaw.NONE, ServiceLaw.NONE, 1);
    }

    /** A copy with TLS. */
    public ProxyOptions encrypted() {
        return new ProxyOptions(backendPort, true, closing, answering, opening, seed);
    }

    /** A copy with another closing. */
    public ProxyOptions closing(Closing other) {
        return new ProxyOptions(backendPort, tls, other, answering, opening, seed);
    }

    /** A copy with other delays. */
    public ProxyOptions delays(ServiceLaw ofAnswers, ServiceLaw ofConnections) {
        return new ProxyOptions(backendPort, tls, closing, ofAnswers, ofConnections, seed);
    }

    /**
     * The number of requests after which a connection is closed. Immutable.
     *
     * @param least at least 1
     * @param most at least {@code least}; each connection draws a number from {@code least} to {@code most}
     * @param notice whether the last response says {@code Connection: close}
     */
    public record Closing(int least, int most, boolean notice) {
        /** Rejects numbers below 1 and an empty range. */
        public Closing {
            if (least < 1 || most < least) {
                throw new IllegalArgumentException(
                        "a closing must be from 1 or more to no less, but was from " + least + " to " + most);
            }
        }

        /** Closes after this many requests. */
        public static Closing after(int requests, boolean notice) {
            return new Closing(requests, requests, notice);
        }

        int next(RandomGenerator random) {
            return least == most ? least : (int) random.nextLong(least, most + 1L);
        }
    }
}
