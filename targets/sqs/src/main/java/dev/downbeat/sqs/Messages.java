package dev.downbeat.sqs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** Makes the messages of one lane. Thread-safe. */
final class Messages {
    /** Of the 64 characters of Base64: SQS takes them as they are, and no compressor finds anything in them. */
    private static final byte[] CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            .getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private static final int BITS = 6;
    private static final int PER_LONG = 10;

    private final Queue queue;
    private final MessageOptions options;
    private final String run;
    private final Map<String, MessageAttributeValue> attributes = new HashMap<>();

    /**
     * Messages for a queue.
     *
     * @param run something that no other run has: makes deduplication ids of FIFO queues
     */
    Messages(Queue queue, MessageOptions options, String run) {
        this.queue = queue;
        this.options = options;
        this.run = run;
        options.attributes().forEach((name, value) -> attributes.put(name, text(value)));
    }

    SendMessageRequest single(long index, Map<String, MessageAttributeValue> more) {
        SendMessageRequest.Builder message =
                SendMessageRequest.builder().queueUrl(queue.url()).messageBody(body(index));
        if (!attributes.isEmpty() || !more.isEmpty()) {
            message.messageAttributes(with(more));
        }
        if (!options.delay().isZero()) {
            message.delaySeconds((int) options.delay().toSeconds());
        }
        if (queue.isFifo()) {
            message.messageGroupId(group(index)).messageDeduplicationId(run + "-" + index);
        }
        return message.build();
    }

    SendMessageBatchRequest batch(long index, int size, Map<String, MessageAttributeValue> more) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            long number = index * size + i;
            SendMessageBatchRequestEntry.Builder entry = SendMessageBatchRequestEntry.builder()
                    .id(Integer.toString(i))
                    .messageBody(body(number))
                    .messageAttributes(with(more));
            if (!options.delay().isZero()) {
                entry.delaySeconds((int) options.delay().toSeconds());
            }
            if (queue.isFifo()) {
                entry.messageGroupId(group(number)).messageDeduplicationId(run + "-" + number);
            }
            entries.add(entry.build());
        }
        return SendMessageBatchRequest.builder()
                .queueUrl(queue.url())
                .entries(entries)
                .build();
    }

    private Map<String, MessageAttributeValue> with(Map<String, MessageAttributeValue> more) {
        if (more.isEmpty()) {
            return attributes;
        }
        Map<String, MessageAttributeValue> all = new HashMap<>(attributes);
        all.putAll(more);
        return all;
    }

    private String group(long index) {
        return "downbeat-" + index % options.groups();
    }

    String body(long index) {
        if (options.body().isPresent()) {
            return options.body().get();
        }
        // Far apart for neighbours, as in the mixing of SplittableRandom itself.
        SplittableRandom random = new SplittableRandom(options.seed() * 0x9E3779B97F4A7C15L + index);
        byte[] bytes = new byte[options.size()];
        for (int at = 0; at < bytes.length; ) {
            long bits = random.nextLong();
            for (int i = 0; i < PER_LONG && at < bytes.length; i++, at++) {
                bytes[at] = CHARACTERS[(int) bits & (CHARACTERS.length - 1)];
                bits >>>= BITS;
            }
        }
        return new String(bytes, java.nio.charset.StandardCharsets.US_ASCII);
    }

    static MessageAttributeValue text(String value) {
        return MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(value)
                .build();
    }

    static MessageAttributeValue number(long value) {
        return MessageAttributeValue.builder()
                .dataType("Number")
                .stringValue(Long.toString(value))
                .build();
    }
}
