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
 * The mark of Downbeat's messages, in the attribute {@value #NAME}. It distinguishes them from messages of others, and
 * identifies other lanes and shards of the run. Everything is in one attribute of type String, because compatible
 * servers mishandle other types.
 *
 * @param run the id of the run, shared by all its lanes and shards
 * @param lane the sending lane in the run
 * @param index index of the message in the lane
 * @param port where the lane listens for arrivals at other consumers on its machine; 0 if nowhere
 * @param delaySeconds delivery delay set by its sender
 * @param intendedNanos intended send, in nanoseconds since 1970 by its sender's clock; 0 if unknown
 */
public record MessageMark(String run, String lane, long index, int port, int delaySeconds, long intendedNanos) {
    /** The message attribute. */
    public static final String NAME = "downbeat-run";

    private static final String QUOTED = '"' + NAME + '"';
    private static final int PARTS = 6;

    /** A unique id. */
    public static String newId() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** A sender, which creates the marks of a lane. */
    public record Sender(String run, String lane, int port) {
        public static Sender of(String run) {
            return new Sender(run, newId(), 0);
        }

        MessageMark mark(long index, int delaySeconds, long intendedNanos) {
            return new MessageMark(run, lane, index, port, delaySeconds, intendedNanos);
        }
    }

    /** The mark of a message; empty if it is not Downbeat's. */
    public static Optional<MessageMark> of(Message message) {
        MessageAttributeValue value = message.messageAttributes().get(NAME);
        return value == null || value.stringValue() == null ? wrapped(message.body()) : of(value.stringValue());
    }

    /** A topic without raw delivery wraps the whole message, including attributes, in a body. */
    private static Optional<MessageMark> wrapped(@Nullable String body) {
        if (body == null || !body.contains(QUOTED)) {
            return Optional.empty();
        }
        try {
            return JsonNode.parser()
                    .parse(body)
                    .field("MessageAttributes")
                    .flatMap(attributes -> attributes.field(NAME))
                    .flatMap(mark -> mark.field("Value").or(() -> mark.field("StringValue"))) // as GoAWS does
                    .filter(JsonNode::isString)
                    .flatMap(text -> of(text.asString()));
        } catch (RuntimeException foreign) {
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
        } catch (NumberFormatException foreign) {
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
