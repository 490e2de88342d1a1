package dev.downbeat.http.wire;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.tls.TlsEngines;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLEngine;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * One lane's connection attempts: their address, method, time limit and result. Not thread-safe: belongs to its lane's
 * thread.
 */
public final class ConnectionAttempts implements AutoCloseable {
    /** A link that is being opened. */
    interface Attempt {
        long openingAt();

        /** The failure for a timeout at its current stage. */
        Outcome timedOut();

        /** Ends the attempt, which removes it from the list. */
        void failedToOpen(Outcome why);

        /** Retries after a full accept queue; the attempt may have been abandoned meanwhile. */
        void retry();
    }

    /** The number of unanswered probes after which the kernel drops a connection. */
    private static final int PROBES = 3;

    private static final long RETRY_NANOS = 1_000_000;
    private static final long NAP_NANOS = 10_000_000;

    /** The maximum number of concurrent attempts before the clock starts. */
    private static final int MOST_OPENING = 256;

    private final HttpOptions options;

    /** The CONNECT request for a proxy; empty without one. */
    private final byte[] tunnel;

    private final @Nullable TlsEngines tls;
    private final Addresses addresses;
    private final Resolver resolver;
    private final Selector selector;
    private final NanoClock clock;
    private final ConnectionCounter counter;
    private final ReadBuffer readBuffer;
    private final HttpFailures failures;
    private final List<String> offered;
    private final Deque<Attempt> pending = new ArrayDeque<>();
    private final Deque<Attempt> refused = new ArrayDeque<>();
    private @Nullable Outcome lastFailure;
    private long retryAt;

    /** The offered protocols are those of the TLS handshake (ALPN); empty to offer none. */
    ConnectionAttempts(
            HttpEndpoint endpoint,
            HttpOptions options,
            @Nullable TlsEngines tls,
            Selector selector,
            NanoClock clock,
            ConnectionCounter counter,
            ReadBuffer readBuffer,
            HttpFailures failures,
            List<String> offered) {
        this.options = options;
        this.tls = tls;
        this.selector = selector;
        this.clock = clock;
        this.counter = counter;
        this.readBuffer = readBuffer;
        this.failures = failures;
        this.offered = offered;
        this.tunnel = options.proxy()
                .map(proxy -> Wire.Tunnel.connectRequest(endpoint, proxy))
                .orElse(new byte[0]);
        this.addresses = new Addresses(endpoint, options.addresses(), clock);
        this.resolver = new Resolver(addresses::lookup, selector);
    }

    /**
     * Opens connections before the clock starts: one to verify that the server responds, then the rest. With several
     * addresses, the first that responds is used.
     *
     * @param opener starts to open another connection, given the time
     * @param poll handles events until an instant
     * @throws IOException with the reason, if the server does not respond
     */
    public void openBeforehand(int count, LongConsumer opener, LongConsumer poll) throws IOException {
        lookUpBeforehand();
        openFirst(opener, poll);
        openMore(count - 1, opener, poll);
    }

    /** Opens one connection, to the first address that responds. */
    void openFirst(LongConsumer opener, LongConsumer poll) throws IOException {
        for (int tries = addresses.count(); counter.openedCount() == 0 && tries > 0; tries--) {
            if (lastFailure != null && !options.addresses().everyAddress()) {
                counter.passedOver(addresses.current() + ": " + lastFailure.reason());
                addresses.skip();
            }
            openMore(1, opener, poll);
        }
        if (counter.openedCount() == 0) {
            throw new IOException(lastFailure == null ? "no address" : lastFailure.reason());
        }
    }

    /**
     * Opens more connections before the clock starts, in waves, so that attempts do not time out while Downbeat works on
     * others.
     */
    public void openMore(int count, LongConsumer opener, LongConsumer poll) throws IOException {
        for (int left = count; left > 0 || !pending.isEmpty(); ) {
            for (; left > 0 && pending.size() < MOST_OPENING; left--) {
                opener.accept(clock.nanoTime());
            }
            refuseIfInterrupted();
            if (!pending.isEmpty()) { // each attempt has its own timeout
                poll.accept(clock.nanoTime() + NAP_NANOS);
            }
        }
    }

    /** Resolves the addresses on the resolver's thread, because a lookup ignores interrupts. */
    private void lookUpBeforehand() throws IOException {
        long begunAt = clock.nanoTime();
        resolver.request();
        Resolver.LookupResult result = resolver.poll();
        while (result == null) {
            refuseIfInterrupted();
            if (clock.nanoTime() - begunAt >= options.connectTimeoutNanos()) {
                throw new IOException(HttpFailures.LOOKUP_TIMED_OUT.reason());
            }
            selector.select(NAP_NANOS / 1_000_000);
            result = resolver.poll();
        }
        IOException failure = result.failure();
        if (failure != null) {
            throw failure;
        }
        addresses.found(result.found());
    }

