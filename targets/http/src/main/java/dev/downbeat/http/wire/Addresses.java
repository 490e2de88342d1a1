package dev.downbeat.http.wire;

import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.http.options.AddressOptions;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The addresses for connections: those of a host, resolved as configured. A lookup can take seconds, so lanes never
 * block on one: {@link Resolver} runs it on another thread. Not thread-safe: each lane has its own.
 */
final class Addresses {
    /** A numeric IPv4 or IPv6 address, which needs no name server. */
    private static final Pattern LITERAL = Pattern.compile(
            "((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])([.](?!$)|$)){4}|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\\]?");

    private final HttpEndpoint endpoint;
    private final AddressOptions options;
    private final NanoClock clock;
    private List<SocketAddress> known = List.of();
    private long lookedUpAt;
    private int next;

    Addresses(HttpEndpoint endpoint, AddressOptions options, NanoClock clock) {
        this.endpoint = endpoint;
        this.options = options;
        this.clock = clock;
    }

    /** Whether a new connection needs a lookup first. A numeric address is available at once and has no lookup time. */
    boolean needLookup() {
        if (known.isEmpty()) {
            return !resolvesLiteral();
        }
        boolean isRepeated = options.lookup() == AddressOptions.Lookup.PER_CONNECTION && !isLiteral();
        return isRepeated && clock.nanoTime() - lookedUpAt >= options.lookupTtlNanos();
    }

    private boolean resolvesLiteral() {
        if (!isLiteral()) {
            return false;
        }
        try {
            found(lookup());
            return true;
        } catch (IOException malformed) {
            return false;
        }
    }

    private boolean isLiteral() {
        return endpoint.unixSocket().isPresent() || LITERAL.matcher(host()).matches();
    }

    private String host() {
        return options.connectTo().map(AddressOptions.HostPort::host).orElse(endpoint.host());
    }

    private int port() {
        return options.connectTo().map(AddressOptions.HostPort::port).orElse(endpoint.port());
    }

    /** Resolves through the operating system; may take long. Thread-safe: does not access mutable state. */
    List<SocketAddress> lookup() throws IOException {
        if (endpoint.unixSocket().isPresent()) {
            return List.of(UnixDomainSocketAddress.of(endpoint.unixSocket().get()));
        }
        try {
            List<SocketAddress> found = new ArrayList<>();
            for (InetAddress address : InetAddress.getAllByName(host())) {
                found.add(new InetSocketAddress(address, port()));
            }
            return ofLocalFamily(found);
        } catch (UnknownHostException unknown) {
            throw failure(host(), unknown, DatagramSocket::new);
        }
    }

    /** Those that a connection from the local address can reach: of the same family. */
    private List<SocketAddress> ofLocalFamily(List<SocketAddress> found) throws IOException {
        Optional<InetAddress> local = options.localAddress().filter(address -> !address.isAnyLocalAddress());
        if (local.isEmpty()) {
            return found;
        }
        List<SocketAddress> reachable = found.stream()
                .filter(address -> address instanceof InetSocketAddress at
                        && at.getAddress() instanceof Inet4Address == local.get() instanceof Inet4Address)
                .toList();
        if (reachable.isEmpty()) {
            throw new IOException("'" + host() + "' has no IPv"
                    + (local.get() instanceof Inet4Address ? "4" : "6") + " address, but the local address "
                    + local.get().getHostAddress() + " needs one");
        }
        return reachable;
    }

    /** Opens something that needs a file descriptor. */
    interface Opening {
        Closeable open() throws IOException;
    }

    /** An unknown host if the message is one for it; otherwise no name server could be reached. */
    static IOException failure(String host, UnknownHostException thrown, Opening another) {
        String message = String.valueOf(thrown.getMessage());
        boolean isUnknown =
                message.equals(host) || Stream.of("known", "does not resolve").anyMatch(message::contains);
        return isUnknown
                ? new IOException("unknown host '" + host + "'", thrown)
                : new IOException(
                        "name lookup failed: " + message,
                        message.contains("System error") ? limit(another).orElse(thrown) : thrown);
    }

    /** The process limit behind a failed lookup, found by opening something: Java 17 hides the system's error. */
    private static Optional<IOException> limit(Opening another) {
        try {
            another.open().close();
            return Optional.empty();
        } catch (IOException refused) {
            return Optional.of(refused).filter(why -> OwnLimit.of(why).isPresent());
        }
    }

    void found(List<SocketAddress> addresses) {
        known = addresses;
        lookedUpAt = clock.nanoTime();
        next = next % addresses.size();
    }

    int count() {
        return known.size();
    }

    /** Skips the last address, which does not respond. */
    void skip() {
        next = (next + 1) % known.size();
    }

    /** The address in use, as in messages. */
    String current() {
        return text(known.get(next));
    }

    static String text(SocketAddress address) {
        return address instanceof InetSocketAddress at
                ? new AddressOptions.HostPort(at.getAddress().getHostAddress(), at.getPort()).toString()
                : address.toString();
    }

    SocketAddress next() {
        SocketAddress address = known.get(next);
        if (options.everyAddress()) {
            skip();
        }
        return address;
    }
}
