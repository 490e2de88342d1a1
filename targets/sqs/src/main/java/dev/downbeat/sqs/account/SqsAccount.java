package dev.downbeat.sqs.account;

import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.QueueName;
import dev.downbeat.sqs.client.SdkClients;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.ServiceEndpoint;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.client.SqsCalls.TopicCalls;
import dev.downbeat.sqs.message.SqsFailures;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.Topic;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.sns.model.GetSubscriptionAttributesRequest;
import software.amazon.awssdk.services.sns.model.ListSubscriptionsByTopicRequest;
import software.amazon.awssdk.services.sns.model.ListSubscriptionsByTopicResponse;
import software.amazon.awssdk.services.sns.model.Subscription;
import software.amazon.awssdk.services.sqs.model.CreateQueueRequest;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Operations on an account before and after a measurement, with a client other than the measured one.
 *
 * @param options account and service
 */
public record SqsAccount(SqsOptions options) {
    /** The configuration of a new queue. */
    public record NewQueue(
            String name, boolean encrypted, Optional<Duration> visibility, Duration delay, Map<String, String> tags) {}

    private interface Work<T> {
        T with(SdkConnection client) throws ExecutionException, TimeoutException, InterruptedException;
    }

    private <T> T call(ServiceEndpoint service, String subject, Work<T> work) throws IOException {
        try (SdkConnection client = SdkClients.open(service, 1, NanoClock.system())) {
            try {
                return work.with(client);
            } catch (ExecutionException | RuntimeException failed) {
                throw new IOException(
                        subject + ": " + SqsFailures.reasonOf(failed) + SqsFailures.serviceText(failed), failed);
            } catch (TimeoutException silent) {
                throw new IOException(subject + ": no answer within " + SqsCalls.LONGEST_SECONDS + " s", silent);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", stop);
            }
        }
    }

    /** Whether a failed operation may have taken effect: the response was lost, or was a server error. */
    public static boolean mayHaveSucceeded(IOException failed) {
        for (Throwable cause : SqsFailures.causes(failed.getCause()).toList()) {
            if (cause instanceof SdkServiceException answer) {
                return answer.statusCode() >= 500;
            }
            boolean isLost = cause instanceof TimeoutException
                    || cause instanceof InterruptedException
                    || cause instanceof ApiCallTimeoutException
                    || cause instanceof ApiCallAttemptTimeoutException
                    || (cause instanceof IOException && !SqsFailures.isUnsent(cause));
            if (isLost) {
                return true;
            }
        }
        return false;
    }

