package dev.downbeat.sqs.message;

import dev.downbeat.sqs.options.SqsAttribute;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * What a message of ours carries in its attribute {@value #NAME}: so that messages of others are known, and those of
 * another lane or shard of this run are not taken for such. All in one attribute of type String: servers that only speak like
 * SQS are wrong about others.
 *
 * @param run the run's id; all lanes and shards of a run have the same
 * @param lane whose message it is, within the run
 * @param index which of the lane's messages
 * @param port where the lane hears of arrivals elsewhere on its machine; 0 if nowhere
 * @param delaySeconds how long its sender had it kept back
 * @param intendedNanos when it was meant to be sent, in nanoseconds since 1970 by its sender's clock; 0 if that is not told
 */
public record MessageMark(String run, String lane, long index, int port, int delaySeconds, long intendedNanos) {
    /** The message attribute. */
    public static final String NAME = "downbeat-run";

    private static final String QUOTED = '"' + NAME + '"';
    private static final int PARTS = 6;

    /** An id that no other has. */
    public static String newId() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** Whoever sends: makes the marks of a lane. */
    public record Sender(String run, String lane, int port) {
        public static Sender of(String run) {
            return new Sender(run, newId(), 0);
        }

        MessageMark mark(long index, int delaySeconds, long intendedNanos) {
            return new MessageMark(run, lane, index, port, delaySeconds, intendedNanos);
        }
    }

    /** What a message carries; empty if it is none of Downbeat's. */
    public static Optional<MessageMark> of(Message message) {
        MessageAttributeValue value = message.messageAttributes().get(NAME);
        return value == null || value.stringValue() == null ? wrapped(message.body()) : of(value.stringValue());
    }

    /** A topic that does not deliver raw puts the whole message, attributes and all, into a body of its own. */
    private static Optional<MessageMark> wrapped(@Nullable String body) {
        if (body == null || !body.contains(QUOTED)) {
            return Optional.empty();
        }
        try {
            return JsonNode.parser()
                    .parse(body)
                    .field("MessageAttributes")
                    .flatMap(attributes -> attributes.field(NAME))
                    .flatMap(mark -> mark.field("Value").or(() -> mark.field("StringValue"))) // as GoAWS has it
                    .filter(JsonNode::isString)
                    .flatMap(text -> of(text.asString()));
        } catch (RuntimeException somebodyElses) {
            return Optional.empty();
        }
    }

    static Optional<MessageMark> of(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new MessageMark(
                    parts[0],
                    parts[1],
                    Long.parseLong(parts[2]),
                    Integer.parseInt(parts[3]),
                    Integer.parseInt(parts[4]),
                    Long.parseLong(parts[5])));
        } catch (NumberFormatException somebodyElses) {
            return Optional.empty();
        }
    }

    public Map<String, MessageAttributeValue> attribute() {
        return Map.of(NAME, SqsAttribute.text(toString()).toSdk());
    }

    @Override
    public String toString() {
        return run + "/" + lane + "/" + index + "/" + port + "/" + delaySeconds + "/" + intendedNanos;
    }
}
