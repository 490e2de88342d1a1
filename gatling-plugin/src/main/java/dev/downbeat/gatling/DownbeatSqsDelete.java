package dev.downbeat.gatling;

import dev.downbeat.gatling.request.SqsDraft;
import io.gatling.commons.validation.Validation;
import io.gatling.core.session.Session;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.internal.Expressions;
import scala.Function1;

/** Deletes a message from a queue, for {@code exec}. Immutable. */
public final class DownbeatSqsDelete implements ActionBuilder {
    private final SqsDraft draft;
    private final Function1<Session, Validation<String>> receiptHandle;

    DownbeatSqsDelete(SqsDraft draft, String receiptHandle) {
        this.draft = draft;
        this.receiptHandle = Expressions.toStringExpression(receiptHandle);
    }

    @Override
    public io.gatling.core.action.builder.ActionBuilder asScala() {
        Function1<Session, Validation<String>> expression = receiptHandle;
        return draft.action(session -> {
            String handle = SqsDraft.valueOf(expression, session);
            return (queue, intendedAt, listener) -> queue.delete(handle, listener);
        });
    }
}
