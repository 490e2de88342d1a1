package dev.downbeat.sqs.operation;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.Consumers;
import dev.downbeat.sqs.message.Deliveries;
import dev.downbeat.sqs.message.ForeignMessages;
import dev.downbeat.sqs.message.LocalListener;
import dev.downbeat.sqs.message.MessageMaker;
import dev.downbeat.sqs.message.MessageMark;
import dev.downbeat.sqs.message.SentMessages.MessageFate;
import dev.downbeat.sqs.message.SiblingShards;
import dev.downbeat.sqs.message.SqsFailures;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.Topic;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sns.model.PublishResponse;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/** Sends messages and waits for their arrival at the {@link Consumers}; a call ends when both are done. */
public final class DeliveryOperation extends Operation {
    private final MessageMaker messages;
    private final Deliveries deliveries;
    private final Consumers consumers;
    private final @Nullable LocalListener siblings;
    private final Optional<Topic> topic;
    private final Clock wall = Clock.systemUTC();
    private final LongAdder endedByOthers = new LongAdder();
    private volatile @Nullable Outcome ending;

    private DeliveryOperation(
            SdkConnection connections,
            MessageMaker messages,
            Deliveries deliveries,
            Consumers consumers,
            @Nullable LocalListener siblings,
            Optional<Topic> topic) {
        super(connections);
        this.topic = topic;
        this.messages = messages;
        this.deliveries = deliveries;
        this.consumers = consumers;
        this.siblings = siblings;
    }

    /**
     * Starts the consumers.
     *
     * @param connections the measured client
     * @param beside the consuming client; closed with the operation, or if that cannot be opened
     * @param run id of the run, which identifies Downbeat's messages
     */
    public static DeliveryOperation open(
            SdkConnection connections, SdkConnection beside, Queue queue, SqsOptions options, String run)
            throws IOException {
        Clock wall = Clock.systemUTC();
        LocalListener siblings = null;
        try {
            if (options.use().run().isPresent()) { // otherwise no other process has this run's id
                siblings = SiblingShards.listen((lane, index, at) -> Deliveries.arrive(
                        lane, index, connections.log().now() - at.until(wall.instant(), ChronoUnit.NANOS)));
            }
            int port = siblings == null ? 0 : siblings.port();
            MessageMark.Sender sender = new MessageMark.Sender(run, MessageMark.newId(), port);
            Consumers consumers = new Consumers(beside, queue, options, sender.run());
            DeliveryOperation operation = new DeliveryOperation(
                    connections,
                    new MessageMaker(queue, options.message(), sender),
                    new Deliveries(sender.lane()),
                    consumers,
                    siblings,
                    options.use().through());
            consumers.start(operation::endForForeignMessages);
            return operation;
        } catch (IOException | RuntimeException broken) {
            if (siblings != null) {
                siblings.close();
            }
            beside.close();
            throw broken;
        }
    }

    private void endForForeignMessages(Outcome why) {
        ending = why;
        endedByOthers.add(deliveries.giveUp(why));
    }

    @Override
    public void start(Call call) {
        deliver(call, messages.single(call.index()), new CallObservation(), answer -> {});
    }

    /**
     * Sends a given message with Downbeat's mark.
     *
     * @param observation observation of the send
     * @param whenSent called with the response to the send, before the call can end
     */
    public void deliver(
            Call call, SendMessageRequest message, CallObservation observation, Consumer<SdkPojo> whenSent) {
        countOperation();
        Outcome why = ending;
        if (why != null) {
            endedByOthers.increment();
            call.complete(why);
            return;
        }
        Map<String, MessageAttributeValue> attributes = new HashMap<>(message.messageAttributes());
        attributes.putAll(marks(call));
        SendMessageRequest request = message.toBuilder()
                .messageAttributes(attributes)
                .overrideConfiguration(SqsCalls.observed(observation))
                .build();
        Deliveries.Delivery delivery = deliveries.begin(call, observation);
        if (topic.isPresent()) {
            PublishRequest published = topic.get().publishes(request);
            whenOver(
                    topics().orElseThrow().publish(published),
                    PublishResponse::messageId,
                    delivery,
                    call,
                    observation,
                    whenSent);
        } else {
            whenOver(calls().send(request), SendMessageResponse::messageId, delivery, call, observation, whenSent);
        }
    }

    private <T extends SdkPojo> void whenOver(
            CompletableFuture<T> sending,
            Function<T, @Nullable String> messageId,
            Deliveries.Delivery delivery,
            Call call,
            CallObservation observation,
            Consumer<SdkPojo> whenSent) {
        call.onAbandon(() -> {
            if (!delivery.isSent()) {
                giveUp(observation, sending);
            }
        });
        CompletableFuture<T> unused = sending.whenComplete((answer, thrown) -> {
            if (thrown != null) {
                call.unconnected(failures().isUnsent(thrown, observation));
                deliveries.sendFailed(
                        delivery, failures().of(thrown, observation), failures().fateOf(thrown, observation));
            } else if (messageId.apply(answer) == null) {
                deliveries.sendFailed(delivery, SqsFailures.CONFIRMS_NOTHING, MessageFate.UNKNOWN);
            } else {
                whenSent.accept(answer);
                deliveries.sent(delivery);
            }
            Outcome why = ending;
            if (why != null) {
                endedByOthers.add(deliveries.giveUp(why)); // no one polls for it any more
            }
        });
    }

    private Map<String, MessageAttributeValue> marks(Call call) {
        long nowNanos = ChronoUnit.NANOS.between(Instant.EPOCH, wall.instant());
        long intendedNanos = nowNanos - (call.now() - call.intendedAt());
        return messages.mark(call.index(), intendedNanos).attribute();
    }

    @Override
    public long oldestNanos() {
        return deliveries.oldestNanos();
    }

    @Override
    public void count(Map<String, Long> counts) {
        deliveries.count(counts);
        ForeignMessages.countEnded(counts, endedByOthers.sum());
        consumers.count(counts);
    }

    @Override
    public void close() {
        consumers.close();
        if (siblings != null) {
            siblings.close();
        }
        deliveries.close();
        super.close();
    }
}
