package dev.downbeat.http.options;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Where connections go, and where they come from. Immutable; made by {@link HttpOptions.Builder#addresses}.
 *
 * @param localAddress the address to connect from, if not the kernel's choice
 * @param lookup when the host's name is looked up
 * @param lookupTtlNanos how many nanoseconds a looked-up address is used for; 0 if for one connection only
 * @param everyAddress whether connections go round all addresses of the host, or to the first that answers
 * @param connectTo where to connect, if not where the URL says: the Host header and the name in TLS stay
 */
public record AddressOptions(
        Optional<InetAddress> localAddress,
        Lookup lookup,
        long lookupTtlNanos,
        boolean everyAddress,
        Optional<HostPort> connectTo) {
    /** When the host's name is looked up. */
    public enum Lookup {
        /** Before the clock starts, and never again. */
        ONCE,
        /**
         * For each new connection; those that wait at the same time share one look-up. The JDK's own cache answers in
         * between: it keeps an address for 30 s unless the security property {@code networkaddress.cache.ttl} says
         * otherwise. So does what the operating system caches.
         */
        PER_CONNECTION
    }

    /**
     * Where to connect instead of where the URL says.
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
    }

    public static Builder builder() {
        return new Builder();
    }

    static long positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + time);
        }
        return time.toNanos();
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder {
        private Optional<InetAddress> localAddress = Optional.empty();
        private Lookup lookup = Lookup.ONCE;
        private long lookupTtlNanos;
        private boolean everyAddress;
        private Optional<HostPort> connectTo = Optional.empty();

        private Builder() {}

        /** The kernel's choice unless said otherwise. */
        public Builder localAddress(InetAddress address) {
            localAddress = Optional.of(address);
            return this;
        }

        /** {@link Lookup#ONCE} unless said otherwise. */
        public Builder lookup(Lookup when) {
            lookup = Objects.requireNonNull(when, "when");
            return this;
        }

        /** Looks up for a new connection if the last look-up is older than this, which must be above zero. */
        public Builder lookupTtl(Duration time) {
            lookupTtlNanos = positive("lookupTtl", time);
            lookup = Lookup.PER_CONNECTION;
            return this;
        }

        /** False unless said otherwise. */
        public Builder everyAddress(boolean roundRobin) {
            everyAddress = roundRobin;
            return this;
        }

        /** Where the URL says unless said otherwise. */
        public Builder connectTo(HostPort other) {
            connectTo = Optional.of(other);
            return this;
        }

        public AddressOptions build() {
            return new AddressOptions(localAddress, lookup, lookupTtlNanos, everyAddress, connectTo);
        }
    }
}
