package dev.downbeat.cli;

import dev.downbeat.http.HttpOptions;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How connections are made and used. */
final class ConnectionOptions {
    private static final int MOST = 65_535;
    private static final int DEFAULT = 64;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            converter = CountConverter.class,
            description = "At most so many connections, over all threads; a request that finds none free waits, and the"
                    + " wait counts. Default 64, or N of --closed.")
    @Nullable
    Long connections;

    @Option(names = "--no-keepalive", description = "Opens a connection for each request.")
    boolean noKeepalive;

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "After how long a connect or a TLS handshake has failed. Default 10s.")
    Duration connectTimeout = Duration.ofSeconds(10);

    @Option(
            names = "--max-requests",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Closes a connection after N requests.")
    @Nullable
    Long maxRequests;

    @Option(
            names = "--max-idle",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Does not use a connection that was idle for longer.")
    @Nullable
    Duration maxIdle;

    @Option(
            names = "--no-preconnect",
            description = "Opens a connection when a request first needs it, not before the clock starts.")
    boolean noPreconnect;

    @Option(
            names = "--lookup",
            paramLabel = "WHEN",
            converter = LookupWhen.Converter.class,
            description = "Looks the host's name up once (default), per-connection, or for a new connection when the"
                    + " last look-up is older than a TIME.")
    LookupWhen lookup = LookupWhen.ONCE;

    @Option(names = "--every-address", description = "Goes round all addresses of the host.")
    boolean everyAddress;

    @Option(names = "--local-address", paramLabel = "ADDRESS", description = "Connects from this address.")
    @Nullable
    InetAddress localAddress;

    @Option(names = "--tcp-delay", description = "Lets the kernel hold back small packets (no TCP_NODELAY).")
    boolean tcpDelay;

    @Option(names = "--tcp-keepalive", description = "Lets the kernel probe idle connections.")
    boolean tcpKeepalive;

    @Option(
            names = "--pacing",
            paramLabel = "WAY",
            description = "How to wait for the next request: spin (a core for a microsecond's precision), hybrid, block"
                    + " (cheapest), or auto (default), by the rate and the cores.")
    PacingWay pacing = PacingWay.AUTO;

    /** How many connections a load with so many closed clients (0: none) has. */
    int count(int closedClients) {
        if (connections == null) {
            return Math.max(DEFAULT, Math.min(MOST, closedClients));
        }
        if (connections > MOST) {
            throw new TypeConversionException("--connections must be from 1 to " + MOST + ", but was " + connections);
        }
        return connections.intValue();
    }

    HttpOptions.Builder toHttpOptions(int closedClients, int threads) {
        return toHttpOptions(closedClients, threads, 1);
    }

    /** Of a load that so many shards make; the connections are shared out too. */
    HttpOptions.Builder toHttpOptions(int closedClients, int threads, int shards) {
        int count = count(closedClients);
        if (count < threads) {
            throw new TypeConversionException(
                    "--connections must be at least --threads, " + threads + ", but was " + count);
        }
        if (count < (long) threads * shards) {
            throw new TypeConversionException("--connections must be at least one for each of "
                    + (long) threads * shards + " threads of " + shards + " shards, but was " + count);
        }
        if (connectTimeout.isZero()) {
            throw new TypeConversionException("--connect-timeout must be above 0");
        }
        HttpOptions.Builder options = HttpOptions.builder()
                .connections(count)
                .keepAlive(!noKeepalive)
                .preconnect(!noPreconnect)
                .everyAddress(everyAddress)
                .tcpNoDelay(!tcpDelay)
                .tcpKeepAlive(tcpKeepalive)
                .connectTimeout(connectTimeout);
        lookup.applyTo(options);
        if (maxRequests != null) {
            options.maxRequests((int) Math.min(Integer.MAX_VALUE, maxRequests));
        }
        if (maxIdle != null) {
            options.maxIdle(maxIdle);
        }
        if (localAddress != null) {
            options.localAddress(localAddress);
        }
        return options;
    }

    /** What a report says about connections. */
    Map<String, Object> details(HttpOptions options, int threads) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("connections", options.connections());
        if (threads > 1) {
            details.put("threads", threads);
        }
        if (noKeepalive) {
            details.put("keepalive", "off");
        }
        details.put("pacing", options.pacing().name().toLowerCase(Locale.ROOT));
        return details;
    }
}
