package dev.downbeat.http;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** How connections are made and used. Immutable; made by {@link #builder}. */
public final class HttpOptions {
    private final Pacing pacing;
    private final int connections;
    private final boolean preconnect;
    private final boolean cold;
    private final boolean keepAlive;
    private final int maxRequests;
    private final long maxIdleNanos;
    private final long connectTimeoutNanos;
    private final boolean tcpNoDelay;
    private final boolean tcpKeepAlive;
    private final AddressOptions addresses;
    private final Optional<Proxy> proxy;
    private final TlsOptions tls;
    private final HttpVersion http;
    private final StreamOptions streams;

    private HttpOptions(Builder builder) {
        pacing = builder.pacing;
        connections = builder.connections;
        preconnect = builder.preconnect;
        cold = builder.cold;
        keepAlive = builder.keepAlive;
        maxRequests = builder.maxRequests;
        maxIdleNanos = builder.maxIdleNanos;
        connectTimeoutNanos = builder.connectTimeoutNanos;
        tcpNoDelay = builder.tcpNoDelay;
        tcpKeepAlive = builder.tcpKeepAlive;
        addresses = builder.addresses.build();
        proxy = builder.proxy;
        tls = builder.tls.build();
        http = builder.http;
        streams = builder.streams;
    }

    /** Starts from the defaults named at each setter. */
    public static Builder builder() {
        return new Builder();
    }

    /** The defaults. */
    public static HttpOptions defaults() {
        return builder().build();
    }

    /** How a generator waits for the next intended time. */
    public Pacing pacing() {
        return pacing;
    }

    /** At most this many connections, over all generators: the limit of requests in flight. */
    public int connections() {
        return connections;
    }

    /** Whether a connection is used for more than one request. */
    public boolean keepAlive() {
        return keepAlive;
    }

    /** Whether all connections are opened before the clock starts. */
    public boolean preconnect() {
        return preconnect;
    }

    /** Whether nothing at all is opened or looked up before the first request. */
    public boolean cold() {
        return cold;
    }

    /** After how many requests we close a connection; {@link Integer#MAX_VALUE} if never. */
    public int maxRequests() {
        return maxRequests;
    }

    /** After how many nanoseconds without a request we close a connection; {@link Long#MAX_VALUE} if never. */
    public long maxIdleNanos() {
        return maxIdleNanos;
    }

    /** Whether small packets leave at once (TCP_NODELAY). */
    public boolean tcpNoDelay() {
        return tcpNoDelay;
    }

    /** Whether the kernel probes idle connections (SO_KEEPALIVE). */
    public boolean tcpKeepAlive() {
        return tcpKeepAlive;
    }

    /** Where connections go, and where they come from. */
    public AddressOptions addresses() {
        return addresses;
    }

    /** Through whom connections go, if not straight to the service. */
    public Optional<Proxy> proxy() {
        return proxy;
    }

    /** Whom to trust and how to encrypt. */
    public TlsOptions tls() {
        return tls;
    }

    /** Which version of HTTP is spoken. */
    public HttpVersion http() {
        return http;
    }

    /** How connections of HTTP/2 are used. */
    public StreamOptions streams() {
        return streams;
    }

    /** After how many nanoseconds a connect, or a TLS handshake, counts as failed. */
    public long connectTimeoutNanos() {
        return connectTimeoutNanos;
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder {
        private Pacing pacing = Pacing.HYBRID;
        private int connections = 64;
        private boolean preconnect = true;
        private boolean cold;
        private boolean keepAlive = true;
        private int maxRequests = Integer.MAX_VALUE;
        private long maxIdleNanos = Long.MAX_VALUE;
        private long connectTimeoutNanos = Duration.ofSeconds(10).toNanos();
        private boolean tcpNoDelay = true;
        private boolean tcpKeepAlive;
        private final AddressOptions.Builder addresses = AddressOptions.builder();
        private Optional<Proxy> proxy = Optional.empty();
        private final TlsOptions.Builder tls = TlsOptions.builder();
        private HttpVersion http = HttpVersion.HTTP_1_1;
        private StreamOptions streams = StreamOptions.USUAL;

        private Builder() {}

        /** {@link Pacing#HYBRID} unless said otherwise; {@link Pacing#suited} advises. */
        public Builder pacing(Pacing way) {
            pacing = Objects.requireNonNull(way, "way");
            return this;
        }

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

        /** True unless said otherwise; false opens a connection when a request first needs it. */
        public Builder preconnect(boolean beforehand) {
            preconnect = beforehand;
            return this;
        }

        /**
         * False unless said otherwise; true opens and looks up nothing beforehand, not even to see that somebody answers,
         * so that the very first request pays for all it needs.
         */
        public Builder cold(boolean fromTheStart) {
            cold = fromTheStart;
            return this;
        }

        /** At least 1; without limit unless said otherwise. */
        public Builder maxRequests(int perConnection) {
            if (perConnection < 1) {
                throw new IllegalArgumentException("maxRequests must be at least 1, but was " + perConnection);
            }
            maxRequests = perConnection;
            return this;
        }

        /** Above zero; without limit unless said otherwise. A connection is closed when a request would use it. */
        public Builder maxIdle(Duration time) {
            maxIdleNanos = AddressOptions.positive("maxIdle", time);
            return this;
        }

        /** True unless said otherwise. */
        public Builder tcpNoDelay(boolean on) {
            tcpNoDelay = on;
            return this;
        }

        /** False unless said otherwise. */
        public Builder tcpKeepAlive(boolean on) {
            tcpKeepAlive = on;
            return this;
        }

        /** Where it is set where connections go, and where they come from. */
        public AddressOptions.Builder addresses() {
            return addresses;
        }

        /** HTTP/1.1 unless said otherwise. */
        public Builder http(HttpVersion version) {
            http = Objects.requireNonNull(version, "version");
            return this;
        }

        /** {@link StreamOptions#USUAL} unless said otherwise; of HTTP/2 only. */
        public Builder streams(StreamOptions use) {
            streams = Objects.requireNonNull(use, "use");
            return this;
        }

        /** Straight to the service unless said otherwise; instead of {@link AddressOptions.Builder#connectTo}. */
        public Builder proxy(Proxy through) {
            proxy = Optional.of(through);
            addresses.connectTo(new AddressOptions.HostPort(through.host(), through.port()));
            return this;
        }

        /** Where TLS is set. */
        public TlsOptions.Builder tls() {
            return tls;
        }

        /** Whether to check the server's certificate and name: true unless said otherwise. */
        public Builder verify(boolean check) {
            tls.verify(check);
            return this;
        }

        /** Trusts this certificate, and what it has signed, instead of what the JDK trusts. */
        public Builder trust(X509Certificate certificate) {
            tls.trust(certificate);
            return this;
        }

        /** Above zero; 10 s unless said otherwise. */
        public Builder connectTimeout(Duration timeout) {
            connectTimeoutNanos = AddressOptions.positive("connectTimeout", timeout);
            return this;
        }

        /** The options. */
        public HttpOptions build() {
            if (http == HttpVersion.AUTO && cold) {
                throw new IllegalArgumentException(
                        "HTTP auto asks the server beforehand, and a cold run does not: say 1.1 or 2");
            }
            return new HttpOptions(this);
        }
    }
}
