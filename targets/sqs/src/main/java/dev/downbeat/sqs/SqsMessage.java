package dev.downbeat.sqs;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * A message to be sent by {@link SqsQueue}.
 *
 * @param body at least 1 character
 * @param attributes of type String, by name
 * @param group of a FIFO queue
 * @param deduplicationId of a FIFO queue; empty if the queue makes it from the body
 * @param delay how long the queue keeps it back, in whole seconds; zero for the queue's own delay
 */
public record SqsMessage(
        String body,
        Map<String, String> attributes,
        Optional<String> group,
        Optional<String> deduplicationId,
        Duration delay) {
    /** Takes a copy. */
    public SqsMessage {
        Objects.requireNonNull(body, "body");
        attributes = Map.copyOf(attributes);
        if (delay.isNegative() || delay.toMinutes() > 15) {
            throw new IllegalArgumentException("delay must be from 0 to 15 min, but was " + delay);
        }
    }

    /** A message that is nothing but its body. */
    public static SqsMessage of(String body) {
        return new SqsMessage(body, Map.of(), Optional.empty(), Optional.empty(), Duration.ZERO);
    }

    SendMessageRequest to(Queue queue) {
        if (queue.isFifo() && group.isEmpty()) {
            throw new IllegalArgumentException("a message to a FIFO queue must have a group");
        }
        SendMessageRequest.Builder request =
                SendMessageRequest.builder().queueUrl(queue.url()).messageBody(body);
        if (!attributes.isEmpty()) {
            Map<String, MessageAttributeValue> typed = new HashMap<>();
            attributes.forEach((name, value) -> typed.put(name, Messages.text(value)));
            request.messageAttributes(typed);
        }
        group.ifPresent(request::messageGroupId);
        deduplicationId.ifPresent(request::messageDeduplicationId);
        if (!delay.isZero()) {
            request.delaySeconds((int) delay.toSeconds());
        }
        return request.build();
    }
}
