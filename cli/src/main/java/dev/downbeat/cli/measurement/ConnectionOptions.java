package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.SecretPart;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Size;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.http.options.AddressOptions;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.http.options.HttpOptions.Proxy;
import dev.downbeat.http.wait.Pacing;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** How connections are made and used. {@link CliOption} describes each component. */
public record ConnectionOptions(
        @CliOption(
                names = {"-c", "--connections"},
                label = "N",
                help = "Maximum connections in total. Requests wait for a free one; the wait is included. Default"
                        + " 64, or N of --closed, at most -n; with --http 2 as few as suffice; 10 for jdbc:, exec:.")
        Optional<Long> count,

        @CliOption(
                names = "--http",
                label = "VERSION",
                defaultValue = "1.1",
                only = TargetKind.HTTP,
                help = "HTTP version: 1.1 (default), 2 (without TLS by prior knowledge), or auto: over TLS, the"
                        + " server's choice.")
        HttpVersion http,

        @CliOption(
                names = "--streams",
                label = "N",
                only = TargetKind.HTTP,
                help = "With HTTP/2, maximum concurrent requests per connection; fewer if the server limits them."
                        + " Default 100.")
        Optional<Long> streams,

        @CliOption(
                names = "--receive-window",
                label = "SIZE",
                only = TargetKind.HTTP,
                help = "With HTTP/2, how much of a response the server may send before it is read. Default 16MiB.")
        Optional<Size> receiveWindow,

        @CliOption(
                names = "--no-keepalive",
                only = {TargetKind.HTTP, TargetKind.JDBC},
                help = "Opens a connection for each request.")
        boolean noKeepalive,

        @CliOption(
                names = "--no-retry-closed",
                only = TargetKind.HTTP,
                help =
                        "Fails a GET, HEAD, PUT, DELETE, OPTIONS or TRACE whose keep-alive connection closes before a response."
                                + " Default: the request is resent once, timed from the same intended start, and counted.")
        boolean noRetryClosed,

        @CliOption(
                names = "--connect-timeout",
                label = "TIME",
                help = "Timeout of a connect or TLS handshake. Default 10s, for queues 2s.")
        Optional<Duration> connectTimeout,

        @CliOption(
                names = "--max-requests",
                label = "N",
                help = "Closes a connection after N requests; for queues only with --transport downbeat.")
        Optional<Long> maxRequests,

        @CliOption(
                names = "--replace-after",
                label = "N",
                only = {TargetKind.HTTP, TargetKind.SQS},
                help = "Opens a replacement connection in advance, after N requests; for queues only with"
                        + " --transport downbeat.")
        Optional<Long> replaceAfter,

        @CliOption(
                names = "--max-idle",
                label = "TIME",
                only = {TargetKind.HTTP, TargetKind.SQS},
                help = "Does not reuse connections that were idle for longer. Default for queues 60s.")
        Optional<Duration> maxIdle,

        @CliOption(
                names = "--no-preconnect",
                only = TargetKind.HTTP,
                help = "Opens connections on first use, not before the clock starts.")
        boolean noPreconnect,

        @CliOption(
                names = "--lookup",
                label = "WHEN",
                defaultValue = "once",
                only = {TargetKind.HTTP, TargetKind.JDBC, TargetKind.CONNECT},
                help = "When to look up the host: once (default), per-connection, or for a new connection if the last"
                        + " lookup is older than a TIME. Java looks up a name once at a time, so connections wait for each other's lookups."
                        + " Default for databases: Java's 30s.")
        LookupWhen lookup,

        @CliOption(
                names = "--every-address",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "Uses all addresses of the host in turn.")
        boolean everyAddress,

        @CliOption(
                names = "--local-address",
                label = "ADDRESS",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "Connects from this address.")
        Optional<InetAddress> localAddress,

        @CliOption(
                names = "--connect-to",
                label = "HOST:PORT:ADDR:PORT",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "Connects to ADDR:PORT instead of HOST:PORT, with the same Host header. HOST:PORT may be empty.")
        Optional<String> connectTo,

        @CliOption(
                names = "--proxy",
                label = "URL",
                only = {TargetKind.HTTP, TargetKind.SQS},
                secret = SecretPart.OF_URL,
                help = "http://[USER:PASSWORD@]HOST:PORT, none, or env: from https_proxy, http_proxy, all_proxy and"
                        + " no_proxy. Default none; env for queues.")
        Optional<String> proxy,

        @CliOption(
                names = "--tcp-delay",
                only = TargetKind.HTTP,
                help = "Lets the kernel delay small packets (no TCP_NODELAY).")
        boolean tcpDelay,

        @CliOption(
                names = "--tcp-keepalive",
                only = {TargetKind.HTTP, TargetKind.SQS},
                help = "Lets the kernel probe idle connections.")
        boolean tcpKeepalive,

        @CliOption(
                names = "--pacing",
                label = "WAY",
                defaultValue = "auto",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "How to wait for the next request: spin (microsecond precision, uses a whole core), hybrid,"
                        + " block (cheapest), or auto (default): by rate and cores.")
        PacingWay pacing) {
    private static final Pattern CONNECT_TO =
            Pattern.compile("([^:]*|\\[[^\\]]*\\]):(\\d*):([^:]+|\\[[^\\]]+\\]):(\\d{1,5})");
    private static final int MOST = 65_535;
    private static final int DEFAULT = 64;
    private static final int MOST_STREAMS = 10_000;
    private static final int MOST_AT_ONCE = 1_000_000;

    public ConnectionOptions {
        Refusal.when(
                count.orElse(1L) > MOST, "--connections must be from 1 to " + MOST + ", but was " + count.orElse(1L));
        Refusal.when(connectTimeout.filter(Duration::isZero).isPresent(), "--connect-timeout must be above 0");
        connectTo.ifPresent(ConnectionOptions::replacement);
        Refusal.when(
                http == HttpVersion.HTTP_1_1 && (streams.isPresent() || receiveWindow.isPresent()),
                (streams.isPresent() ? "--streams" : "--receive-window")
                        + " is for HTTP/2: add --http 2, or --http auto");
        Refusal.when(
                streams.filter(n -> n > MOST_STREAMS).isPresent(),
                "--streams must be from 1 to " + MOST_STREAMS + ", but was " + streams.orElse(1L));
        streamOptions(streams, receiveWindow);
        Refusal.when(
                proxy.isPresent() && connectTo.isPresent(),
                "--proxy and --connect-to are mutually exclusive: give one place to connect to");
        Refusal.when(maxIdle.filter(Duration::isZero).isPresent(), "--max-idle must be above 0");
        Refusal.when(
                noKeepalive && maxRequests.isPresent(),
                "--no-keepalive and --max-requests are mutually exclusive: without keep-alive a connection has one"
                        + " request");
        Refusal.when(
                replaceAfter.isPresent() && (noKeepalive || http != HttpVersion.HTTP_1_1),
                "--replace-after is for kept connections of HTTP/1.1: leave out --no-keepalive and --http");
        Refusal.when(
                noKeepalive && maxIdle.isPresent(),
                "--no-keepalive and --max-idle are mutually exclusive: without keep-alive no connection is ever idle");
    }

    /** Parses curl's form: {@code example.org:443:127.0.0.1:8443}, {@code ::127.0.0.1:8443}. */
    private static AddressOptions.HostPort replacement(String text) {
        Matcher shape = CONNECT_TO.matcher(text);
        Refusal.when(
                !shape.matches(), "--connect-to must be HOST:PORT:ADDR:PORT or ::ADDR:PORT, but was '" + text + "'");
        return new AddressOptions.HostPort(bare(shape.group(3)), Integer.parseInt(shape.group(4)));
    }

    private static String bare(String host) {
        return host.replaceAll("[\\[\\]]", "");
    }

    /** Whether a redirection applies to this service. */
    private static boolean appliesTo(String text, HttpEndpoint endpoint) {
        Matcher shape = CONNECT_TO.matcher(text);
        return shape.matches()
                && (shape.group(1).isEmpty() || bare(shape.group(1)).equalsIgnoreCase(endpoint.host()))
                && (shape.group(2).isEmpty() || shape.group(2).equals(Integer.toString(endpoint.port())));
    }

    public void redirect(HttpOptions.Draft options, List<HttpEndpoint> services) {
        HttpEndpoint endpoint = services.get(0);
        Refusal.when(
                connectTo.isPresent() && services.size() > 1,
                "--connect-to redirects one service, but these requests go to " + services.size() + ": "
                        + services.stream().map(HttpEndpoint::address).collect(Collectors.joining(", "))
                        + ": use requests to one service, or set hosts with --var");
        connectTo.ifPresent(text -> Refusal.when(
                !appliesTo(text, endpoint), "--connect-to does not match the target " + endpoint.address()));
        options.addresses.connectTo = connectTo.map(ConnectionOptions::replacement);
        Refusal.when(
                proxy.isPresent() && endpoint.unixSocket().isPresent(),
                "--proxy cannot be combined with a Unix socket");
        options.proxy = proxy.flatMap(word -> new ProxyChoice(System.getenv()).of(word, services));
    }

    /** The same with this number of connections, unless one is given. */
    public ConnectionOptions withDefaultCount(long connections) {
        return count.isPresent() ? this : Values.with(this, "--connections", connections);
    }

    /** The number of connections for this many closed-loop clients (0 for an open loop) and requests. */
    int count(int closedClients, long requests, long threads) {
        long usual = closedClients == 0 ? DEFAULT : HttpOptions.connectionsFor(closedClients, http);
        usual = isAsNeeded() ? Math.max(threads, usual) : usual;
        return (int) Math.min(count.orElse(Math.min(usual, Math.max(threads, requests))), Integer.MAX_VALUE);
    }

    /** Whether only as many connections are opened as the server's stream limit requires. */
    private boolean isAsNeeded() {
        return http == HttpVersion.HTTP_2 && count.isEmpty();
    }

    private HttpOptions.Streams streamOptions() {
        return streamOptions(streams, receiveWindow);
    }

    private static HttpOptions.Streams streamOptions(Optional<Long> streams, Optional<Size> receiveWindow) {
        return Refusal.wrap(() -> new HttpOptions.Streams(
                streams.map(Long::intValue).orElse(HttpOptions.Streams.USUAL.streams()),
                receiveWindow.map(Size::bytes).orElse(HttpOptions.Streams.USUAL.receiveWindow())));
    }

    /** Options for a load of several threads and shards, which share the connections. */
    public Consumer<HttpOptions.Draft> toHttpOptions(int closedClients, long requests, int threads, int shards) {
        int connections = count(closedClients, requests, (long) threads * shards);
        Refusal.when(
                http != HttpVersion.HTTP_1_1
                        && !isAsNeeded()
                        && (long) connections * streamOptions().streams() > MOST_AT_ONCE,
                "--connections times --streams must be at most " + MOST_AT_ONCE + ", but was "
                        + (long) connections * streamOptions().streams());
        Refusal.when(
                connections < threads,
                "--connections must be at least --threads, " + threads + ", but was " + connections);
        Refusal.when(
                connections < (long) threads * shards,
                "--connections must be at least one for each of " + (long) threads * shards + " threads of " + shards
                        + " shards, but was " + connections);
        return draft -> {
            draft.connections = connections;
            draft.asNeeded = isAsNeeded();
            draft.keepAlive = !noKeepalive;
            draft.sendsAgain = !noRetryClosed;
            draft.preconnect = !noPreconnect;
            draft.tcpNoDelay = !tcpDelay;
            draft.tcpKeepAlive = tcpKeepalive;
            connectTimeout.ifPresent(timeout -> draft.connectTimeout = timeout);
            draft.http = http;
            draft.streams = streamOptions();
            draft.addresses.everyAddress = everyAddress;
            draft.addresses.localAddress = localAddress;
            lookup.applyTo(draft.addresses);
            maxRequests.ifPresent(most -> draft.maxRequests = (int) Math.min(Integer.MAX_VALUE, most));
            replaceAfter.ifPresent(often -> draft.replaceAfter = (int) Math.min(Integer.MAX_VALUE, often));
            maxIdle.ifPresent(idle -> draft.maxIdle = idle);
        };
    }

    /**
     * Refuses a local address that this machine does not have. Checked only where the load runs, since a plan is for
     * other machines; otherwise each connection would fail as if no port were free.
     */
    public void refuseForeignAddress() {
        if (localAddress.isEmpty()) {
            return;
        }
        try {
            new DatagramSocket(0, localAddress.get()).close();
        } catch (SocketException foreign) {
            throw new TypeConversionException("--local-address must be an address of this machine, but was "
                    + localAddress.get().getHostAddress());
        }
    }

    /** {@code --pacing}: a way to wait, or an automatic choice. */
    public enum PacingWay {
        AUTO,
        BLOCK,
        HYBRID,
        SPIN;

        /** The choice for a rate per second (0 if unknown), a number of generators, and a local or remote service. */
        public Pacing.Choice of(double perSecond, int generators, boolean isLocal) {
            return switch (this) {
                case AUTO ->
                    Pacing.suited(
                            (long) (perSecond / generators),
                            generators,
                            Runtime.getRuntime().availableProcessors(),
                            isLocal);
                case BLOCK -> requested(Pacing.BLOCK);
                case HYBRID -> requested(Pacing.HYBRID);
                case SPIN -> requested(Pacing.SPIN);
            };
        }

        private static Pacing.Choice requested(Pacing way) {
            return new Pacing.Choice(way, "asked for");
        }
    }

    /** A service's proxy. The environment counts only with {@code env}, so that no forgotten proxy is measured. */
    public record ProxyChoice(Map<String, String> environment) {
        private static final String OF_ENVIRONMENT = "env";

        public Optional<Proxy> of(String word, HttpEndpoint service) {
            if (!word.equals(OF_ENVIRONMENT)) {
                return word.equals("none") ? Optional.empty() : Optional.of(Proxy.parse(word));
            }
            return isExcepted(service) ? Optional.empty() : ofEnvironment(service.tls());
        }

        /** The common proxy for all these services. */
        public Optional<Proxy> of(String word, List<HttpEndpoint> services) {
            List<Optional<Proxy>> proxies =
                    services.stream().map(one -> of(word, one)).distinct().toList();
            Refusal.when(
                    proxies.size() > 1,
                    "--proxy env selects different proxies for these services: give one --proxy URL, or --proxy none");
            return proxies.get(0);
        }

        /** As curl reads them: not {@code HTTP_PROXY} in capitals, which a web server may set from a header. */
        private Optional<Proxy> ofEnvironment(boolean tls) {
            List<String> names = tls
                    ? List.of("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
                    : List.of("http_proxy", "all_proxy", "ALL_PROXY");
            return names.stream()
                    .filter(name -> !environment.getOrDefault(name, "").isBlank())
                    .findFirst()
                    .map(name -> parsed(name, environment.getOrDefault(name, "")));
        }

        private static Proxy parsed(String name, String value) {
            try {
                return Proxy.parse(value);
            } catch (IllegalArgumentException refused) {
                throw new TypeConversionException(
                        "environment variable " + name + ": " + refused.getMessage() + " (--proxy none uses none)");
            }
        }

        private boolean isExcepted(HttpEndpoint service) {
            return Proxy.isExcepted(
                    service.host(),
                    Proxy.variable(environment, "no_proxy", "NO_PROXY").orElse(""));
        }
    }

    /**
     * {@code --lookup}: once, per connection, or with a time to live.
     *
     * @param perConnection whether each new connection looks the name up
     * @param validFor how long a lookup is reused, if it serves several connections
     */
    public record LookupWhen(boolean perConnection, Optional<Duration> validFor) {
        private static final LookupWhen ONCE = new LookupWhen(false, Optional.empty());
        private static final String JVM_CACHE_SECONDS = "networkaddress.cache.ttl";

        /**
         * Also limits Java's cache of lookups for the whole process (default 30 s, 10 s for failures). This has an effect
         * only before the first lookup, so it is done as soon as the option is read.
         */
        private static LookupWhen perConnection(Optional<Duration> validFor) {
            long seconds = validFor.map(Duration::toSeconds).orElse(0L);
            String limit = String.valueOf(Security.getProperty(JVM_CACHE_SECONDS));
            if (!limit.matches("[0-9]{1,9}") || Long.parseLong(limit) > seconds) { // another variant may allow less
                Security.setProperty(JVM_CACHE_SECONDS, Long.toString(seconds));
            }
            Security.setProperty("networkaddress.cache.negative.ttl", "0");
            return new LookupWhen(true, validFor);
        }

        void applyTo(AddressOptions.Draft options) {
            options.lookup = perConnection ? AddressOptions.Lookup.PER_CONNECTION : AddressOptions.Lookup.ONCE;
            options.lookupTtl = validFor;
        }

        public static LookupWhen parse(String text) {
            if (text.equals("once")) {
                return ONCE;
            }
            if (text.equals("per-connection")) {
                return perConnection(Optional.empty());
            }
            Duration time;
            try {
                time = DurationParser.parse(text);
            } catch (TypeConversionException noDuration) {
                throw new TypeConversionException(
                        "'" + text + "' is not once, per-connection or a duration such as 30s");
            }
            Refusal.when(time.isZero(), "a lookup must be valid for longer than 0s: per-connection, or 30s");
            return perConnection(Optional.of(time));
        }

        public String text() {
            return validFor.map(DurationParser::text).orElse(perConnection ? "per-connection" : "once");
        }
    }
}
