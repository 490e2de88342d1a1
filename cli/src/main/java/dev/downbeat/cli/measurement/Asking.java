package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import java.io.File;
import java.io.IOException;
import java.util.stream.Collectors;

/**
 * How a target is requested and how long responses are awaited; shared by all commands that load a target.
 * {@link CliOption} describes each component.
 */
public record Asking(
        @CliOption(names = "Waiting") Waiting waiting,
        @CliOption(names = "Connections") Connections connections,
        @CliOption(names = "TLS") Encryption encryption,
        @CliOption(names = "Request") RequestOptions request,
        @CliOption(names = "Requests") Requests requests,
        @CliOption(names = "SQS") QueueUse queue,
        @CliOption(names = "JDBC") DatabaseUse database) {
    /** The default number of a queue client's connections. */
    public static final int QUEUE_CONNECTIONS = 50;

    /** The requests of the load, where they differ. */
    public RequestSource source() {
        return new RequestSource(requests, request);
    }

    /** The same with other connections. */
    public Asking with(Connections other) {
        return new Asking(waiting, other, encryption, request, requests, queue, database);
    }

    /** The same with other timeouts. */
    public Asking with(Waiting other) {
        return new Asking(other, connections, encryption, request, requests, queue, database);
    }

    /**
     * How connections of an HTTP target are made; the caller sets how generators wait.
     *
     * @param closedClients number of closed-loop clients; 0 for an open loop
     * @param shards number of processes that share them
     * @throws IOException if a certificate cannot be read
     */
    public HttpOptions.Builder toHttpOptions(int closedClients, int shards) throws IOException {
        HttpOptions.Builder options = connections.toHttpOptions(closedClients, waiting.threads(), shards);
        encryption.applyTo(options.tls());
        return options;
    }

    /** The kind of a target. */
    public static CliOption.Only kindOf(String target) {
        return QueueUse.isQueue(target)
                ? CliOption.Only.SQS
                : DatabaseUse.isDatabase(target)
                        ? CliOption.Only.JDBC
                        : Requests.isCommand(target)
                                ? CliOption.Only.EXEC
                                : HttpEndpoint.isOnlyConnected(target) ? CliOption.Only.CONNECT : CliOption.Only.HTTP;
    }

    /** Refuses options without effect on this target. */
    public void check(String target) {
        CliOption.Only kind = kindOf(target);
        check(this, kind);
        if (kind == CliOption.Only.SQS) {
            queue.checkPoll(waiting);
        }
        if (kind != CliOption.Only.HTTP && kind != CliOption.Only.CONNECT) {
            return;
        }
        requests.expect().forEach(Requests::expectation);
        boolean isUrl = !requests.areSeveralKinds(target);
        Refusal.when(
                !requests.areScript(target) && new File(target).isFile(),
                "target '" + target + "' is a file of another kind (accepted: " + String.join(", ", Requests.FILES)
                        + "; lines of curl by --curl @FILE, lists of vegeta by --targets FILE)");
        Refusal.when(
                !isUrl
                        && Requests.isFile(target)
                        && (request.method().isPresent() || request.data().isPresent()),
                "-X and --data are for a single request: a file says method and body itself");
        Refusal.when(requests.env().isPresent() && isUrl, "--env goes with a file of requests only, such as shop.http");
        for (String option : Values.said(encryption).keySet()) {
            Refusal.when(
                    isUrl && !HttpEndpoint.parse(target).tls(),
                    () -> option + " needs an https:// target: this one is not encrypted");
        }
    }

    /** Refuses options for targets of another kind. */
    public static void check(Record options, CliOption.Only kind) {
        Values.givenForOtherTargets(options, kind)
                .forEach((option, kinds) -> Refusal.when(
                        true,
                        option + " is for "
                                + kinds.stream()
                                        .map(Enum::name)
                                        .collect(Collectors.joining(", "))
                                        .replaceFirst(", (\\w+)$", " or $1")
                                + " targets only"));
    }

    /** The most connections of a queue's client. */
    public int queueConnections() {
        return connections.or(QUEUE_CONNECTIONS).count(0);
    }
}
