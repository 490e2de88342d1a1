package dev.downbeat.http.options;

import dev.downbeat.http.tls.TlsOptions;
import dev.downbeat.http.wait.Pacing;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How connections are made and used. Immutable; made by {@link #builder}.
 *
 * @param pacing how a generator waits for the next intended time
 * @param connections at most this many connections, over all generators: the limit of requests in flight
 * @param preconnect whether all connections are opened before the clock starts
 * @param cold whether nothing at all is opened or looked up before the first request
 * @param keepAlive whether a connection is used for more than one request
 * @param sendsAgain whether an idempotent request on a kept connection that closes before a response is sent once more
 * @param maxRequests after how many requests we close a connection; {@link Integer#MAX_VALUE} if never
 * @param replaceAfter after how many requests a connection's replacement is opened, ahead of its end; {@link Integer#MAX_VALUE}
 *     if never
 * @param maxIdleNanos after how many nanoseconds without a request we close a connection; {@link Long#MAX_VALUE} if never
 * @param connectTimeoutNanos after how many nanoseconds a connect, or a TLS handshake, counts as failed
 * @param tcpNoDelay whether small packets leave at once (TCP_NODELAY)
 * @param tcpKeepAlive whether the kernel probes idle connections (SO_KEEPALIVE)
 * @param tcpProbeNanos how long a connection is idle before the kernel's first probe, and between two; 0 for the kernel's default
 * @param addresses where connections go, and where they come from
 * @param proxy through whom connections go, if not straight to the service
 * @param tls whom to trust and how to encrypt
 * @param http which version of HTTP is spoken
 * @param streams how connections of HTTP/2 are used
 */
public record HttpOptions(
        Pacing pacing,
        int connections,
        boolean preconnect,
        boolean cold,
        boolean keepAlive,
        boolean sendsAgain,
        int maxRequests,
        int replaceAfter,
        long maxIdleNanos,
        long connectTimeoutNanos,
        boolean tcpNoDelay,
        boolean tcpKeepAlive,
        long tcpProbeNanos,
        AddressOptions addresses,
        Optional<Proxy> proxy,
        TlsOptions tls,
        HttpVersion http,
        StreamOptions streams) {
    /** Checks what goes together. */
    public HttpOptions {
        if (connections < 1 || connections > 65_535) {
            throw new IllegalArgumentException("connections must be from 1 to 65535, but was " + connections);
        }
        if (maxRequests < 1) {
            throw new IllegalArgumentException("maxRequests must be at least 1, but was " + maxRequests);
        }
        if (replaceAfter < 1) {
            throw new IllegalArgumentException("replaceAfter must be at least 1, but was " + replaceAfter);
        }
        if (http == HttpVersion.AUTO && cold) {
            throw new IllegalArgumentException(
                    "HTTP auto asks the server beforehand, and a cold run does not: say 1.1 or 2");
        }
    }

    /** Starts from the defaults named at each setter. */
    public static Builder builder() {
        return new Builder();
    }

    public static HttpOptions defaults() {
        return builder().build();
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder {
        private Pacing pacing = Pacing.HYBRID;
        private int connections = 64;
        private boolean preconnect = true;
        private boolean cold;
        private boolean keepAlive = true;
        private boolean sendsAgain = true;
        private int maxRequests = Integer.MAX_VALUE;
        private int replaceAfter = Integer.MAX_VALUE;
        private long maxIdleNanos = Long.MAX_VALUE;
        private long connectTimeoutNanos = Duration.ofSeconds(10).toNanos();
        private boolean tcpNoDelay = true;
        private boolean tcpKeepAlive;
        private long tcpProbeNanos;
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
            connections = count;
            return this;
        }

        /** True unless said otherwise; false opens a connection for each request and asks the server to close it. */
        public Builder keepAlive(boolean reuse) {
            keepAlive = reuse;
            return this;
        }

        /**
         * True unless said otherwise; false fails an idempotent request whose kept connection closes before a response, where
         * HTTP/1.1 clients send it once more (RFC 9112, 9.3.1).
         */
        public Builder sendAgain(boolean again) {
            sendsAgain = again;
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
            maxRequests = perConnection;
            return this;
        }

        /**
         * At least 1; never unless said otherwise. Another connection is opened when one has carried so many requests, and takes
         * its place once it is ready; of HTTP/1.1 only.
         */
        public Builder replaceAfter(int requests) {
            replaceAfter = requests;
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

        /** Lets the kernel probe idle connections after a time, and each such time again; whole seconds, at least 1. */
        public Builder tcpProbes(Duration every) {
            tcpProbeNanos = AddressOptions.positive("tcpProbes", every);
            return tcpKeepAlive(true);
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

        public HttpOptions build() {
            return new HttpOptions(
                    pacing,
                    connections,
                    preconnect,
                    cold,
                    keepAlive,
                    sendsAgain,
                    maxRequests,
                    replaceAfter,
                    maxIdleNanos,
                    connectTimeoutNanos,
                    tcpNoDelay,
                    tcpKeepAlive,
                    tcpProbeNanos,
                    addresses.build(),
                    proxy,
                    tls.build(),
                    http,
                    streams);
        }
    }
}
