package dev.downbeat.gatling.settings;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.gatling.version.OptionalClass;
import dev.downbeat.gatling.version.UserMistake;
import dev.downbeat.sqs.SqsQueue;
import dev.downbeat.sqs.SqsQueues;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.sqs.options.Topic;
import dev.downbeat.time.NanoClock;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The queues of a run. Loaded only if a simulation uses queues, since it requires the AWS SDK. Thread-safe. */
public final class SqsAccess {
    private static final String TARGET = "dev.downbeat.sqs.SqsQueues";
    private static final String SDK = "software.amazon.awssdk.services.sqs.SqsAsyncClient";
    private static final AtomicBoolean REHEARSED = new AtomicBoolean();

    private final SqsQueues queues;

    public SqsAccess(SqsSettings settings) {
        SqsOptions options = SqsOptions.of(draft -> {
            draft.maxConnections = settings.connections();
            draft.connectTimeout = settings.connectTimeout();
            draft.acquireTimeout = settings.requestTimeout();
            draft.verifyServer = settings.verify();
            draft.transport = transport(settings.transport());
            draft.maxAttempts = settings.retries() + 1;
            draft.queueIsMine = settings.queueIsMine();
            draft.region = settings.region();
            draft.endpoint = settings.endpoint();
            settings.topic().ifPresent(arn -> {
                draft.operation = SqsOperation.DELIVERY;
                draft.through = Optional.of(topic(arn));
            });
        });
        queues = new SqsQueues(options, NanoClock.system());
    }

    private static Topic topic(String arn) {
        try {
            return new Topic(arn);
        } catch (IllegalArgumentException unknown) {
            throw new UserMistake(String.valueOf(unknown.getMessage()));
        }
    }

    private static SqsTransport transport(String name) {
        try {
            return SqsTransport.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new UserMistake(
                    "transport must be downbeat, apache, netty, url-connection or crt, but was '" + name + "'");
        }
    }

    /** Fails with one line if the classes are missing. */
    public static void check() {
        if (!OptionalClass.isThere(TARGET) || !OptionalClass.isThere(SDK)) {
            throw new UserMistake("Downbeat.sqs needs dev.downbeat:downbeat-sqs and its AWS SDK on the class path");
        }
    }

    /**
     * Looks up a queue before the first user starts, which also loads the SDK.
     *
     * @param consumes whether messages will also be received
     */
    public void prepare(String queue, boolean consumes) {
        if (REHEARSED.compareAndSet(false, true)) {
            queues.rehearse();
        }
        try {
            SqsQueue found = queues.find(queue).join();
            if (consumes) {
                found.consume();
            }
        } catch (CompletionException | UncheckedIOException failed) {
            throw new UserMistake(reason(failed));
        }
    }

    public static String reason(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Looks up a queue; does not block. */
    public CompletableFuture<SqsQueue> find(String queue) {
        return queues.find(queue);
    }

    public ConnectionCounts connections() {
        return queues.connections();
    }

    public TargetCounts counts() {
        return queues.counts();
    }

    public void close() {
        queues.close();
    }
}
