package dev.downbeat.sqs.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Operations with a blocking client, with one thread per call in progress. No call waits for a thread; waits for a
 * connection happen in the client.
 */
final class ThreadedCalls implements SqsCalls {
    private final SqsClient client;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "downbeat-sqs-call");
        thread.setDaemon(true);
        return thread;
    });

    ThreadedCalls(SqsClient client) {
        this.client = client;
    }

    /** Topics, on the same threads; closed separately. */
    TopicCalls topics(SnsClient topics) {
        return new TopicCalls(
                request -> call(() -> topics.publish(request)),
                request -> call(() -> topics.listSubscriptionsByTopic(request)),
                request -> call(() -> topics.getSubscriptionAttributes(request)),
                topics::close);
    }

    private <T> CompletableFuture<T> call(Supplier<T> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Future<?> task = threads.submit(() -> {
            try {
                result.complete(operation.get());
            } catch (RuntimeException failed) {
                result.completeExceptionally(failed);
            }
        });
        CompletableFuture<T> unused = result.whenComplete((value, thrown) -> {
            if (result.isCancelled()) {
                task.cancel(true);
            }
        });
        return result;
    }

    @Override
    public <T> CompletableFuture<T> call(
            Function<SqsClient, T> blocking, Function<SqsAsyncClient, CompletableFuture<T>> async) {
        return call(() -> blocking.apply(client));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        client.close();
    }
}
