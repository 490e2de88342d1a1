package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.measurement.value.LookupWhen;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a serial run makes its connections, one at a time. {@link CliOption} describes each component. */
public record Reconnecting(
        @CliOption.Of(Connections.class) Optional<Duration> connectTimeout,

        @CliOption(
                names = "--http",
                label = "VERSION",
                otherwise = "1.1",
                only = CliOption.Only.HTTP,
                help = "The version of HTTP: 1.1 (default) or 2, one stream after the other on a connection.")
        HttpVersion http,

        @CliOption.Of(Connections.class) Optional<Long> maxRequests,

        @CliOption.Of(Connections.class) Optional<Long> replaceAfter,

        @CliOption.Of(Connections.class) boolean tcpKeepalive,

        @CliOption.Of(Connections.class) LookupWhen lookup,

        @CliOption.Of(Connections.class) Optional<String> proxy) {
    /** Refuses an HTTP version that is negotiated on a connection of its own. */
    public Reconnecting {
        Refusal.when(
                http == HttpVersion.AUTO,
                "--http auto asks the server beforehand, on a connection of its own: say 1.1 or 2");
    }

    /** Options for this many connections, one per run. */
    public Connections of(int connections) {
        return Values.like(
                Connections.class,
                this,
                Map.of(
                        "--connections",
                        List.of((long) connections),
                        "--streams",
                        http == HttpVersion.HTTP_2 ? List.of(1L) : List.of(),
                        "--no-preconnect",
                        List.of(true)));
    }
}
