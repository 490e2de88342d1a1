package dev.downbeat.sqs.options;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * The form of messages.
 *
 * @param size bytes of a random body
 * @param body the body of each message by its number, instead
 * @param seed seed of the random bodies
 * @param delay delivery delay
 * @param attributes attributes of every message
 * @param groups FIFO: number of message groups
 */
public record MessageOptions(
        int size,
        Optional<LongFunction<String>> body,
        long seed,
        Duration delay,
        Map<String, SqsAttribute> attributes,
        int groups) {
    /** The limit of SQS in bytes. */
    static final int LARGEST = 1024 * 1024;

    /** The maximum size of Downbeat's own attributes: names, types and values. */
    private static final int MARK_BYTES = 256;

    public MessageOptions {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
        int sent = bytes(size, body, attributes);
        if (sent > LARGEST) {
            throw new IllegalArgumentException("a message must be at most " + LARGEST
                    + " bytes with its attributes, but was " + sent + ", of which " + MARK_BYTES + " are ours");
        }
    }

    /** The size of one message with all attributes. */
    int bytes() {
        return bytes(size, body, attributes);
    }

    private static int bytes(int size, Optional<LongFunction<String>> body, Map<String, SqsAttribute> attributes) {
        int bytes = MARK_BYTES + body.map(texts -> bytes(texts.apply(0))).orElse(size);
        for (Map.Entry<String, SqsAttribute> one : attributes.entrySet()) {
            bytes += bytes(one.getKey()) + one.getValue().bytes();
        }
        return bytes;
    }

    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
