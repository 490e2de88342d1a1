package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.json.JsonText;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.MessageMaker;
import dev.downbeat.sqs.message.ServerClock;
import dev.downbeat.sqs.message.SqsFailures;
import dev.downbeat.sqs.operation.DeliveryOperation;
import dev.downbeat.sqs.operation.Operation;
import dev.downbeat.sqs.operation.ReceiveOperation;
import dev.downbeat.sqs.options.SqsAttribute;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.time.NanoClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.sqs.model.DeleteMessageRequest;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * A queue found by {@link SqsQueues}, for operations that vary from call to call. None of them blocks, except the first
 * {@link #deliver}, which starts the consumers. Thread-safe.
 */
public final class SqsQueue {
    private final Queue queue;
    private final SdkConnection connections;
    private final NanoClock clock;
    private final SqsOptions options;
    private final ServerClock server = new ServerClock();
    private final Clock wall = Clock.systemUTC();
    private final SqsFailures failures;
    private final AtomicLong indices = new AtomicLong();
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder operations = new LongAdder();
    private final Supplier<DeliveryOperation> deliveryOpener;
    private @Nullable DeliveryOperation delivery;

    SqsQueue(
            Queue queue,
            SdkConnection connections,
            NanoClock clock,
            SqsOptions options,
            Supplier<DeliveryOperation> deliveryOpener) {
        this.options = options;
        this.queue = queue;
        this.connections = connections;
        this.failures = new SqsFailures(connections.retries());
        this.clock = clock;
        this.deliveryOpener = deliveryOpener;
    }

    /**
     * Sends a message; ends with the service's response.
     *
     * @throws IllegalArgumentException if the message is not valid for the queue
     */
    public SqsCall send(SqsMessage message, SqsCall.Listener listener) {
        var request = message.to(queue).toBuilder();
        SqsCall call = begin(listener);
        request.overrideConfiguration(SqsCalls.observed(call.observation));
        return endWith(call, connections.calls().send(request.build()), answer -> {
            if (answer.messageId() == null) {
                return SqsFailures.CONFIRMS_NOTHING;
            }
            sent.increment();
            return Outcome.answered();
        });
    }

    /**
     * Sends several copies of a message in one request; ends with the service's response. It is a failure unless each
     * copy is confirmed.
     *
     * @param count from 1 to 10
     * @throws IllegalArgumentException if the message is not valid for the queue
     */
    public SqsCall sendBatch(SqsMessage message, int count, SqsCall.Listener listener) {
        var request = message.to(queue, count).toBuilder();
        SqsCall call = begin(listener);
        request.overrideConfiguration(SqsCalls.observed(call.observation));
        return endWith(call, connections.calls().sendBatch(request.build()), answer -> {
            sent.add(answer.successful().size());
            return failures.ofBatch(answer, count);
        });
    }

    /**
     * Sends a message; ends when one of Downbeat's consumers receives it.
     *
     * @param intendedAt intended start, on the clock; travels with the message
     * @throws IllegalArgumentException if the message is not valid for the queue
     */
    public SqsCall deliver(SqsMessage message, long intendedAt, SqsCall.Listener listener) {
        var request = message.to(queue);
        SqsCall call = new SqsCall(clock, indices.getAndIncrement(), intendedAt, listener);
        delivery().deliver(call.call(), request, call.observation, call::answer);
        return call;
    }

    /** Starts the consumers for {@link #deliver}, if not yet started. */
    public void consume() {
        delivery();
    }

    /**
     * Receives messages. Time with an empty queue is not part of the response time. For an empty poll the response time
     * is the time beyond the requested wait.
     *
     * @param most from 1 to 10
     * @param wait from 0 to 20 s, in whole seconds
     */
    public SqsCall receive(int most, Duration wait, SqsCall.Listener listener) {
        SqsCall call = begin(listener);
        ReceiveMessageRequest request = ReceiveMessageRequest.builder()
                .queueUrl(queue.url())
                .maxNumberOfMessages(most)
                .waitTimeSeconds((int) wait.toSeconds())
                .messageAttributeNames("All")
                .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                .overrideConfiguration(SqsCalls.observed(call.observation))
                .build();
        return endWith(call, connections.calls().receive(request), answer -> received(call, answer, wait));
    }

    private Outcome received(SqsCall sqsCall, ReceiveMessageResponse answer, Duration wait) {
        Call call = sqsCall.call();
        long pollNanos = call.now() - call.startedAt() - sqsCall.observation.waitNanos();
        if (answer.messages().isEmpty()) {
            call.idle(Math.min(pollNanos, wait.toNanos()));
            return Outcome.answered();
        }
        received.add(answer.messages().size());
        Instant now = wall.instant();
        answer.messages().forEach(message -> server.learn(message, now, pollNanos));
        Instant serverNow = now.plusNanos(server.aheadNanos());
        call.idle(ReceiveOperation.idleNanos(queue, serverNow, pollNanos, answer.messages(), options));
        return Outcome.answered();
    }

    /** Deletes a received message by its receipt handle. */
    public SqsCall delete(String receiptHandle, SqsCall.Listener listener) {
        SqsCall call = begin(listener);
        DeleteMessageRequest request = DeleteMessageRequest.builder()
                .queueUrl(queue.url())
                .receiptHandle(receiptHandle)
                .overrideConfiguration(SqsCalls.observed(call.observation))
                .build();
        return endWith(call, connections.calls().delete(request), answer -> Outcome.answered());
    }

    private SqsCall begin(SqsCall.Listener listener) {
        operations.increment();
        return new SqsCall(clock, indices.getAndIncrement(), clock.nanoTime(), listener);
    }

    private <T extends SdkPojo> SqsCall endWith(
            SqsCall sqsCall, CompletableFuture<T> future, Function<T, Outcome> verdict) {
        Operation.end(
                sqsCall.call(),
                sqsCall.observation,
                future,
                answer -> {
                    sqsCall.answer(answer);
                    return verdict.apply(answer);
                },
                failures,
                thrown -> Optional.of(failures.of(thrown, sqsCall.observation)));
        return sqsCall;
    }

    private synchronized DeliveryOperation delivery() {
        DeliveryOperation opened = delivery;
        if (opened == null) {
            opened = deliveryOpener.get();
            delivery = opened;
        }
        return opened;
    }

    synchronized TargetCounts counts() {
        Map<String, Long> counts = new TreeMap<>();
        counts.put(TargetCounts.OPERATIONS, operations.sum());
        counts.put("messages sent", sent.sum());
        counts.put("messages received", received.sum());
        counts.values().removeIf(count -> count == 0);
        TargetCounts own = new TargetCounts(counts);
        if (delivery == null) {
            return own;
        }
        Map<String, Long> delivered = new TreeMap<>();
        delivered.put(TargetCounts.OPERATIONS, delivery.operations());
        delivery.count(delivered);
        return own.plus(new TargetCounts(delivered));
    }

    synchronized void close() {
        if (delivery != null) {
            delivery.close();
        }
    }

    /** An operation of {@code SqsQueue} in progress. Its public methods are thread-safe. */
    public static final class SqsCall {
        /** Notified once of the end of a call, on a client thread; must not block it. */
        @FunctionalInterface
        public interface Listener {
            /**
             * The call has ended.
             *
             * @param exchange its timing and outcome; may be retained
             * @param answer the response; null if there was none, or the service refused
             */
            void ended(Exchange exchange, @Nullable SqsAnswer answer);

            /**
             * A connection is free for the call or is being opened for it. Not called for a call that is refused while
             * waiting. Only Downbeat's own connections report this; the SDK's clients do not.
             *
             * @param startedAt when that happened
             */
            default void started(long startedAt) {}
        }

        private final Call call;
        private final CallObservation observation;
        private volatile @Nullable SqsAnswer answer;

        SqsCall(NanoClock clock, long index, long intendedAt, Listener listener) {
            observation = new CallObservation(listener::started);
            Exchange exchange = new Exchange(0);
            long now = clock.nanoTime();
            exchange.begin(intendedAt, now, now);
            exchange.index = index;
            call = Call.alone(clock, exchange, ended -> {
                ended.fill(exchange);
                listener.ended(exchange, answer);
            });
        }

        /**
         * Abandons the call: its listener is not notified, unless a notification is in progress. No effect once
         * the call is over.
         */
        public void abort() {
            call.abandon();
        }

        Call call() {
            return call;
        }

        /** Sets the response to report at the end; call before it ends. */
        void answer(SdkPojo received) {
            answer = SqsAnswer.of(received);
        }
    }

    /**
     * A response of the service.
     *
     * @param json the response with the names of the service's API, such as {@code {"MessageId":"..."}} or {@code
     *     {"Messages":[{"Body":"..."}]}}
     */
    public record SqsAnswer(String json) {
        static SqsAnswer of(SdkPojo answer) {
            return new SqsAnswer(JsonText.of(plain(answer)));
        }

        private static Object plain(Object value) {
            Map<String, Object> members = new LinkedHashMap<>();
            if (value instanceof SdkPojo structure) {
                for (SdkField<?> field : structure.sdkFields()) {
                    Object member = field.getValueOrDefault(structure);
                    if (member != null && !isEmpty(member)) {
                        members.put(field.memberName(), plain(member));
                    }
                }
                return members;
            }
            if (value instanceof Map<?, ?> map) {
                map.forEach((name, member) -> members.put(String.valueOf(name), plain(member)));
                return members;
            }
            if (value instanceof List<?> list) {
                return list.stream().map(SqsAnswer::plain).toList();
            }
            if (value instanceof Number || value instanceof Boolean) {
                return value;
            }
            return value instanceof SdkBytes bytes ? bytes.asUtf8String() : String.valueOf(value);
        }

        /** The SDK represents absent members as empty lists or maps. */
        private static boolean isEmpty(Object member) {
            return (member instanceof Map<?, ?> map && map.isEmpty())
                    || (member instanceof List<?> list && list.isEmpty());
        }
    }

    /**
     * A message for {@link SqsQueue}.
     *
     * @param body at least 1 character
     * @param attributes attributes by name
     * @param group message group of a FIFO queue
     * @param deduplicationId deduplication id of a FIFO queue; empty if the queue derives it from the body
     * @param delay delivery delay in whole seconds, at most 15 minutes; zero for the queue's own
     */
    public record SqsMessage(
            String body,
            Map<String, SqsAttribute> attributes,
            Optional<String> group,
            Optional<String> deduplicationId,
            Duration delay) {
        private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

        /** Rejects a delay that the service would refuse, or would take for none. */
        public SqsMessage {
            Objects.requireNonNull(body, "body");
            attributes = Map.copyOf(attributes);
            if (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0 || delay.toNanosPart() != 0) {
                throw new IllegalArgumentException("delay must be from 0 to " + LONGEST_DELAY.toSeconds()
                        + " s in whole seconds, but was " + delay);
            }
        }

        SendMessageRequest to(Queue queue) {
            SendMessageRequest.Builder request = SendMessageRequest.builder()
                    .queueUrl(queue.url())
                    .messageBody(body)
                    .messageAttributes(typed());
            group(queue).ifPresent(request::messageGroupId);
            deduplicationId.ifPresent(request::messageDeduplicationId);
            if (!delay.isZero()) {
                request.delaySeconds((int) delay.toSeconds());
            }
            return request.build();
        }

        SendMessageBatchRequest to(Queue queue, int count) {
            if (queue.isFifo() && deduplicationId.isEmpty() && count > 1) {
                throw new IllegalArgumentException(
                        "copies in a batch to a FIFO queue must have a deduplication id: it drops equal bodies");
            }
            SendMessageRequest one = to(queue);
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                SendMessageBatchRequestEntry.Builder entry = MessageMaker.entry(i, one);
                int number = i;
                deduplicationId.ifPresent(id -> entry.messageDeduplicationId(id + "-" + number));
                entries.add(entry.build());
            }
            return SendMessageBatchRequest.builder()
                    .queueUrl(queue.url())
                    .entries(entries)
                    .build();
        }

        private Optional<String> group(Queue queue) {
            if (queue.isFifo() && group.isEmpty()) {
                throw new IllegalArgumentException("a message to a FIFO queue must have a group");
            }
            return group;
        }

        private Map<String, MessageAttributeValue> typed() {
            Map<String, MessageAttributeValue> typed = new HashMap<>();
            attributes.forEach((name, value) -> typed.put(name, value.toSdk()));
            return typed;
        }
    }
}
