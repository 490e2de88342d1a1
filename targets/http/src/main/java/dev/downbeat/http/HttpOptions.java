package dev.downbeat.http;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** How connections are made and used. Immutable; made by {@link #builder}. */
public final class HttpOptions {
    private final int connections;
    private final boolean keepAlive;
    private final boolean verify;
    private final Optional<X509Certificate> trusted;
    private final long connectTimeoutNanos;

    private HttpOptions(Builder builder) {
        connections = builder.connections;
        keepAlive = builder.keepAlive;
        verify = builder.verify;
        trusted = builder.trusted;
        connectTimeoutNanos = builder.connectTimeoutNanos;
    }

    /** Starts from the defaults named at each setter. */
    public static Builder builder() {
        return new Builder();
    }

    /** The defaults. */
    public static HttpOptions defaults() {
        return builder().build();
    }

    /** At most this many connections, over all generators: the limit of requests in flight. */
    public int connections() {
        return connections;
    }

    /** Whether a connection is used for more than one request. */
    public boolean keepAlive() {
        return keepAlive;
    }

    /** Whether the server's certificate and name are checked. */
    public boolean verify() {
        return verify;
    }

    /** A certificate to trust instead of those the JDK trusts. */
    public Optional<X509Certificate> trusted() {
        return trusted;
    }

    /** After how many nanoseconds a connect, or a TLS handshake, counts as failed. */
    public long connectTimeoutNanos() {
        return connectTimeoutNanos;
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder {
        private int connections = 64;
        private boolean keepAlive = true;
        private boolean verify = true;
        private Optional<X509Certificate> trusted = Optional.empty();
        private long connectTimeoutNanos = Duration.ofSeconds(10).toNanos();

        private Builder() {}

        /** From 1 to 65,535; 64 unless said otherwise. */
        public Builder connections(int count) {
            if (count < 1 || count > 65_535) {
                throw new IllegalArgumentException("connections must be from 1 to 65535, but was " + count);
            }
            connections = count;
            return this;
        }

        /** True unless said otherwise; false opens a connection for each request and asks the server to close it. */
        public Builder keepAlive(boolean reuse) {
            keepAlive = reuse;
            return this;
        }

        /** True unless said otherwise. */
        public Builder verify(boolean check) {
            verify = check;
            return this;
        }

        /** Trusts this certificate, and what it has signed, instead of what the JDK trusts. */
        public Builder trust(X509Certificate certificate) {
            trusted = Optional.of(Objects.requireNonNull(certificate, "certificate"));
            return this;
        }

        /** Above zero; 10 s unless said otherwise. */
        public Builder connectTimeout(Duration timeout) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("connectTimeout must be above zero, but was " + timeout);
            }
            connectTimeoutNanos = timeout.toNanos();
            return this;
        }

        /** The options. */
        public HttpOptions build() {
            return new HttpOptions(this);
        }
    }
}
