package dev.downbeat.http.wire;

import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.tls.TlsEngines;
import dev.downbeat.time.NanoClock;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the requests of a lane go, and over what: all that a lane needs to know of its target. Immutable, thread-safe. */
public final class Destination {
    private final HttpEndpoint endpoint;
    private final HttpOptions options;
    private final @Nullable TlsEngines tls;
    private final ByteBuffer encoded;
    private final boolean expectsNoBody;
    private final String failurePrefix;

    /**
     * @param bytes the request as it goes on the wire, if all are the same; else empty
     * @param expectsNoBody whether the response to it has no body
     * @param failurePrefix what a refusal begins with, if there are several services
     * @throws IllegalArgumentException if the options ask for a trust that the JDK refuses
     */
    public Destination(
            HttpEndpoint endpoint, HttpOptions options, byte[] bytes, boolean expectsNoBody, String failurePrefix) {
        this.endpoint = endpoint;
        this.options = options;
        this.tls = endpoint.tls()
                ? new TlsEngines(endpoint.host(), options.tls(), options.http().offered())
                : null;
        this.encoded = buffer(bytes.length).put(bytes).flip();
        this.expectsNoBody = expectsNoBody;
        this.failurePrefix = failurePrefix;
    }

    public HttpEndpoint endpoint() {
        return endpoint;
    }

    public HttpOptions options() {
        return options;
    }

    public boolean isEncrypted() {
        return tls != null;
    }

    /** Where a request goes to the wire from: the JDK's ciphers work on arrays, all others on what is outside the heap. */
    public ByteBuffer buffer(int room) {
        return tls != null && !tls.isNative() ? ByteBuffer.allocate(room) : ByteBuffer.allocateDirect(room);
    }

    /** The request as it goes on the wire, once for all connections; empty if they differ. */
    public ByteBuffer encoded() {
        return encoded;
    }

    /** Whether the response to it has no body. */
    public boolean expectsNoBody() {
        return expectsNoBody;
    }

    /** How many requests so many connections carry at most. */
    public int mostInFlight(int connections, boolean isHttp2) {
        return isHttp2 ? Math.multiplyExact(connections, options.streams().streams()) : connections;
    }

    /** Of a new lane; where requests differ, they may ask several services, and a refusal names the one that refused. */
    public HttpFailures failures() {
        return new HttpFailures(failurePrefix);
    }

    /** The attempts of a new lane to open connections. */
    public Openings openings(
            Selector selector,
            NanoClock clock,
            ConnectionTally tally,
            ReadBuffer room,
            HttpFailures failures,
            List<String> offered) {
        return new Openings(endpoint, options, tls, selector, clock, tally, room, failures, offered);
    }
}
