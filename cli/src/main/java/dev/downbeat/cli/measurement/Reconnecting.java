package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.OptionComponent;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.measurement.value.LookupWhen;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.http.options.HttpVersion;
import java.time.Duration;
import java.util.HashMap;
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
        Map<String, List<String>> said = new HashMap<>(Values.said(this));
        said.put("--connections", List.of(Integer.toString(connections)));
        if (http == HttpVersion.HTTP_2) {
            said.put("--streams", List.of("1"));
        }
        said.put("--no-preconnect", List.of(OptionComponent.YES));
        return Values.of(Connections.class, said);
    }
}
