package dev.downbeat.sqs;

import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.options.SqsAttribute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * A message for {@link SqsQueue}.
 *
 * @param body at least 1 character
 * @param attributes attributes by name
 * @param group message group of a FIFO queue
 * @param deduplicationId deduplication id of a FIFO queue; empty if the queue derives it from the body
 * @param delay delivery delay in whole seconds; zero for the queue's own
 */
public record SqsMessage(
        String body,
        Map<String, SqsAttribute> attributes,
        Optional<String> group,
        Optional<String> deduplicationId,
        Duration delay) {
    public SqsMessage {
        Objects.requireNonNull(body, "body");
        attributes = Map.copyOf(attributes);
        if (delay.isNegative() || delay.toMinutes() > 15) {
            throw new IllegalArgumentException("delay must be from 0 to 15 min, but was " + delay);
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

    /** A request with this many copies. */
    SendMessageBatchRequest to(Queue queue, int count) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SendMessageBatchRequestEntry.Builder entry = SendMessageBatchRequestEntry.builder()
                    .id(Integer.toString(i))
                    .messageBody(body)
                    .messageAttributes(typed());
            group(queue).ifPresent(entry::messageGroupId);
            int number = i;
            deduplicationId.ifPresent(id -> entry.messageDeduplicationId(id + "-" + number));
            if (!delay.isZero()) {
                entry.delaySeconds((int) delay.toSeconds());
            }
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
