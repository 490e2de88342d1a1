package dev.downbeat.http.options;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Remote and local addresses of connections. Immutable; documented at the fields of {@link Draft}. A lifetime of 0 means
 * that an address is resolved for a single connection.
 */
public record AddressOptions(
        Optional<InetAddress> localAddress,
        Lookup lookup,
        long lookupTtlNanos,
        boolean everyAddress,
        Optional<HostPort> connectTo) {
    static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** When to resolve the host name. */
    public enum Lookup {
        /** Once, before the clock starts. */
        ONCE,
        /**
         * For each new connection; concurrent ones share a lookup. The JDK's cache still applies: it keeps an address
         * for 30 s, unless the security property {@code networkaddress.cache.ttl} is set. The operating system's cache
         * applies as well.
         */
        PER_CONNECTION
    }

    /**
     * The address to connect to instead of the URL's.
     *
     * @param host a name or an address
     * @param port from 1 to 65535
     */
    public record HostPort(String host, int port) {
        public HostPort {
            checkPort(port);
        }

        static void checkPort(int port) {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port must be from 1 to 65535, but was " + port);
            }
        }

        /** {@code 127.0.0.1:8080}, {@code [::1]:8080}. */
        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /** The nanoseconds of a time that must be above zero; at most 292 years. */
    public static long positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + time);
        }
        return (time.compareTo(LONGEST) < 0 ? time : LONGEST).toNanos();
    }

    /** Mutable options with their defaults. Not thread-safe. */
    public static final class Draft {
        /** The local address; the default is the kernel's choice. */
        public Optional<InetAddress> localAddress = Optional.empty();

        /** When to resolve the host name. */
        public Lookup lookup = Lookup.ONCE;

        /** {@link Lookup#PER_CONNECTION}: the maximum age of a resolved address for a new connection; above zero. */
        public Optional<Duration> lookupTtl = Optional.empty();

        /** Whether to rotate over all addresses. */
        public boolean everyAddress;

        /** The address to connect to; the default is the URL's. The Host header and the TLS name are unchanged. */
        public Optional<HostPort> connectTo = Optional.empty();

        Draft() {}

        AddressOptions options() {
            long ttlNanos = lookupTtl.map(time -> positive("lookupTtl", time)).orElse(0L);
            return new AddressOptions(localAddress, lookup, ttlNanos, everyAddress, connectTo);
        }
    }
}
