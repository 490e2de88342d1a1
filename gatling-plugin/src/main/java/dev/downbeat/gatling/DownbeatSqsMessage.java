package dev.downbeat.gatling;

import dev.downbeat.gatling.request.SqsDraft;
import dev.downbeat.sqs.SqsQueue.SqsMessage;
import dev.downbeat.sqs.options.SqsAttribute;
import io.gatling.commons.validation.Success;
import io.gatling.commons.validation.Validation;
import io.gatling.core.session.Session;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.internal.Expressions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import scala.Function1;

/**
 * A message to a queue, for {@code exec}. Texts may contain Gatling EL. Immutable: each method returns a new message.
 */
public final class DownbeatSqsMessage implements ActionBuilder {
    private final SqsDraft draft;
    private final List<Part> parts;
    private final Duration delay;
    private final int batch;

    /** The fields of a message. */
    private enum Place {
        BODY,
        GROUP,
        DEDUPLICATION_ID,
        ATTRIBUTE
    }

    private record Part(Place place, String name, String type, Function1<Session, Validation<String>> value) {}

    private static final String STRING = "String";
    private static final int LARGEST_BATCH = 10;
    private static final int LONGEST_DELAY_SECONDS = 900;

    DownbeatSqsMessage(SqsDraft draft) {
        this(draft, List.of(new Part(Place.BODY, "", STRING, session -> new Success<>("downbeat"))), Duration.ZERO, 0);
    }

    private DownbeatSqsMessage(SqsDraft draft, List<Part> parts, Duration delay, int batch) {
        this.batch = batch;
        this.draft = draft;
        this.parts = List.copyOf(parts);
        this.delay = delay;
    }

    /** The body; the default is {@code downbeat}. */
    public DownbeatSqsMessage body(String text) {
        return with(Place.BODY, "", Expressions.toStringExpression(text));
    }

    /** The body, computed for each user. */
    public DownbeatSqsMessage body(Function<io.gatling.javaapi.core.Session, String> text) {
        return with(Place.BODY, "", Expressions.javaFunctionToExpression(text));
    }

    /** Adds a message attribute of type String. */
    public DownbeatSqsMessage attribute(String name, String value) {
        return attribute(name, STRING, value);
    }

    /** Adds a message attribute of type String with a value computed for each user. */
    public DownbeatSqsMessage attribute(String name, Function<io.gatling.javaapi.core.Session, String> value) {
        return with(Place.ATTRIBUTE, name, Expressions.javaFunctionToExpression(value));
    }

    /**
     * Adds a message attribute of a given type.
     *
     * @param type {@code String}, {@code Number} or {@code Binary}, with the value in Base64
     */
    public DownbeatSqsMessage attribute(String name, String type, String value) {
        return with(Place.ATTRIBUTE, name, type, Expressions.toStringExpression(value));
    }

    /**
     * Sends this many copies in one request; each gets its number appended to the deduplication id. Not for {@link
     * DownbeatSqs#deliver}.
     *
     * @param count from 1 to 10
     */
    public DownbeatSqsMessage batch(int count) {
        if (count < 1 || count > LARGEST_BATCH) {
            throw new IllegalArgumentException("batch must be from 1 to " + LARGEST_BATCH + ", but was " + count);
        }
        if (draft.consumes()) {
            throw new IllegalArgumentException("deliver sends one message at a time: batch goes with send");
        }
        return new DownbeatSqsMessage(draft, parts, delay, count);
    }

    /** The message group; required for FIFO queues. */
    public DownbeatSqsMessage messageGroupId(String id) {
        return with(Place.GROUP, "", Expressions.toStringExpression(id));
    }

    /** The message group, computed for each message. */
    public DownbeatSqsMessage messageGroupId(Function<io.gatling.javaapi.core.Session, String> id) {
        return with(Place.GROUP, "", Expressions.javaFunctionToExpression(id));
    }

    /** The deduplication id; FIFO queues require it unless they derive it from the body. */
    public DownbeatSqsMessage messageDeduplicationId(String id) {
        return with(Place.DEDUPLICATION_ID, "", Expressions.toStringExpression(id));
    }

    /** The deduplication id, computed for each message: {@code session -> UUID.randomUUID().toString()}. */
    public DownbeatSqsMessage messageDeduplicationId(Function<io.gatling.javaapi.core.Session, String> id) {
        return with(Place.DEDUPLICATION_ID, "", Expressions.javaFunctionToExpression(id));
    }

    /**
     * The delivery delay.
     *
     * @param time whole seconds up to 15 minutes; not for a FIFO queue
     */
    public DownbeatSqsMessage delay(Duration time) {
        return new DownbeatSqsMessage(draft, parts, SqsDraft.wholeSeconds("delay", time, LONGEST_DELAY_SECONDS), batch);
    }

    private DownbeatSqsMessage with(Place place, String name, Function1<Session, Validation<String>> value) {
        return with(place, name, STRING, value);
    }

    private DownbeatSqsMessage with(
            Place place, String name, String type, Function1<Session, Validation<String>> value) {
        List<Part> all = new ArrayList<>(parts);
        all.add(new Part(place, name, type, value));
        return new DownbeatSqsMessage(draft, all, delay, batch);
    }

    /**
     * Adds Gatling checks on the service's JSON response, such as {@code jsonPath("$.MessageId").saveAs("id")}.
     * Requires Gatling's HTTP module.
     */
    public DownbeatSqsMessage check(CheckBuilder... more) {
        return new DownbeatSqsMessage(draft.withChecks(more), parts, delay, batch);
    }

    private SqsMessage message(Session session) {
        Map<String, SqsAttribute> attributes = new HashMap<>();
        Map<Place, String> others = new HashMap<>();
        for (Part part : parts) {
            String value = SqsDraft.valueOf(part.value(), session);
            if (part.place() == Place.ATTRIBUTE) {
                attributes.put(part.name(), new SqsAttribute(part.type(), value));
            } else {
                others.put(part.place(), value);
            }
        }
        return new SqsMessage(
                others.getOrDefault(Place.BODY, ""),
                attributes,
                Optional.ofNullable(others.get(Place.GROUP)),
                Optional.ofNullable(others.get(Place.DEDUPLICATION_ID)),
                delay);
    }

    @Override
    public io.gatling.core.action.builder.ActionBuilder asScala() {
        boolean consumes = draft.consumes();
        return draft.action(session -> {
            SqsMessage message = message(session);
            return (queue, intendedAt, listener) -> consumes
                    ? queue.deliver(message, intendedAt, listener)
                    : batch == 0 ? queue.send(message, listener) : queue.sendBatch(message, batch, listener);
        });
    }
}
