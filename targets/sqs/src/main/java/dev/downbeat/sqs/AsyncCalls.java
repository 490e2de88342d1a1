package dev.downbeat.sqs;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageResponse;
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
 * By a client that does not block.
 *
 * @param client closed with this
 */
record AsyncCalls(SqsAsyncClient client) implements SqsCalls {
    @Override
    public CompletableFuture<SendMessageResponse> send(SendMessageRequest request) {
        return client.sendMessage(request);
    }

    @Override
    public CompletableFuture<SendMessageBatchResponse> sendBatch(SendMessageBatchRequest request) {
        return client.sendMessageBatch(request);
    }

    @Override
    public CompletableFuture<ReceiveMessageResponse> receive(ReceiveMessageRequest request) {
        return client.receiveMessage(request);
    }

    @Override
    public CompletableFuture<DeleteMessageResponse> delete(DeleteMessageRequest request) {
        return client.deleteMessage(request);
    }

    @Override
    public CompletableFuture<DeleteMessageBatchResponse> deleteBatch(DeleteMessageBatchRequest request) {
        return client.deleteMessageBatch(request);
    }

    @Override
    public CompletableFuture<GetQueueUrlResponse> queueUrl(GetQueueUrlRequest request) {
        return client.getQueueUrl(request);
    }

    @Override
    public CompletableFuture<GetQueueAttributesResponse> queueAttributes(GetQueueAttributesRequest request) {
        return client.getQueueAttributes(request);
    }

    @Override
    public void close() {
        client.close();
    }
}
