package dev.downbeat.sqs;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
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
 * The service's operations, whether the client blocks or not. Each returns at once; its future ends on a thread of the
 * client, and cancelling it ends the call as far as the client can. Thread-safe.
 */
interface SqsCalls extends AutoCloseable {
    CompletableFuture<SendMessageResponse> send(SendMessageRequest request);

    CompletableFuture<SendMessageBatchResponse> sendBatch(SendMessageBatchRequest request);

    CompletableFuture<ReceiveMessageResponse> receive(ReceiveMessageRequest request);

    CompletableFuture<DeleteMessageResponse> delete(DeleteMessageRequest request);

    CompletableFuture<DeleteMessageBatchResponse> deleteBatch(DeleteMessageBatchRequest request);

    CompletableFuture<ChangeMessageVisibilityBatchResponse> changeVisibility(
            ChangeMessageVisibilityBatchRequest request);

    CompletableFuture<CreateQueueResponse> createQueue(CreateQueueRequest request);

    CompletableFuture<DeleteQueueResponse> deleteQueue(DeleteQueueRequest request);

    CompletableFuture<GetQueueUrlResponse> queueUrl(GetQueueUrlRequest request);

    CompletableFuture<GetQueueAttributesResponse> queueAttributes(GetQueueAttributesRequest request);

    @Override
    void close();

    /** What leads from a request to its observation. */
    static AwsRequestOverrideConfiguration observed(@Nullable Observation observation) {
        AwsRequestOverrideConfiguration.Builder configuration = AwsRequestOverrideConfiguration.builder();
        if (observation != null) {
            configuration.putExecutionAttribute(Observation.KEY, observation);
        }
        return configuration.build();
    }
}
