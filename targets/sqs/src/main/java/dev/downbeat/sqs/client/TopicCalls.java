package dev.downbeat.sqs.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import software.amazon.awssdk.services.sns.model.GetSubscriptionAttributesRequest;
import software.amazon.awssdk.services.sns.model.GetSubscriptionAttributesResponse;
import software.amazon.awssdk.services.sns.model.ListSubscriptionsByTopicRequest;
import software.amazon.awssdk.services.sns.model.ListSubscriptionsByTopicResponse;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sns.model.PublishResponse;

/** Topic operations, like {@link SqsCalls} for queues: with the same HTTP client. Thread-safe. */
public record TopicCalls(
        Function<PublishRequest, CompletableFuture<PublishResponse>> publishing,
        Function<ListSubscriptionsByTopicRequest, CompletableFuture<ListSubscriptionsByTopicResponse>> listing,
        Function<GetSubscriptionAttributesRequest, CompletableFuture<GetSubscriptionAttributesResponse>> describing,
        Runnable closing) {
    public CompletableFuture<PublishResponse> publish(PublishRequest request) {
        return publishing.apply(request);
    }

    public CompletableFuture<ListSubscriptionsByTopicResponse> subscriptions(ListSubscriptionsByTopicRequest request) {
        return listing.apply(request);
    }

    public CompletableFuture<GetSubscriptionAttributesResponse> subscription(GetSubscriptionAttributesRequest request) {
        return describing.apply(request);
    }

    void close() {
        closing.run();
    }
}
