package dev.downbeat.sqs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;
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
 * By a client that blocks: each call has a thread, of which there are as many as calls are out. So no call waits for a
 * thread, and what waits for a connection does so in the client.
 */
final class BlockingCalls implements SqsCalls {
    private final SqsClient client;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "downbeat-sqs-call");
        thread.setDaemon(true);
        return thread;
    });

    BlockingCalls(SqsClient client) {
        this.client = client;
    }

    /** Topics, on the same threads; closed on its own. */
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
