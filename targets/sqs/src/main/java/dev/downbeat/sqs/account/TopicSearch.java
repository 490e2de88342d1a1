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
 * Looks up the subscribers of a topic. Blocks, and reads a limited number of pages.
 *
 * @param topic the topic
 * @param calls client of its service
 */
record TopicSearch(Topic topic, TopicCalls calls) {
    private static final int MOST_PAGES = 10;

    /**
     * Runs the lookup.
     *
     * @param queueArn the queue that should receive the messages; null if unknown
     * @throws ExecutionException if the topic does not exist, or the service does not respond
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
        } catch (ExecutionException denied) {
            return TopicSurvey.Arrival.SOMEHOW;
        }
    }
}
