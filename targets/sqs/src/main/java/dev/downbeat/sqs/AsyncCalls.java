package dev.downbeat.sqs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sns.SnsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.CreateQueueRequest;
import software.amazon.awssdk.services.sqs.model.CreateQueueResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageResponse;
import software.amazon.awssdk.services.sqs.model.DeleteQueueRequest;
import software.amazon.awssdk.services.sqs.model.DeleteQueueResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/**
 * By a client that does not block. The SDK builds and signs a request on the thread that calls it: here that is one of a
 * few, not the generator's, which would be late for it. So this work is a part of the service time, as with a client that
 * blocks.
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

    /** Topics, on the same threads; closed on its own. */
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
                return; // abandoned before it was begun
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
    public CompletableFuture<SendMessageResponse> send(SendMessageRequest request) {
        return call(() -> client.sendMessage(request));
    }

    @Override
    public CompletableFuture<SendMessageBatchResponse> sendBatch(SendMessageBatchRequest request) {
        return call(() -> client.sendMessageBatch(request));
    }

    @Override
    public CompletableFuture<ReceiveMessageResponse> receive(ReceiveMessageRequest request) {
        return call(() -> client.receiveMessage(request));
    }

    @Override
    public CompletableFuture<DeleteMessageResponse> delete(DeleteMessageRequest request) {
        return call(() -> client.deleteMessage(request));
    }

    @Override
    public CompletableFuture<DeleteMessageBatchResponse> deleteBatch(DeleteMessageBatchRequest request) {
        return call(() -> client.deleteMessageBatch(request));
    }

    @Override
    public CompletableFuture<ChangeMessageVisibilityBatchResponse> changeVisibility(
            ChangeMessageVisibilityBatchRequest request) {
        return call(() -> client.changeMessageVisibilityBatch(request));
    }

    @Override
    public CompletableFuture<CreateQueueResponse> createQueue(CreateQueueRequest request) {
        return call(() -> client.createQueue(request));
    }

    @Override
    public CompletableFuture<DeleteQueueResponse> deleteQueue(DeleteQueueRequest request) {
        return call(() -> client.deleteQueue(request));
    }

    @Override
    public CompletableFuture<GetQueueUrlResponse> queueUrl(GetQueueUrlRequest request) {
        return call(() -> client.getQueueUrl(request));
    }

    @Override
    public CompletableFuture<GetQueueAttributesResponse> queueAttributes(GetQueueAttributesRequest request) {
        return call(() -> client.getQueueAttributes(request));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        client.close();
    }
}
