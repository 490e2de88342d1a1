package dev.downbeat.sqs.message;

import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.options.SqsOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** Creates one lane's messages. Thread-safe. */
public final class MessageMaker {
    /** The 64 characters of Base64: valid in SQS without escapes, and incompressible. */
    private static final byte[] CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            .getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private static final long SEED = 0x9E3779B97F4A7C15L;
    private static final int BITS = 6;
    private static final int PER_LONG = 10;

    private final Queue queue;
    private final SqsOptions.SqsMessageOptions options;
    private final MessageMark.Sender sender;
    private final int delaySeconds;
    private final Map<String, MessageAttributeValue> attributes = new HashMap<>();

    /**
     * Messages for a queue.
     *
     * @param sender the sender; its lane is part of the deduplication ids of FIFO queues
     */
    public MessageMaker(Queue queue, SqsOptions.SqsMessageOptions options, MessageMark.Sender sender) {
        this.queue = queue;
        this.options = options;
        this.sender = sender;
        this.delaySeconds = (int) options.delay().toSeconds();
        options.attributes().forEach((name, value) -> attributes.put(name, value.toSdk()));
    }

    public MessageMark mark(long index, long intendedNanos) {
        return sender.mark(index, delaySeconds, intendedNanos);
    }

    public SendMessageRequest single(long index) {
        SendMessageRequest.Builder message = SendMessageRequest.builder()
                .queueUrl(queue.url())
                .messageBody(body(index))
                .messageAttributes(marked(index));
        if (delaySeconds > 0) {
            message.delaySeconds(delaySeconds);
        }
        if (queue.isFifo()) {
            message.messageGroupId(group(index)).messageDeduplicationId(sender.lane() + "-" + index);
        }
        return message.build();
    }

    public SendMessageBatchRequest batch(long first, int size) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            entries.add(entry(i, single(first + i)).build());
        }
        return SendMessageBatchRequest.builder()
                .queueUrl(queue.url())
                .entries(entries)
                .build();
    }

    /** A message as an entry of a batch, with this place in it. */
    public static SendMessageBatchRequestEntry.Builder entry(int place, SendMessageRequest message) {
        return SendMessageBatchRequestEntry.builder()
                .id(Integer.toString(place))
                .messageBody(message.messageBody())
                .messageAttributes(message.messageAttributes())
                .delaySeconds(message.delaySeconds())
                .messageGroupId(message.messageGroupId())
                .messageDeduplicationId(message.messageDeduplicationId());
    }

    private Map<String, MessageAttributeValue> marked(long index) {
        Map<String, MessageAttributeValue> all = new HashMap<>(attributes);
        all.putAll(mark(index, 0).attribute());
        return all;
    }

    /** A group of the run's own: messages of others, or of an earlier run, would hold back those behind them. */
    private String group(long index) {
        return "downbeat-" + sender.run() + "-" + index % options.groups();
    }

    String body(long index) {
        if (options.body().isPresent()) {
            return options.body().get().apply(index);
        }
        SplittableRandom random = new SplittableRandom(SEED + index);
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
}
