package dev.downbeat.gatling;

import dev.downbeat.sqs.SqsMessage;
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
 * A message to a queue, for {@code exec}. Texts may hold expressions of Gatling's language. Immutable: each method returns
 * a new message.
 */
public final class DownbeatSqsMessage implements ActionBuilder {
    private final SqsDraft draft;
    private final List<Part> parts;
    private final Duration delay;

    /** What a message is made of. */
    private enum Place {
        BODY,
        GROUP,
        DEDUPLICATION_ID,
        ATTRIBUTE
    }

    private record Part(Place place, String name, Function1<Session, Validation<String>> value) {}

    DownbeatSqsMessage(SqsDraft draft) {
        this(draft, List.of(new Part(Place.BODY, "", session -> new Success<>("downbeat"))), Duration.ZERO);
    }

    private DownbeatSqsMessage(SqsDraft draft, List<Part> parts, Duration delay) {
        this.draft = draft;
        this.parts = List.copyOf(parts);
        this.delay = delay;
    }

    /** The body; {@code downbeat} unless said. */
    public DownbeatSqsMessage body(String text) {
        return with(Place.BODY, "", Expressions.toStringExpression(text));
    }

    /** The body, worked out for each user. */
    public DownbeatSqsMessage body(Function<io.gatling.javaapi.core.Session, String> text) {
        return with(Place.BODY, "", Expressions.javaFunctionToExpression(text));
    }

    /** Adds a message attribute of type String. */
    public DownbeatSqsMessage attribute(String name, String value) {
        return with(Place.ATTRIBUTE, name, Expressions.toStringExpression(value));
    }

    /** Adds a message attribute of type String, whose value is worked out for each user. */
    public DownbeatSqsMessage attribute(String name, Function<io.gatling.javaapi.core.Session, String> value) {
        return with(Place.ATTRIBUTE, name, Expressions.javaFunctionToExpression(value));
    }

    /** The message group; a FIFO queue takes no message without one. */
    public DownbeatSqsMessage messageGroupId(String id) {
        return with(Place.GROUP, "", Expressions.toStringExpression(id));
    }

    /** The deduplication id; a FIFO queue needs it unless it makes one from the body. */
    public DownbeatSqsMessage messageDeduplicationId(String id) {
        return with(Place.DEDUPLICATION_ID, "", Expressions.toStringExpression(id));
    }

    /** The deduplication id, worked out for each message: {@code session -> UUID.randomUUID().toString()}. */
    public DownbeatSqsMessage messageDeduplicationId(Function<io.gatling.javaapi.core.Session, String> id) {
        return with(Place.DEDUPLICATION_ID, "", Expressions.javaFunctionToExpression(id));
    }

    /**
     * How long the queue keeps the message back.
     *
     * @param time whole seconds up to 15 minutes; not for a FIFO queue
     */
    public DownbeatSqsMessage delay(Duration time) {
        return new DownbeatSqsMessage(draft, parts, time);
    }

    private DownbeatSqsMessage with(Place place, String name, Function1<Session, Validation<String>> value) {
        List<Part> all = new ArrayList<>(parts);
        all.add(new Part(place, name, value));
        return new DownbeatSqsMessage(draft, all, delay);
    }

    /**
     * Adds checks: Gatling's own, on the service's answer in JSON, such as {@code jsonPath("$.MessageId").saveAs("id")}.
     * They need Gatling's HTTP module.
     */
    public DownbeatSqsMessage check(CheckBuilder... more) {
        return new DownbeatSqsMessage(draft.withChecks(more), parts, delay);
    }

    private SqsMessage message(Session session) {
        Map<String, String> attributes = new HashMap<>();
        Map<Place, String> others = new HashMap<>();
        for (Part part : parts) {
            String value = OwnRequestAction.valueOf(part.value(), session);
            if (part.place() == Place.ATTRIBUTE) {
                attributes.put(part.name(), value);
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
            return (queue, intendedAt, listener) ->
                    consumes ? queue.deliver(message, intendedAt, listener) : queue.send(message, listener);
        });
    }
}
