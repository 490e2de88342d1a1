package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.SecretPart;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Seed;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.run.SerialPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything that defines a serial measurement. {@link CliOption} describes each component. */
public record Positions(
        @CliOption(
                names = "TARGET",
                secret = SecretPart.OF_URL,
                help = "http://..., https://..., unix:/socket:/path, an SQS queue's URL, sqs:QUEUE, exec:'COMMAND', or"
                        + " sqs:demo: a queue on this machine.")
        String target,

        @CliOption(names = "Runs") SerialUse serial,
        @CliOption(names = "Connections") Reconnecting reconnecting,
        @CliOption(names = "TLS") Encryption encryption,
        @CliOption(names = "Request") RequestOptions request,
        @CliOption(names = "Requests") Requests requests,
        @CliOption(names = "SQS") QueueOptions queue) {
    /** The same with all random choices filled in. */
    public Positions resolved() {
        return new Positions(target, Values.withSeed(serial), reconnecting, encryption, request, requests, queue);
    }

    public ClientOptions asking() {
        return new ClientOptions(
                TimeoutOptions.DEFAULTS,
                reconnecting.of(1),
                encryption,
                request,
                requests,
                queue,
                DatabaseOptions.NONE);
    }

    /** Its arguments, without secrets of the target's URL. */
    @Override
    public String toString() {
        return Values.redacted(this).toString();
    }

    /**
     * How many requests follow each other, how often, and in how many concurrent runs. {@link CliOption} describes each
     * component.
     */
    public record SerialUse(
            @CliOption(
                    names = "--runs",
                    label = "N",
                    defaultValue = "100",
                    help = "Runs, each on its own new connections. Default 100.")
            long runs,

            @CliOption(
                    names = {"-n", "--requests"},
                    label = "N",
                    defaultValue = "180",
                    help = "Sequential requests per run. Default 180.")
            long requests,

            @CliOption(
                    names = {"-c", "--concurrency"},
                    label = "N",
                    defaultValue = "16",
                    help = "Concurrent runs, and thus connections. Default 16.")
            long concurrency,

            @CliOption(
                    names = "--warm-up-runs",
                    label = "N",
                    defaultValue = "4",
                    help = "Uncounted runs beforehand, since the first connections of a process are slow. Default 4.")
            long warmUpRuns,

            @CliOption(
                    names = "--together",
                    help =
                            "Starts runs at the same moment, so that their handshakes compete. Otherwise starts are spread.")
            boolean together,

            @CliOption.Of(TimeoutOptions.class) Duration timeout,

            @CliOption(names = "--seed", label = "HEX", help = "Repeats the start times of runs. Default: a new one.")
            Optional<Seed> seed) {
        /** The plan for the engine; the seed must be set. */
        public SerialPlan toPlan() {
            return Refusal.wrap(() -> new SerialPlan(
                    asInt(runs),
                    asInt(requests),
                    asInt(concurrency),
                    asInt(warmUpRuns),
                    !together,
                    timeout,
                    seed.orElseThrow().value()));
        }

        private static int asInt(long count) {
            return (int) Math.min(Integer.MAX_VALUE, count);
        }
    }

    /** How a serial run makes its connections, one at a time. {@link CliOption} describes each component. */
    public record Reconnecting(
            @CliOption.Of(ConnectionOptions.class) Optional<Duration> connectTimeout,

            @CliOption(
                    names = "--http",
                    label = "VERSION",
                    defaultValue = "1.1",
                    only = TargetKind.HTTP,
                    help = "The version of HTTP: 1.1 (default) or 2, one stream after the other on a connection.")
            HttpVersion http,

            @CliOption.Of(ConnectionOptions.class) Optional<Long> maxRequests,

            @CliOption.Of(ConnectionOptions.class) Optional<Long> replaceAfter,

            @CliOption.Of(ConnectionOptions.class) boolean tcpKeepalive,

            @CliOption.Of(ConnectionOptions.class) ConnectionOptions.LookupWhen lookup,

            @CliOption.Of(ConnectionOptions.class) Optional<String> proxy) {
        /** Refuses an HTTP version that is negotiated on a connection of its own. */
        public Reconnecting {
            Refusal.when(
                    http == HttpVersion.AUTO,
                    "--http auto asks the server beforehand, on a connection of its own: use 1.1 or 2");
        }

        /** Options for this many connections, one per run. */
        public ConnectionOptions of(int connections) {
            return Values.convert(
                    ConnectionOptions.class,
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
}
