package dev.downbeat.sqs;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.sqs.account.QueueSearch;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.QueueName;
import dev.downbeat.sqs.client.SdkClients;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.ServiceEndpoint;
import dev.downbeat.sqs.message.ForeignMessages;
import dev.downbeat.sqs.message.MessageMark;
import dev.downbeat.sqs.operation.DeliveryOperation;
import dev.downbeat.sqs.operation.QueueRehearsal;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Queues for callers with their own schedule and messages: the counterpart of {@link SqsTarget}, with the same SDK
 * client and telemetry. All queues of one service share their connections. Thread-safe.
 */
public final class SqsQueues implements AutoCloseable {
    private final SqsOptions options;
    private final NanoClock clock;
    private final String run;
    private final Map<ServiceEndpoint, SdkConnection> byService = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<SqsQueue>> byName = new ConcurrentHashMap<>();

    /**
     * Creates the object; queues are looked up on first use.
     *
     * @param options client options and endpoint; those for messages and operations are ignored
     * @param clock the clock for all instants
     */
    public SqsQueues(SqsOptions options, NanoClock clock) {
        this.options = options;
        this.clock = clock;
        this.run = options.use().run().orElseGet(MessageMark::newId);
    }

    /** Makes the JVM load and compile the SDK, once, against a server in this process. Takes about a second. */
    public void rehearse() {
        QueueRehearsal.once(options);
    }

    /**
     * Looks up a queue on a separate thread, once per queue.
     *
     * @param queue its name or its URL
     * @return fails with an {@link IOException} whose one line says why it cannot be used, or with an {@link
     *     IllegalArgumentException} if the name is invalid
     */
    public CompletableFuture<SqsQueue> find(String queue) {
        return byName.computeIfAbsent(
                queue, first -> CompletableFuture.supplyAsync(() -> open(first), SqsQueues::onThreadOfItsOwn));
    }

    private static void onThreadOfItsOwn(Runnable task) {
        Daemon.start("downbeat-sqs-lookup", task);
    }

    private SqsQueue open(String text) {
        QueueName name = new QueueName(text);
        ServiceEndpoint service = ServiceEndpoint.of(name, options);
        try {
            Queue queue =
                    new QueueSearch(name, service, "SQS queue " + name.name() + " " + service.where()).find(clock);
            SdkConnection connections = byService.computeIfAbsent(service, there -> connect(there, queue));
            return new SqsQueue(queue, connections, clock, options, () -> delivery(service, connections, queue));
        } catch (IOException failed) {
            throw new CompletionException(failed);
        }
    }

    private SdkConnection connect(ServiceEndpoint service, Queue queue) {
        SdkConnection opened = SdkClients.open(service, options.client().maxConnections(), clock);
        opened.warmUp(queue);
        return opened;
    }

    private DeliveryOperation delivery(ServiceEndpoint service, SdkConnection connections, Queue queue) {
        try {
            if (!options.use().isShared()) {
                ForeignMessages.check(queue);
            }
            SdkConnection beside = SdkClients.open(service, 2 * options.use().consumers() + 1, clock);
            return DeliveryOperation.open(connections, beside, queue, options, run);
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    /** Connection counts of the queues' clients, except those that only consume. */
    public ConnectionCounts connections() {
        return byService.values().stream()
                .map(connections -> connections.log().counts())
                .reduce(ConnectionCounts.NONE, ConnectionCounts::plus);
    }

    /** Counts of operations and messages. */
    public TargetCounts counts() {
        TargetCounts all = byName.values().stream()
                .filter(found -> found.isDone() && !found.isCompletedExceptionally())
                .map(found -> found.join().counts())
                .reduce(TargetCounts.NONE, TargetCounts::plus);
        long attempts = byService.values().stream()
                .mapToLong(connections -> connections.log().attempts())
                .sum();
        return attempts == 0 ? all : all.plus(new TargetCounts(Map.of(TargetCounts.ATTEMPTS, attempts)));
    }

    /** Fails all calls in progress and closes all connections. */
    @Override
    public void close() {
        for (CompletableFuture<SqsQueue> found : byName.values()) {
            if (found.isDone() && !found.isCompletedExceptionally()) {
                found.join().close();
            }
        }
        byService.values().forEach(SdkConnection::close);
    }
}
