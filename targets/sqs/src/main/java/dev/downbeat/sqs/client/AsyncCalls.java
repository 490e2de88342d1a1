package dev.downbeat.sqs.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sns.SnsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Operations with a non-blocking client. The SDK builds and signs a request on the calling thread, which here is one of
 * a small pool, so that the generator is not delayed. This work is part of the service time, as with a blocking client.
 */
final class AsyncCalls implements SqsCalls {
    private final SqsAsyncClient client;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), task -> {
                Thread thread = new Thread(task, "downbeat-sqs-start");
                thread.setDaemon(true);
                return thread;
            });

    AsyncCalls(SqsAsyncClient client) {
        this.client = client;
    }

    /** Topics, on the same threads; closed separately. */
    TopicCalls topics(SnsAsyncClient topics) {
        return new TopicCalls(
                request -> call(() -> topics.publish(request)),
                request -> call(() -> topics.listSubscriptionsByTopic(request)),
                request -> call(() -> topics.getSubscriptionAttributes(request)),
                topics::close);
    }

    private <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.execute(() -> {
            if (result.isDone()) {
                return; // abandoned before it started
            }
            try {
                forward(operation.get(), result);
            } catch (RuntimeException refused) {
                result.completeExceptionally(refused);
            }
        });
        return result;
    }

    private static <T> void forward(CompletableFuture<T> sent, CompletableFuture<T> result) {
        CompletableFuture<T> unused = sent.whenComplete((answer, thrown) -> {
            if (thrown == null) {
                result.complete(answer);
            } else {
                result.completeExceptionally(thrown);
            }
        });
        CompletableFuture<T> unusedToo = result.whenComplete((answer, thrown) -> {
            if (result.isCancelled()) {
                sent.cancel(true);
            }
        });
    }

    @Override
    public <T> CompletableFuture<T> call(
            Function<SqsClient, T> blocking, Function<SqsAsyncClient, CompletableFuture<T>> async) {
        return call(() -> async.apply(client));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        client.close();
    }
}
