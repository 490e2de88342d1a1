package dev.downbeat.http.wire;

import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.tls.TlsEngines;
import dev.downbeat.time.NanoClock;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything a lane needs to know about its target: the service and how to connect. Immutable, thread-safe. */
public final class Destination {
    private final HttpEndpoint endpoint;
    private final HttpOptions options;
    private final @Nullable TlsEngines tls;
    private final ByteBuffer encoded;
    private final boolean expectsNoBody;
    private final boolean closesConnection;
    private final String failurePrefix;

    /**
     * Creates a destination.
     *
     * @param bytes the common request in wire format; empty if requests vary
     * @param closesConnection whether the common request has {@code Connection: close}
     * @param failurePrefix prefix of a refusal, if there are several services
     * @throws IllegalArgumentException if the JDK rejects the trust settings
     */
    public Destination(
            HttpEndpoint endpoint, HttpOptions options, byte[] bytes, boolean closesConnection, String failurePrefix) {
        this.endpoint = endpoint;
        this.options = options;
        this.tls = endpoint.tls()
                ? new TlsEngines(endpoint.host(), options.tls(), options.http().offered())
                : null;
        this.encoded = buffer(bytes.length).put(bytes).flip();
        this.expectsNoBody = RequestBytes.isHead(bytes, bytes.length);
        this.closesConnection = closesConnection;
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

    /** A buffer for requests: on the heap for the JDK's ciphers, which work on arrays, otherwise off-heap. */
    public ByteBuffer buffer(int size) {
        return tls != null && !tls.isNative() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
    }

    /** The request in wire format, once for all connections; empty if requests vary. */
    public ByteBuffer encoded() {
        return encoded;
    }

    /** Whether its response never has a body. */
    public boolean expectsNoBody() {
        return expectsNoBody;
    }

    /** Whether the common request has {@code Connection: close}. */
    public boolean closesConnection() {
        return closesConnection;
    }

    public int mostInFlight(int connections, boolean isHttp2) {
        int streams = options.streams().streams();
        if (!isHttp2) {
            return connections;
        }
        // few streams a connection need many connections, and many streams few
        return options.asNeeded() ? connections + streams - 1 : Math.multiplyExact(connections, streams);
    }

    /**
     * The failures of a new lane. With varying requests there may be several services, so a refusal names its service.
     */
    public HttpFailures failures() {
        return new HttpFailures(failurePrefix);
    }

    public ConnectionAttempts newAttempts(
            Selector selector,
            NanoClock clock,
            ConnectionCounter counter,
            ReadBuffer readBuffer,
            HttpFailures failures,
            List<String> offered) {
        return new ConnectionAttempts(endpoint, options, tls, selector, clock, counter, readBuffer, failures, offered);
    }
}
