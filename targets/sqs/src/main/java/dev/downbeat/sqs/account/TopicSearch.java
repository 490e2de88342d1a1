package dev.downbeat.sqs.account;

import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.client.TopicCalls;
import dev.downbeat.sqs.message.SqsFailures;
import dev.downbeat.sqs.options.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sns.model.GetSubscriptionAttributesRequest;
import software.amazon.awssdk.services.sns.model.ListSubscriptionsByTopicRequest;
import software.amazon.awssdk.services.sns.model.ListSubscriptionsByTopicResponse;
import software.amazon.awssdk.services.sns.model.Subscription;

/**
 * Looks at who hears a topic. Waits for the answers, and asks no more than some pages of subscriptions.
 *
 * @param topic that is published to
 * @param calls of its service
 */
record TopicSearch(Topic topic, TopicCalls calls) {
    private static final int MOST_PAGES = 10;

    /**
     * Asks.
     *
     * @param queueArn of the queue that is to get the messages; null if nobody says
     * @throws ExecutionException if there is no such topic, or nobody answers
     */
    TopicSurvey look(@Nullable String queueArn) throws ExecutionException, TimeoutException, InterruptedException {
        List<Subscription> all;
        try {
            all = subscriptions();
        } catch (ExecutionException refused) {
            if (SqsFailures.reasonOf(refused).equals("access denied")) {
                return new TopicSurvey(topic.name(), TopicSurvey.Arrival.UNKNOWN, -1);
            }
            throw refused;
        }
        Optional<Subscription> ours = all.stream()
                .filter(one -> "sqs".equals(one.protocol()) && one.endpoint().equals(queueArn))
                .findFirst();
        if (ours.isEmpty()) {
            return new TopicSurvey(
                    topic.name(),
                    queueArn == null ? TopicSurvey.Arrival.UNKNOWN : TopicSurvey.Arrival.NEVER,
                    all.size());
        }
        return new TopicSurvey(topic.name(), arrival(ours.get()), all.size() - 1L);
    }

    private List<Subscription> subscriptions() throws ExecutionException, TimeoutException, InterruptedException {
        List<Subscription> all = new ArrayList<>();
        String next = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            ListSubscriptionsByTopicResponse answer =
                    SqsCalls.await(calls.subscriptions(ListSubscriptionsByTopicRequest.builder()
                            .topicArn(topic.arn())
                            .nextToken(next)
                            .build()));
            all.addAll(answer.subscriptions());
            next = answer.nextToken();
            if (next == null || next.isEmpty()) {
                break;
            }
        }
        return all;
    }

    private TopicSurvey.Arrival arrival(Subscription ours) throws TimeoutException, InterruptedException {
        try {
            String raw = SqsCalls.await(calls.subscription(GetSubscriptionAttributesRequest.builder()
                            .subscriptionArn(ours.subscriptionArn())
                            .build()))
                    .attributes()
                    .getOrDefault("RawMessageDelivery", "false");
            return "true".equalsIgnoreCase(raw) ? TopicSurvey.Arrival.RAW : TopicSurvey.Arrival.WRAPPED;
        } catch (ExecutionException mayNot) {
            return TopicSurvey.Arrival.SOMEHOW;
        }
    }
}
