package dev.downbeat.http.options;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.tls.TlsOptions;
import dev.downbeat.http.wait.Pacing;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How connections are opened and used. Immutable; created by {@link #of}; documented at the fields of {@link Draft}.
 * Limits that are off are {@link Integer#MAX_VALUE} or {@link Long#MAX_VALUE}.
 */
public record HttpOptions(
        Pacing pacing,
        int connections,
        boolean asNeeded,
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
        Optional<Duration> tcpProbes,
        AddressOptions addresses,
        Optional<Proxy> proxy,
        TlsOptions tls,
        HttpVersion http,
        Streams streams) {
    private static final int MOST_CONNECTIONS = 65_535;
    private static final int MOST_AT_ONCE = 1_000_000;

    public HttpOptions {
        int most = asNeeded ? MOST_AT_ONCE : MOST_CONNECTIONS;
        if (connections < 1 || connections > most) {
            throw new IllegalArgumentException("connections must be from 1 to " + most + ", but was " + connections);
        }
        if (maxRequests < 1) {
            throw new IllegalArgumentException("maxRequests must be at least 1, but was " + maxRequests);
        }
        if (replaceAfter < 1) {
            throw new IllegalArgumentException("replaceAfter must be at least 1, but was " + replaceAfter);
        }
        tcpProbes.filter(every -> !isProbeTime(every)).ifPresent(every -> {
            throw new IllegalArgumentException("tcpProbes must be whole seconds from 1 to 32767, but was " + every);
        });
        if (http == HttpVersion.AUTO && cold) {
            throw new IllegalArgumentException("--http auto cannot be used here: choose --http 1.1 or --http 2");
        }
    }

    /** The defaults with changes; rejects values out of range and contradictions. */
    public static HttpOptions of(Consumer<Draft> changes) {
        Draft draft = new Draft();
        changes.accept(draft);
        return draft.options();
    }

    /** The number of connections for n users of a closed loop; over HTTP/2 an upper limit. */
    public static int connectionsFor(int users, HttpVersion http) {
        return Math.min(http == HttpVersion.HTTP_2 ? MOST_AT_ONCE : MOST_CONNECTIONS, users);
    }

    /**
     * The number of connections to open of at most so many.
     *
     * @param streams concurrent requests per connection, at least 1
     */
    public int connectionsNeeded(int most, long streams) {
        return asNeeded ? (int) ((most + streams - 1) / streams) : most;
    }

    /** Whether a kernel accepts it as the time between probes: whole seconds from 1 to 32,767. */
    public static boolean isProbeTime(Duration every) {
        return every.getNano() == 0 && every.toSeconds() >= 1 && every.toSeconds() <= Short.MAX_VALUE;
    }

    /** Mutable options with their defaults. Not thread-safe. */
    public static final class Draft {
        /** The pacing; see {@link Pacing#suited}. */
        public Pacing pacing = Pacing.HYBRID;

        /** The maximum number of connections, from 1 to 65,535. */
        public int connections = 64;

        /**
         * Whether to open, over HTTP/2, only as many connections as carry {@link #connections} requests at a time on the
         * streams that the server allows.
         */
        public boolean asNeeded;

        /** Whether to open connections in advance; otherwise each is opened when a request first needs it. */
        public boolean preconnect = true;

        /**
         * Whether to start cold: nothing is opened or looked up in advance, not even to check that the server responds,
         * so the first request bears all of that cost.
         */
        public boolean cold;

        /** Whether to reuse connections; otherwise each request opens one and asks the server to close it. */
        public boolean keepAlive = true;

        /**
         * Whether to retry an idempotent request once if its reused connection closes before a response, as HTTP/1.1
         * clients do (RFC 9112, 9.3.1); otherwise it fails.
         */
        public boolean sendsAgain = true;

        /** The maximum number of requests per connection, at least 1; no limit by default. */
        public int maxRequests = Integer.MAX_VALUE;

        /**
         * The number of requests after which a connection's replacement is opened, which takes its place when ready; at
         * least 1, never by default. HTTP/1.1 only.
         */
        public int replaceAfter = Integer.MAX_VALUE;

        /**
         * The maximum idle time, above zero; no limit by default. An expired connection is closed when a request would
         * use it.
         */
        public Duration maxIdle = AddressOptions.LONGEST;

        /** The connect timeout, above zero. */
        public Duration connectTimeout = Duration.ofSeconds(10);

        /** Whether to set TCP_NODELAY. */
        public boolean tcpNoDelay = true;

        /** Whether to set SO_KEEPALIVE. */
        public boolean tcpKeepAlive;

        /**
         * Lets the kernel probe idle connections after a time, and each such time again; sets SO_KEEPALIVE. See {@link
         * #isProbeTime}.
         */
        public Optional<Duration> tcpProbes = Optional.empty();

        /** Remote and local addresses. */
        public final AddressOptions.Draft addresses = new AddressOptions.Draft();

        /** The proxy; replaces {@link AddressOptions.Draft#connectTo}. */
        public Optional<Proxy> proxy = Optional.empty();

        /** Trust, client identity and encryption. */
        public final TlsOptions.Draft tls = new TlsOptions.Draft();

        public HttpVersion http = HttpVersion.HTTP_1_1;

        /** The use of streams, for HTTP/2 only. */
        public Streams streams = Streams.USUAL;

        private Draft() {}

        private HttpOptions options() {
            proxy.map(through -> new AddressOptions.HostPort(through.host(), through.port()))
                    .ifPresent(through -> addresses.connectTo = Optional.of(through));
            return new HttpOptions(
                    pacing,
                    connections,
                    asNeeded,
                    preconnect,
                    cold,
                    keepAlive,
                    sendsAgain,
                    maxRequests,
                    replaceAfter,
                    AddressOptions.positive("maxIdle", maxIdle),
                    AddressOptions.positive("connectTimeout", connectTimeout),
                    tcpNoDelay,
                    tcpKeepAlive || tcpProbes.isPresent(),
                    tcpProbes,
                    addresses.options(),
                    proxy,
                    tls.options(),
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
                        "a receive window must be from 65535 to 1073741824 bytes, but was " + receiveWindow);
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
            AddressOptions.HostPort.checkPort(port);
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
                        "a proxy must be http://HOST:PORT, with a user and a password before HOST if needed, but was '"
                                + Redaction.word(text) + "'");
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

        /** The first of these environment variables that is not blank. */
        public static Optional<String> variable(Map<String, String> environment, String... names) {
            return Arrays.stream(names)
                    .map(name -> environment.getOrDefault(name, ""))
                    .filter(value -> !value.isBlank())
                    .findFirst();
        }

        /**
         * Whether a list of exceptions names a host or, unless it contains {@code *}, a domain of it. {@code *} stands for any
         * characters.
         *
         * @param exceptions separated by commas, blanks or bars, as in {@code no_proxy} and {@code http.nonProxyHosts}
         */
        public static boolean isExcepted(String host, String exceptions) {
            return Arrays.stream(exceptions.split("[,| ]+"))
                    .filter(name -> !name.isEmpty())
                    .anyMatch(name -> excepts(name.replaceFirst("^\\.", ""), host));
        }

        private static boolean excepts(String name, String host) {
            String pattern =
                    Arrays.stream(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            return Pattern.compile(name.contains("*") ? pattern : "(.*\\.)?" + pattern, Pattern.CASE_INSENSITIVE)
                    .matcher(host)
                    .matches();
        }

        /** The user name, if there are credentials. */
        public Optional<String> user() {
            return credentials.map(pair -> pair.reveal().split(":", 2)[0]);
        }

        /** The password, if there is one. */
        public Optional<String> password() {
            return credentials
                    .map(pair -> pair.reveal().split(":", 2))
                    .filter(parts -> parts.length > 1)
                    .map(parts -> parts[1]);
        }

        /** The value of the header {@code Proxy-Authorization}; empty without credentials. */
        public Optional<String> authorization() {
            return credentials.map(pair ->
                    "Basic " + Base64.getEncoder().encodeToString(pair.reveal().getBytes(StandardCharsets.UTF_8)));
        }

        /** The same as a header line; empty without credentials. */
        public String authorizationLine() {
            return authorization()
                    .map(value -> "Proxy-Authorization: " + value + "\r\n")
                    .orElse("");
        }

        /** {@code proxy.example:3128}. */
        @Override
        public String toString() {
            return new AddressOptions.HostPort(host, port).toString();
        }
    }

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
