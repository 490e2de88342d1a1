package dev.downbeat.sqs.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.sns.model.GetSubscriptionAttributesRequest;
import software.amazon.awssdk.services.sns.model.GetSubscriptionAttributesResponse;
import software.amazon.awssdk.services.sns.model.ListSubscriptionsByTopicRequest;
import software.amazon.awssdk.services.sns.model.ListSubscriptionsByTopicResponse;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sns.model.PublishResponse;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.CreateQueueRequest;
import software.amazon.awssdk.services.sqs.model.CreateQueueResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageResponse;
import software.amazon.awssdk.services.sqs.model.DeleteQueueResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/**
 * The service's operations, for blocking and non-blocking clients. Each returns at once. Its future completes on a
 * client thread; cancelling it aborts the call as far as the client supports it. Thread-safe.
 */
public interface SqsCalls extends AutoCloseable {
    /** The time limit of {@link #await}. */
    long LONGEST_SECONDS = 10;

    /** The same operation for either kind of client. */
    <T> CompletableFuture<T> call(
            Function<SqsClient, T> blocking, Function<SqsAsyncClient, CompletableFuture<T>> async);

    default CompletableFuture<SendMessageResponse> send(SendMessageRequest request) {
        return call(client -> client.sendMessage(request), client -> client.sendMessage(request));
    }

    default CompletableFuture<SendMessageBatchResponse> sendBatch(SendMessageBatchRequest request) {
        return call(client -> client.sendMessageBatch(request), client -> client.sendMessageBatch(request));
    }

    default CompletableFuture<ReceiveMessageResponse> receive(ReceiveMessageRequest request) {
        return call(client -> client.receiveMessage(request), client -> client.receiveMessage(request));
    }

    default CompletableFuture<DeleteMessageResponse> delete(DeleteMessageRequest request) {
        return call(client -> client.deleteMessage(request), client -> client.deleteMessage(request));
    }

    default CompletableFuture<DeleteMessageBatchResponse> deleteBatch(DeleteMessageBatchRequest request) {
        return call(client -> client.deleteMessageBatch(request), client -> client.deleteMessageBatch(request));
    }

    default CompletableFuture<ChangeMessageVisibilityBatchResponse> changeVisibility(
            ChangeMessageVisibilityBatchRequest request) {
        return call(
                client -> client.changeMessageVisibilityBatch(request),
                client -> client.changeMessageVisibilityBatch(request));
    }

    default CompletableFuture<CreateQueueResponse> createQueue(CreateQueueRequest request) {
        return call(client -> client.createQueue(request), client -> client.createQueue(request));
    }

    default CompletableFuture<DeleteQueueResponse> deleteQueue(String url) {
        return call(
                client -> client.deleteQueue(request -> request.queueUrl(url)),
                client -> client.deleteQueue(request -> request.queueUrl(url)));
    }

    default CompletableFuture<String> queueUrl(String name) {
        return call(
                        client -> client.getQueueUrl(request -> request.queueName(name)),
                        client -> client.getQueueUrl(request -> request.queueName(name)))
                .thenApply(GetQueueUrlResponse::queueUrl);
    }

    /** The attributes of a queue that have a value. */
    default CompletableFuture<Map<QueueAttributeName, String>> queueAttributes(
            String url, QueueAttributeName... names) {
        GetQueueAttributesRequest request = GetQueueAttributesRequest.builder()
                .queueUrl(url)
                .attributeNames(names)
                .build();
        return call(client -> client.getQueueAttributes(request), client -> client.getQueueAttributes(request))
                .thenApply(GetQueueAttributesResponse::attributes);
    }

    /** Waits for a response, outside measurements. */
    static <T> T await(CompletableFuture<T> answer) throws ExecutionException, TimeoutException, InterruptedException {
        return answer.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * The same call, which is cancelled if it is not answered within the limit: a connection that dies silently, with
     * nothing left to send on it, would be awaited for ever.
     */
    static <T> CompletableFuture<T> within(Duration limit, CompletableFuture<T> call) {
        CompletableFuture<T> limited = call.copy().orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<T> unused = limited.whenComplete((answer, thrown) -> {
            if (thrown != null) {
                call.cancel(true);
            }
        });
        return limited;
    }

    @Override
    void close();

    static AwsRequestOverrideConfiguration observed(@Nullable CallObservation observation) {
        AwsRequestOverrideConfiguration.Builder configuration = AwsRequestOverrideConfiguration.builder();
        if (observation != null) {
            configuration.putExecutionAttribute(CallObservation.KEY, observation);
        }
        return configuration.build();
    }

    /** Topic operations, like {@link SqsCalls} for queues: with the same HTTP client. Thread-safe. */
    record TopicCalls(
            Function<PublishRequest, CompletableFuture<PublishResponse>> publishing,
            Function<ListSubscriptionsByTopicRequest, CompletableFuture<ListSubscriptionsByTopicResponse>> listing,
            Function<GetSubscriptionAttributesRequest, CompletableFuture<GetSubscriptionAttributesResponse>> describing,
            Runnable closing) {
        public CompletableFuture<PublishResponse> publish(PublishRequest request) {
            return publishing.apply(request);
        }

        public CompletableFuture<ListSubscriptionsByTopicResponse> subscriptions(
                ListSubscriptionsByTopicRequest request) {
            return listing.apply(request);
        }

        public CompletableFuture<GetSubscriptionAttributesResponse> subscription(
                GetSubscriptionAttributesRequest request) {
            return describing.apply(request);
        }

        void close() {
            closing.run();
        }
    }
}
