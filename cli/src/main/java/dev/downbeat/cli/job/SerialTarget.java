package dev.downbeat.cli.job;

import dev.downbeat.cli.console.Errors;
import dev.downbeat.cli.exec.CommandTargets;
import dev.downbeat.cli.http.AwsKeys;
import dev.downbeat.cli.http.BoringSslJar;
import dev.downbeat.cli.measurement.Asking;
import dev.downbeat.cli.measurement.QueueUse;
import dev.downbeat.cli.measurement.Reconnecting;
import dev.downbeat.cli.measurement.Requests;
import dev.downbeat.cli.measurement.Waiting;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.cli.queue.QueueDemo;
import dev.downbeat.cli.queue.QueueTargets;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpRequests;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * A target for one request at a time. Each run has its own connection, opened by its first request.
 *
 * @param url the target
 * @param reconnecting how connections are made
 * @param asking how requests are made
 */
public record SerialTarget(String url, Reconnecting reconnecting, Asking asking) {
    /** The seed of randomly drawn requests. */
    private static final long SEED = 1;

    /**
     * Creates the target.
     *
     * @param shares number of runs, each with a connection
     * @param demo the embedded queue, if it is the target and has been started
     */
    public Target of(int shares, @Nullable QueueDemo demo) {
        try {
            if (Requests.isCommand(url)) {
                return CommandTargets.serial(asking, url, shares, SEED);
            }
            return QueueUse.isQueue(url) ? ofQueue(shares, demo) : ofUrl(shares);
        } catch (IllegalArgumentException refused) {
            throw Refusal.of(refused);
        } catch (IOException unreadable) {
            throw new TypeConversionException(Messages.ofFile(unreadable));
        }
    }

    private Target ofQueue(int shares, @Nullable QueueDemo demo) throws IOException {
        Refusal.when(
                asking.queue().operation() == QueueUse.Operation.DELIVERY,
                "--operation delivery is no request on one connection: give send, send-batch, receive or delete");
        return QueueTargets.of(
                url, asking.with(reconnecting.of(shares)), shares, demo, Optional.empty(), ShardPart.WHOLE, 0);
    }

    private Target ofUrl(int shares) throws IOException {
        // many lanes share the processors: none may spin
        return http(options(shares).pacing(Pacing.BLOCK).cold(true));
    }

    /** Draws different requests by weight, so that each place of a run has the same mix. */
    private HttpTarget http(HttpOptions.Builder options) throws IOException {
        if (!asking.requests().areSeveralKinds(url)) {
            reach(options, HttpEndpoint.parse(url));
            return new HttpTarget(asking.request().toRequest(url), options.build());
        }
        HttpRequests requests = AwsKeys.signed(asking.source().toSet(url, false, SEED), asking.requests());
        Refusal.when(
                requests.services().size() > 1,
                "a position is one on a connection, which leads to one service, but these requests ask "
                        + requests.services().size() + ": give those of one service");
        reach(options, requests.services().get(0));
        return new HttpTarget(requests, options.build());
    }

    private void reach(HttpOptions.Builder options, HttpEndpoint service) {
        asking.connections().redirect(options, List.of(service));
        if (service.tls()) {
            BoringSslJar.of(asking.encryption().engine()).ifPresent(options.tls()::provider);
        }
    }

    private HttpOptions.Builder options(int connections) throws IOException {
        return asking.with(reconnecting.of(connections)).with(Waiting.USUAL).toHttpOptions(0, 1);
    }

    /** Refuses a target that does not accept connections. Otherwise the first request of a run would find out. */
    public void refuseIfNobodyAnswers() throws IOException {
        if (QueueUse.isQueue(url) || Requests.isCommand(url)) {
            return; // queues are looked up and workers started before anything is sent
        }
        try {
            http(options(1)).open(0, 1, NanoClock.system(), exchange -> {}).close();
        } catch (IOException failure) {
            throw Errors.nothing(failure);
        }
    }
}
