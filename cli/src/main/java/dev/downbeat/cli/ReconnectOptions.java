package dev.downbeat.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a serial run makes its connections, of which it has one at a time. */
final class ReconnectOptions {
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
            names = "--lookup",
            paramLabel = "WHEN",
            converter = LookupWhen.Converter.class,
            description = "Looks the host's name up once in a run (default), per-connection, or for a new connection"
                    + " when the last look-up is older than a TIME.")
    LookupWhen lookup = LookupWhen.ONCE;

    /** As options for so many connections, of which each run gets one. */
    ConnectionOptions of(int connections) {
        ConnectionOptions options = new ConnectionOptions();
        options.connections = (long) connections;
        options.connectTimeout = connectTimeout;
        options.maxRequests = maxRequests;
        options.lookup = lookup;
        options.noPreconnect = true;
        return options;
    }
}