    public static void refuseIfInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted while connecting");
        }
    }

    /** Handles what is due: timeouts, finished lookups, retries. Returns whether there was anything. */
    boolean advance() {
        boolean expired = expire();
        boolean lookedUp = takeLookups();
        return retryRefused() || lookedUp || expired;
    }

    /** The time of the next retry, or {@code untilAt} if earlier. */
    long nextAt(long untilAt) {
        return !refused.isEmpty() && retryAt - untilAt < 0 ? retryAt : untilAt;
    }

    boolean hasResults() {
        return resolver.hasResults();
    }

    /** Attempts are in order of their start; finished ones are removed. */
    private boolean expire() {
        boolean any = false;
        while (!pending.isEmpty()) {
            Attempt first = pending.peekFirst();
            if (clock.nanoTime() - first.openingAt() < options.connectTimeoutNanos()) {
                break;
            }
            any = true;
            first.failedToOpen(first.timedOut());
        }
        return any;
    }

    private boolean takeLookups() {
        boolean any = false;
        for (Resolver.LookupResult result = resolver.poll(); result != null; result = resolver.poll()) {
            any = true;
            IOException failure = result.failure();
            if (failure == null) {
                found(result.found());
            }
            result.waiting().forEach(callback -> callback.accept(failure));
        }
        return any;
    }

    void found(List<SocketAddress> all) {
        addresses.found(all);
    }

    private boolean retryRefused() {
        if (refused.isEmpty() || clock.nanoTime() - retryAt < 0) {
            return false;
        }
        for (int left = refused.size(); left > 0 && !refused.isEmpty(); left--) {
            refused.removeFirst().retry(); // which may add it again
        }
        return true;
    }

    // Interface to the links.

    /** Requests a lookup if a connection needs one; returns whether the caller must wait for its result. */
    boolean lookup(Consumer<@Nullable IOException> callback) {
        if (!addresses.needLookup()) {
            return false;
        }
        resolver.request(callback);
        return true;
    }

    SocketAddress address() {
        return addresses.next();
    }

    void configure(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, options.tcpNoDelay());
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, options.tcpKeepAlive());
        if (options.tcpProbes().isPresent()) {
            int seconds = (int) options.tcpProbes().get().toSeconds();
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, seconds);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, seconds);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
        Optional<InetAddress> from = options.addresses().localAddress();
        if (from.isPresent()) {
            channel.bind(new InetSocketAddress(from.get(), 0));
        }
    }

    SelectionKey register(SelectableChannel channel, int interest, Object attached) throws IOException {
        return channel.register(selector, interest, attached);
    }

    public boolean encrypted() {
        return tls != null;
    }

    /** A new number for a slot of encrypted connections; 0 without encryption. */
    public int newPlace() {
        return tls == null ? 0 : tls.newPlace();
    }

    Wire newWire(SocketChannel channel, int place) throws IOException {
        if (tls == null) {
            return new Wire.Plain(channel);
        }
        SSLEngine engine = tls.newEngine(place, offered);
        Wire encrypted = new Wire.Tls(channel, engine, tls, readBuffer.tls(engine, tls.isNative()));
        if (tunnel.length == 0) {
            return encrypted;
        }
        counter.tunnelled();
        return new Wire.Tunnel(channel, encrypted, ByteBuffer.wrap(tunnel));
    }

    public long now() {
        return clock.nanoTime();
    }

    public Outcome reason(IOException failure) {
        return failures.of(failure);
    }

    /** The failure of one address among several that are used in turn: it names that address. */
    Outcome failureAt(@Nullable SocketAddress address, Outcome why) {
        boolean isOneOfSeveral = options.addresses().everyAddress() && addresses.count() > 1;
        return isOneOfSeveral && address instanceof InetSocketAddress at ? failures.at(at, why) : why;
    }

    void began(Attempt link) {
        pending.addLast(link);
    }

    /** The accept queue is full: retries soon, until the timeout. */
    void retryLater(Attempt link) {
        refused.addLast(link);
        retryAt = clock.nanoTime() + RETRY_NANOS;
    }

    void opened(Attempt link, boolean isResumed) {
        pending.remove(link);
        counter.opened(isResumed);
    }

    void failed(Attempt link, Outcome why) {
        lastFailure = why;
        abandoned(link);
    }

    public void abandoned(Attempt link) {
        pending.remove(link);
        refused.remove(link);
        counter.failed();
    }

    @Override
    public void close() {
        resolver.close();
    }
}
