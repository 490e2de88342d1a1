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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one lane to open connections: where to, how, for how long at most, and what came of them. Not
 * thread-safe: belongs to its lane's thread.
 */
public final class Openings implements AutoCloseable {
    /** A link on its way to being open. */
    interface Attempt {
        long openingAt();

        /** What has taken too long. */
        Outcome timedOut();

        /** Gives it up, which takes it out of the attempts. */
        void failedToOpen(Outcome why);

        /** Asks again for a place in the server's queue; the attempt may have been abandoned meanwhile. */
        void retry();
    }

    /** After so many probes without an answer the kernel gives a connection up. */
    private static final int PROBES = 3;

    private static final long RETRY_NANOS = 1_000_000;

    private final HttpOptions options;

    /** What asks a proxy for a way through; empty without one. */
    private final byte[] tunnel;

    private final @Nullable TlsEngines tls;
    private final Addresses addresses;
    private final Resolver resolver;
    private final Selector selector;
    private final NanoClock clock;
    private final ConnectionTally tally;
    private final ReadBuffer room;
    private final HttpFailures failures;
    private final List<String> offered;
    private final Deque<Attempt> underWay = new ArrayDeque<>();
    private final Deque<Attempt> refused = new ArrayDeque<>();
    private @Nullable Outcome lastFailure;
    private long retryAt;

    /**
     * Of a new lane.
     *
     * @param offered what a TLS handshake lets the server choose from (ALPN); nothing is said if it is empty
     */
    Openings(
            HttpEndpoint endpoint,
            HttpOptions options,
            @Nullable TlsEngines tls,
            Selector selector,
            NanoClock clock,
            ConnectionTally tally,
            ReadBuffer room,
            HttpFailures failures,
            List<String> offered) {
        this.options = options;
        this.tls = tls;
        this.selector = selector;
        this.clock = clock;
        this.tally = tally;
        this.room = room;
        this.failures = failures;
        this.offered = offered;
        this.tunnel =
                options.proxy().map(proxy -> TunnelWire.asking(endpoint, proxy)).orElse(new byte[0]);
        this.addresses = new Addresses(endpoint, options.addresses(), clock);
        this.resolver = new Resolver(addresses::lookup, selector);
    }

    int underWay() {
        return underWay.size();
    }

    /** Why the last attempt that failed did so; null if none has. */
    @Nullable
    Outcome lastFailure() {
        return lastFailure;
    }

    /** How many addresses there are to try. */
    int addressCount() {
        return addresses.count();
    }

    /** Gives up the address that was used last, unless all are used in turn anyway. */
    void skipAddress() {
        if (!options.addresses().everyAddress()) {
            addresses.skip();
        }
    }

    /**
     * Looks the addresses up before the clock starts: on the resolver's thread, since a look-up does not hear an interrupt.
     *
     * @param napNanos how long to wait between two looks
     */
    void lookUpBeforehand(long napNanos) throws IOException {
        resolver.ask();
        Resolver.Answer answer = resolver.poll();
        while (answer == null) {
            refuseIfInterrupted();
            selector.select(napNanos / 1_000_000);
            answer = resolver.poll();
        }
        IOException failure = answer.failure();
        if (failure != null) {
            throw failure;
        }
        addresses.found(answer.found());
    }

    public static void refuseIfInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted while connecting");
        }
    }

    /** Does what is due: ends attempts that took too long, hands on look-ups, tries again; returns whether anything was. */
    boolean advance() {
        boolean expired = expire();
        boolean lookedUp = takeLookups();
        return retryRefused() || lookedUp || expired;
    }

    /** When there is something to try again, or {@code untilAt} if that comes first. */
    long nextAt(long untilAt) {
        return !refused.isEmpty() && retryAt - untilAt < 0 ? retryAt : untilAt;
    }

    boolean hasAnswers() {
        return resolver.hasAnswers();
    }

    /** Attempts are in the order of their beginning; those that have ended are not among them. */
    private boolean expire() {
        boolean any = false;
        while (!underWay.isEmpty()) {
            Attempt first = underWay.peekFirst();
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
        for (Resolver.Answer answer = resolver.poll(); answer != null; answer = resolver.poll()) {
            any = true;
            IOException failure = answer.failure();
            if (failure == null) {
                addresses.found(answer.found());
            }
            answer.waiting().forEach(asker -> asker.accept(failure));
        }
        return any;
    }

    private boolean retryRefused() {
        if (refused.isEmpty() || clock.nanoTime() - retryAt < 0) {
            return false;
        }
        for (int left = refused.size(); left > 0 && !refused.isEmpty(); left--) {
            refused.removeFirst().retry(); // which may put it back
        }
        return true;
    }

    // What a link needs, and what it tells.

    /** Asks for a look-up if a connection needs one first; returns whether it must wait to be told the answer. */
    boolean lookup(Consumer<@Nullable IOException> asker) {
        if (!addresses.needLookup()) {
            return false;
        }
        resolver.ask(asker);
        return true;
    }

    SocketAddress address() {
        return addresses.next();
    }

    void configure(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, options.tcpNoDelay());
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, options.tcpKeepAlive());
        if (options.tcpProbeNanos() > 0) {
            int seconds = (int) Math.max(1, TimeUnit.NANOSECONDS.toSeconds(options.tcpProbeNanos()));
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

    /** A number for a place that encrypted connections follow each other in; 0 where they are not encrypted. */
    public int newPlace() {
        return tls == null ? 0 : tls.newPlace();
    }

    Wire newWire(SocketChannel channel, int place) throws IOException {
        if (tls == null) {
            return new Wire.Plain(channel);
        }
        SSLEngine engine = tls.newEngine(place, offered);
        Wire encrypted = new TlsWire(channel, engine, tls, room.tls(engine, tls.isNative()));
        return tunnel.length == 0 ? encrypted : new TunnelWire(channel, encrypted, ByteBuffer.wrap(tunnel));
    }

    public long now() {
        return clock.nanoTime();
    }

    public Outcome reason(IOException failure) {
        return failures.of(failure);
    }

    void began(Attempt link) {
        underWay.addLast(link);
    }

    /** The server's queue is full: tries again soon, until the timeout. */
    void retryLater(Attempt link) {
        refused.addLast(link);
        retryAt = clock.nanoTime() + RETRY_NANOS;
    }

    void opened(Attempt link, boolean isResumed) {
        underWay.remove(link);
        tally.opened(isResumed);
    }

    void failed(Attempt link, Outcome why) {
        lastFailure = why;
        givenUp(link);
    }

    /** Nobody needs this attempt any more. */
    public void givenUp(Attempt link) {
        underWay.remove(link);
        refused.remove(link);
        tally.failed();
    }

    @Override
    public void close() {
        resolver.close();
    }
}
