package dev.downbeat.http;

import dev.downbeat.target.Exchange;
import dev.downbeat.target.Lane;
import dev.downbeat.target.Outcome;
import dev.downbeat.target.Target;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 service: TCP, TLS or a Unix socket. One request is in flight per connection; a response with a status
 * below 400 is an answer, redirects included, which are not followed.
 *
 * <p>The host name is looked up once, when a lane opens; of several addresses the first that accepts a connection is
 * used. Thread-safe.
 */
public final class HttpTarget implements Target {
    private final HttpRequest request;
    private final HttpOptions options;
    private final @Nullable TlsEngines tls;

    /**
     * A target that sends one and the same request.
     *
     * @throws IllegalArgumentException if the options ask for a trust that the JDK refuses
     */
    public HttpTarget(HttpRequest request, HttpOptions options) {
        this.request = Objects.requireNonNull(request, "request");
        this.options = Objects.requireNonNull(options, "options");
        this.tls = request.endpoint().tls() ? new TlsEngines(request.endpoint(), options) : null;
    }

    HttpRequest request() {
        return request;
    }

    HttpOptions options() {
        return options;
    }

    Wire wire(SocketChannel channel) throws IOException {
        return tls == null ? new Wire.Plain(channel) : new TlsWire(channel, tls.newEngine());
    }

    @Override
    public String describe() {
        return request.toString();
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        int capacity = (options.connections() - share + shares - 1) / shares;
        if (capacity < 1) {
            throw new IOException(options.connections() + " connections are too few for " + shares + " generators");
        }
        Outcome failure = Outcome.failed("no address");
        for (SocketAddress address : addresses()) {
            HttpLane lane = new HttpLane(this, address, capacity, clock, listener);
            Outcome why = lane.openBeforehand(options.keepAlive() ? capacity : 1);
            if (why == null) {
                return lane;
            }
            lane.close();
            failure = why;
        }
        throw new IOException(request.endpoint().address() + ": " + failure.reason());
    }

    private List<SocketAddress> addresses() throws IOException {
        HttpEndpoint endpoint = request.endpoint();
        if (endpoint.unixSocket().isPresent()) {
            return List.of(UnixDomainSocketAddress.of(endpoint.unixSocket().get()));
        }
        try {
            List<SocketAddress> addresses = new ArrayList<>();
            for (InetAddress address : InetAddress.getAllByName(endpoint.host())) {
                addresses.add(new InetSocketAddress(address, endpoint.port()));
            }
            return addresses;
        } catch (UnknownHostException unknown) {
            throw new IOException("unknown host '" + endpoint.host() + "'", unknown);
        }
    }
}
