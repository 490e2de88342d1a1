package dev.downbeat.http.options;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Remote and local addresses of connections. Immutable; created by {@link HttpOptions.Builder#addresses}, whose setters
 * document each option. A lifetime of 0 means that an address is resolved for a single connection.
 */
public record AddressOptions(
        Optional<InetAddress> localAddress,
        Lookup lookup,
        long lookupTtlNanos,
        boolean everyAddress,
        Optional<HostPort> connectTo) {
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

    public static Builder builder() {
        return new Builder();
    }

    /** The nanoseconds of a time that must be above zero; at most 292 years. */
    public static long positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + time);
        }
        Duration most = Duration.ofNanos(Long.MAX_VALUE);
        return (time.compareTo(most) < 0 ? time : most).toNanos();
    }

    /** A builder. Not thread-safe. */
    public static final class Builder {
        private Optional<InetAddress> localAddress = Optional.empty();
        private Lookup lookup = Lookup.ONCE;
        private long lookupTtlNanos;
        private boolean everyAddress;
        private Optional<HostPort> connectTo = Optional.empty();

        private Builder() {}

        /** The local address; the default is the kernel's choice. */
        public Builder localAddress(InetAddress address) {
            localAddress = Optional.of(address);
            return this;
        }

        /** When to resolve the host name; the default is {@link Lookup#ONCE}. */
        public Builder lookup(Lookup when) {
            lookup = Objects.requireNonNull(when, "when");
            return this;
        }

        /** The maximum age of a resolved address for a new connection; above zero. */
        public Builder lookupTtl(Duration time) {
            lookupTtlNanos = positive("lookupTtl", time);
            lookup = Lookup.PER_CONNECTION;
            return this;
        }

        /** Whether to rotate over all addresses; the default is false. */
        public Builder everyAddress(boolean roundRobin) {
            everyAddress = roundRobin;
            return this;
        }

        /** The address to connect to; the default is the URL's. The Host header and the TLS name are unchanged. */
        public Builder connectTo(HostPort other) {
            connectTo = Optional.of(other);
            return this;
        }

        public AddressOptions build() {
            return new AddressOptions(localAddress, lookup, lookupTtlNanos, everyAddress, connectTo);
        }
    }
}