    /**
     * Inspects a queue without changing it.
     *
     * @param queue its URL or its name
     * @throws IOException with one line, if it cannot be found
     */
    public QueueSurvey survey(String queue) throws IOException {
        QueueName name = new QueueName(queue);
        ServiceEndpoint service = ServiceEndpoint.of(name, options);
        Queue found = new QueueSearch(name, service, "SQS queue " + name.name() + " " + service.where())
                .find(NanoClock.system());
        Map<QueueAttributeName, String> attributes = attributes(service, found.url());
        Optional<QueueSurvey.Contents> contents = QueueSearch.number(
                        attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)
                .map(visible -> new QueueSurvey.Contents(
                        visible,
                        QueueSearch.number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)
                                .orElse(0L),
                        QueueSearch.number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED)
                                .orElse(0L)));
        String where = service.isAmazon()
                ? service.region()
                : service.endpoint().map(uri -> uri.getAuthority()).orElse(service.region());
        return new QueueSurvey(
                name.name(),
                where,
                new QueueName(found.url()).account(),
                service.isAmazon(),
                found.isFifo(),
                contents,
                deadLetters(service, attributes.getOrDefault(QueueAttributeName.REDRIVE_POLICY, "")),
                topic(service, attributes.get(QueueAttributeName.QUEUE_ARN)));
    }

    private Optional<TopicSurvey> topic(ServiceEndpoint service, @Nullable String queueArn) throws IOException {
        if (service.topic().isEmpty()) {
            return Optional.empty();
        }
        Topic topic = service.topic().get();
        return Optional.of(call(
                service,
                "topic " + topic.name(),
                client -> new TopicSearch(topic, client.topics().orElseThrow()).find(queueArn)));
    }

    private Map<QueueAttributeName, String> attributes(ServiceEndpoint service, String url) {
        try {
            return call(
                    service,
                    "attributes",
                    client -> SqsCalls.await(client.calls().queueAttributes(url, QueueAttributeName.ALL)));
        } catch (IOException denied) {
            return Map.of();
        }
    }

    private Optional<QueueSurvey.DeadLetters> deadLetters(ServiceEndpoint service, String policy) {
        return RedrivePolicy.of(policy)
                .map(found -> new QueueSurvey.DeadLetters(
                        found.deadLetterName(), found.maxReceives(), messages(service, found.deadLetterName())));
    }

    private Optional<Long> messages(ServiceEndpoint service, String name) {
        try {
            String url =
                    call(service, name, client -> SqsCalls.await(client.calls().queueUrl(name)));
            return QueueSearch.number(attributes(service, url), QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
        } catch (IOException denied) {
            return Optional.empty();
        }
    }

    /**
     * Creates a queue.
     *
     * @return its URL
     * @throws IOException with one line, if it is refused
     */
    public String create(NewQueue queue) throws IOException {
        QueueName name = new QueueName(queue.name());
        ServiceEndpoint service = ServiceEndpoint.of(name, options);
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        if (name.isFifo()) {
            attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
        }
        if (queue.encrypted()) {
            attributes.put(QueueAttributeName.SQS_MANAGED_SSE_ENABLED, "true");
        }
        queue.visibility()
                .ifPresent(
                        time -> attributes.put(QueueAttributeName.VISIBILITY_TIMEOUT, Long.toString(time.toSeconds())));
        if (!queue.delay().isZero()) {
            attributes.put(
                    QueueAttributeName.DELAY_SECONDS,
                    Long.toString(queue.delay().toSeconds()));
        }
        return call(
                service,
                "cannot create queue " + queue.name(),
                client -> SqsCalls.await(client.calls()
                                .createQueue(CreateQueueRequest.builder()
                                        .queueName(queue.name())
                                        .attributes(attributes)
                                        .tags(queue.tags())
                                        .build()))
                        .queueUrl());
    }

    /**
     * Deletes a queue with its contents.
     *
     * @throws IOException with one line, if it is refused
     */
    public void delete(String url) throws IOException {
        ServiceEndpoint service = ServiceEndpoint.of(new QueueName(url), options);
        call(
                service,
                url + " could not be removed",
                client -> SqsCalls.await(client.calls().deleteQueue(url)));
    }

    /**
     * Looks up the subscribers of a topic. Blocks, and reads a limited number of pages.
     *
     * @param topic the topic
     * @param calls client of its service
     */
    private record TopicSearch(Topic topic, TopicCalls calls) {
        private static final int MOST_PAGES = 10;

        /**
         * Runs the lookup.
         *
         * @param queueArn the queue that should receive the messages; null if unknown
         * @throws ExecutionException if the topic does not exist, or the service does not respond
         */
        TopicSurvey find(@Nullable String queueArn) throws ExecutionException, TimeoutException, InterruptedException {
            List<Subscription> all;
            try {
                all = subscriptions();
            } catch (ExecutionException refused) {
                if (SqsFailures.isDenied(refused)) {
                    return new TopicSurvey(topic.name(), TopicSurvey.Arrival.UNKNOWN, -1);
                }
                throw refused;
            }
            Optional<Subscription> own = all.stream()
                    .filter(one ->
                            "sqs".equals(one.protocol()) && one.endpoint().equals(queueArn))
                    .findFirst();
            if (own.isEmpty()) {
                return new TopicSurvey(
                        topic.name(),
                        queueArn == null ? TopicSurvey.Arrival.UNKNOWN : TopicSurvey.Arrival.NEVER,
                        all.size());
            }
            return new TopicSurvey(topic.name(), arrival(own.get()), all.size() - 1L);
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

        private TopicSurvey.Arrival arrival(Subscription own) throws TimeoutException, InterruptedException {
            try {
                String raw = SqsCalls.await(calls.subscription(GetSubscriptionAttributesRequest.builder()
                                .subscriptionArn(own.subscriptionArn())
                                .build()))
                        .attributes()
                        .getOrDefault("RawMessageDelivery", "false");
                return "true".equalsIgnoreCase(raw) ? TopicSurvey.Arrival.RAW : TopicSurvey.Arrival.WRAPPED;
            } catch (ExecutionException denied) {
                return TopicSurvey.Arrival.SOMEHOW;
            }
        }
    }

    /**
     * Information about a queue before it is used.
     *
     * @param name of the queue
     * @param where the region, or the server's address
     * @param account its account; empty if unknown
     * @param isAmazon whether it is Amazon's, and therefore billed
     * @param isFifo whether it is a FIFO queue
     * @param contents number of messages; empty without permission
     * @param deadLetters its dead-letter queue; empty if none
     * @param topic the topic that delivers to it; empty if none
     */
    public record QueueSurvey(
            String name,
            String where,
            Optional<String> account,
            boolean isAmazon,
            boolean isFifo,
            Optional<Contents> contents,
            Optional<DeadLetters> deadLetters,
            Optional<TopicSurvey> topic) {
        /**
         * The approximate number of messages in a queue, as counted by the service.
         *
         * @param visible available
         * @param inFlight received and not deleted
         * @param delayed not yet available
         */
        public record Contents(long visible, long inFlight, long delayed) {
            public long all() {
                return visible + inFlight + delayed;
            }
        }

        /**
         * A dead-letter queue.
         *
         * @param name its name
         * @param after maximum number of receives
         * @param messages number of messages; empty without permission
         */
        public record DeadLetters(String name, int after, Optional<Long> messages) {}

        /** Whether it contains messages, whose next receive is the last before the dead-letter queue. */
        public boolean isReceivedOnce() {
            return deadLetters.filter(letters -> letters.after() == 1).isPresent()
                    && contents.filter(held -> held.all() > 0).isPresent();
        }

        /** Whether it may contain messages of others: it is Amazon's, or not empty, or unknown. */
        public boolean mayHoldMessagesOfOthers() {
            return isAmazon || contents.isEmpty() || contents.get().all() > 0;
        }
    }

    /**
     * Information about a topic before publishing.
     *
     * @param name its name
     * @param arrival how its messages reach the queue
     * @param others number of other subscriptions; negative without permission
     */
    public record TopicSurvey(String name, Arrival arrival, long others) {
        /** How a topic's messages reach a queue. */
        public enum Arrival {
            /** As published. */
            RAW,
            /** Wrapped in the body of a notification. */
            WRAPPED,
            /** They do, in an unknown way. */
            SOMEHOW,
            /** The queue is not subscribed to the topic. */
            NEVER,
            /** No permission to find out. */
            UNKNOWN
        }

        /** Whether uninvolved subscribers may receive messages. */
        public boolean mayReachOthers() {
            return others != 0;
        }
    }
}
