package dev.downbeat.http.options;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.tls.TlsOptions;
import dev.downbeat.http.wait.Pacing;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How connections are opened and used. Immutable; created by {@link #builder}, whose setters document each option.
 * Limits that are off are {@link Integer#MAX_VALUE} or {@link Long#MAX_VALUE}.
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
        Streams streams) {
    private static final int MOST_CONNECTIONS = 65_535;

    /** Validates combinations. */
    public HttpOptions {
        if (connections < 1 || connections > MOST_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections must be from 1 to " + MOST_CONNECTIONS + ", but was " + connections);
        }
        if (maxRequests < 1) {
            throw new IllegalArgumentException("maxRequests must be at least 1, but was " + maxRequests);
        }
        if (replaceAfter < 1) {
            throw new IllegalArgumentException("replaceAfter must be at least 1, but was " + replaceAfter);
        }
        if (http == HttpVersion.AUTO && cold) {
            throw new IllegalArgumentException("--http auto cannot be used here: choose --http 1.1 or --http 2");
        }
    }

    /** Starts with the defaults; each setter documents its own. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The number of connections over which each user of a closed loop can have a request in flight.
     *
     * @param users 0 if there are none
     */
    public static int connectionsFor(int users, HttpVersion http, Streams streams) {
        return http == HttpVersion.HTTP_2
                ? (users + streams.streams() - 1) / streams.streams()
                : Math.min(MOST_CONNECTIONS, users);
    }

    /** A builder. Not thread-safe. */
    public static final class Builder {
        private static final int USUAL_CONNECTIONS = 64;

        private Pacing pacing = Pacing.HYBRID;
        private OptionalInt connections = OptionalInt.empty();
        private int users;
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
        private Streams streams = Streams.USUAL;

        private Builder() {}

        /** The pacing; the default is {@link Pacing#HYBRID}. See {@link Pacing#suited}. */
        public Builder pacing(Pacing way) {
            pacing = Objects.requireNonNull(way, "way");
            return this;
        }

        /** The maximum number of connections, from 1 to 65,535; the default is 64, or as many as the users need. */
        public Builder connections(int count) {
            connections = OptionalInt.of(count);
            return this;
        }

        /** The users of a closed loop; the default is 0, for an open load. */
        public Builder users(int count) {
            users = count;
            return this;
        }

        /**
         * Whether to reuse connections; the default is true. False opens a connection per request and asks the server
         * to close it.
         */
        public Builder keepAlive(boolean reuse) {
            keepAlive = reuse;
            return this;
        }

        /**
         * Whether to retry an idempotent request once if its reused connection closes before a response, as HTTP/1.1
         * clients do (RFC 9112, 9.3.1). The default is true; false makes it a failure.
         */
        public Builder sendAgain(boolean again) {
            sendsAgain = again;
            return this;
        }

        /**
         * Whether to open connections in advance; the default is true. False opens each when a request first needs it.
         */
        public Builder preconnect(boolean beforehand) {
            preconnect = beforehand;
            return this;
        }

        /**
         * Whether to start cold; the default is false. True opens and looks up nothing in advance, not even to check
         * that the server responds, so the first request bears all of that cost.
         */
        public Builder cold(boolean fromTheStart) {
            cold = fromTheStart;
            return this;
        }

        /** The maximum number of requests per connection, at least 1; no limit by default. */
        public Builder maxRequests(int perConnection) {
            maxRequests = perConnection;
            return this;
        }

        /**
         * The number of requests after which a connection's replacement is opened, which takes its place when ready; at
         * least 1, never by default. HTTP/1.1 only.
         */
        public Builder replaceAfter(int requests) {
            replaceAfter = requests;
            return this;
        }

        /**
         * The maximum idle time, above zero; no limit by default. An expired connection is closed when a request would
         * use it.
         */
        public Builder maxIdle(Duration time) {
            maxIdleNanos = AddressOptions.positive("maxIdle", time);
            return this;
        }

        /** Whether to set TCP_NODELAY; the default is true. */
        public Builder tcpNoDelay(boolean on) {
            tcpNoDelay = on;
            return this;
        }

        /** Whether to set SO_KEEPALIVE; the default is false. */
        public Builder tcpKeepAlive(boolean on) {
            tcpKeepAlive = on;
            return this;
        }

        /** Lets the kernel probe idle connections after a time, and each such time again; see {@link #isProbeTime}. */
        public Builder tcpProbes(Duration every) {
            if (!isProbeTime(every)) {
                throw new IllegalArgumentException("tcpProbes must be whole seconds from 1 to 32767, but was " + every);
            }
            tcpProbeNanos = every.toNanos();
            return tcpKeepAlive(true);
        }

        /** Whether a kernel accepts it: whole seconds from 1 to 32,767. */
        public static boolean isProbeTime(Duration every) {
            return every.getNano() == 0 && every.toSeconds() >= 1 && every.toSeconds() <= Short.MAX_VALUE;
        }

        /** The builder of the addresses. */
        public AddressOptions.Builder addresses() {
            return addresses;
        }

        /** The HTTP version; the default is HTTP/1.1. */
        public Builder http(HttpVersion version) {
            http = Objects.requireNonNull(version, "version");
            return this;
        }

        /** The use of streams, for HTTP/2 only; the default is {@link Streams#USUAL}. */
        public Builder streams(Streams use) {
            streams = Objects.requireNonNull(use, "use");
            return this;
        }

        /** The proxy; none by default. Replaces {@link AddressOptions.Builder#connectTo}. */
        public Builder proxy(Proxy through) {
            proxy = Optional.of(through);
            addresses.connectTo(new AddressOptions.HostPort(through.host(), through.port()));
            return this;
        }

        /** The builder of the TLS options. */
        public TlsOptions.Builder tls() {
            return tls;
        }

        /** Whether to verify the server's certificate and name; the default is true. */
        public Builder verify(boolean check) {
            tls.verify(check);
            return this;
        }

        /** Trusts this certificate, and those it has signed, instead of the JDK's trust store. */
        public Builder trust(X509Certificate certificate) {
            tls.trust(certificate);
            return this;
        }

        /** The connect timeout, above zero; the default is 10 s. */
        public Builder connectTimeout(Duration timeout) {
            connectTimeoutNanos = AddressOptions.positive("connectTimeout", timeout);
            return this;
        }

        public HttpOptions build() {
            return new HttpOptions(
                    pacing,
                    connections.orElseGet(() -> users == 0 ? USUAL_CONNECTIONS : connectionsFor(users, http, streams)),
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

    /**
     * The use of HTTP/2 connections.
     *
     * @param streams maximum number of concurrent requests per connection, if the server allows as many; from 1 to
     *     10,000
     * @param receiveWindow maximum number of unread response bytes; from 65,535 to 1 GiB
     */
    public record Streams(int streams, int receiveWindow) {
        /** The number of streams that RFC 9113 recommends to servers, and a window that no response fills. */
        public static final Streams USUAL = new Streams(100, 16 << 20);

        public Streams {
            if (streams < 1 || streams > 10_000) {
                throw new IllegalArgumentException("streams must be from 1 to 10000, but was " + streams);
            }
            if (receiveWindow < 65_535 || receiveWindow > 1 << 30) {
                throw new IllegalArgumentException(
                        "receiveWindow must be from 65535 to 1073741824 bytes, but was " + receiveWindow);
            }
        }
    }

    /**
     * An HTTP proxy: it forwards {@code http://} requests and tunnels encrypted connections.
     *
     * @param host a name or an address
     * @param port from 1 to 65535
     * @param credentials {@code user:password}, if required
     */
    public record Proxy(String host, int port, Optional<Secret> credentials) {
        private static final Pattern SHAPE =
                Pattern.compile("(?:(\\w+)://)?(?:([^@/]*)@)?([^:@/\\[\\]]+|\\[[^\\]]+\\]):(\\d{1,5})/?");

        public Proxy {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port must be from 1 to 65535, but was " + port);
            }
        }

        /**
         * Parses {@code http://[USER:PASSWORD@]HOST:PORT}; the scheme is optional.
         *
         * @throws IllegalArgumentException with one line, without the password
         */
        public static Proxy parse(String text) {
            Matcher shape = SHAPE.matcher(text);
            if (!shape.matches() || (shape.group(1) != null && !shape.group(1).equalsIgnoreCase("http"))) {
                throw new IllegalArgumentException(
                        "a proxy must be http://[USER:PASSWORD@]HOST:PORT, but was '" + Redaction.word(text) + "'");
            }
            return new Proxy(
                    shape.group(3).replaceAll("[\\[\\]]", ""),
                    Integer.parseInt(shape.group(4)),
                    Optional.ofNullable(shape.group(2)).map(Proxy::decoded));
        }

        /** A password may contain any character, percent-encoded. */
        private static Secret decoded(String credentials) {
            String text = credentials.replaceAll("%(?!\\p{XDigit}{2})", "%25").replace("+", "%2B");
            return Secret.of(URLDecoder.decode(text, StandardCharsets.UTF_8));
        }

        /** The authorization header line; empty without credentials. */
        public String line() {
            return credentials
                    .map(pair -> "Proxy-Authorization: Basic "
                            + Base64.getEncoder().encodeToString(pair.reveal().getBytes(StandardCharsets.UTF_8))
                            + "\r\n")
                    .orElse("");
        }

        /** {@code proxy.example:3128}. */
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    /** The HTTP version. */
    public enum HttpVersion {
        /** The server's choice over TLS; HTTP/1.1 otherwise. */
        AUTO("auto"),
        /** One request at a time per connection. */
        HTTP_1_1("1.1"),
        /** Concurrent requests on each connection; without TLS by prior knowledge. */
        HTTP_2("2");

        private final String word;

        HttpVersion(String word) {
            this.word = word;
        }

        /** The version in command-line syntax. */
        public String word() {
            return word;
        }

        /** The protocols offered in a TLS handshake (ALPN, RFC 7301). */
        public List<String> offered() {
            return switch (this) {
                case AUTO -> List.of("h2", "http/1.1");
                case HTTP_1_1 -> List.of();
                case HTTP_2 -> List.of("h2");
            };
        }

        /** Parses a version; empty if unknown. */
        public static Optional<HttpVersion> of(String word) {
            return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
        }
    }
}
