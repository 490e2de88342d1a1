package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/** Sends messages and waits for their arrival at the {@link Consumers}; a call ends when both are over. */
final class DeliveryOperation extends Operation {
    static final String ID = "downbeat-id";
    static final String INTENDED = "downbeat-intended";

    private final Messages messages;
    private final Deliveries deliveries;
    private final Consumers consumers;
    private final Clock wall = Clock.systemUTC();

    DeliveryOperation(Connections connections, Messages messages, Deliveries deliveries, Consumers consumers) {
        super(connections);
        this.messages = messages;
        this.deliveries = deliveries;
        this.consumers = consumers;
    }

    @Override
    public void start(Call call) {
        deliver(call, messages.single(call.index(), Map.of()), new Observation(), answer -> {});
    }

    /**
     * Sends this very message, with our marks.
     *
     * @param observation of the send
     * @param whenSent hears of the answer to the send, before the call can end
     */
    void deliver(
            Call call, SendMessageRequest message, Observation observation, Consumer<SendMessageResponse> whenSent) {
        countOperation();
        Map<String, MessageAttributeValue> attributes = new HashMap<>(message.messageAttributes());
        attributes.putAll(marks(call));
        SendMessageRequest request = message.toBuilder()
                .messageAttributes(attributes)
                .overrideConfiguration(SqsCalls.observed(observation))
                .build();
        Deliveries.Delivery delivery = deliveries.begin(call, observation);
        CompletableFuture<SendMessageResponse> sending = calls().send(request);
        call.onAbandon(() -> {
            if (!delivery.isSent()) {
                giveUp(observation, sending);
            }
        });
        CompletableFuture<SendMessageResponse> unused = sending.whenComplete((answer, thrown) -> {
            if (thrown == null) {
                whenSent.accept(answer);
                deliveries.sent(delivery);
            } else {
                deliveries.sendFailed(delivery, failures().of(thrown));
            }
        });
    }

    private Map<String, MessageAttributeValue> marks(Call call) {
        Instant now = wall.instant();
        long nowNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        long intendedNanos = nowNanos - (call.now() - call.intendedAt());
        return Map.of(
                ID, Messages.text(deliveries.mark(call.index())),
                INTENDED, Messages.number(intendedNanos));
    }

    @Override
    void count(Map<String, Long> counts) {
        deliveries.count(counts);
        consumers.count(counts);
    }

    @Override
    public void close() {
        consumers.close();
        deliveries.close();
        super.close();
    }
}
