package dev.downbeat.gatling.request;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends an operation to a queue. */
final class SqsRequestAction extends OwnRequestAction {
    private final SqsDraft draft;
    private final Function<Session, SqsDraft.Operation> operation;
    private final @Nullable ResponseChecks checks;

    SqsRequestAction(
            SqsDraft draft,
            Function<Session, SqsDraft.Operation> operation,
            @Nullable ResponseChecks checks,
            ScenarioContext context,
            Action next) {
        super("sqs", draft.name(), context, next);
        this.draft = draft;
        this.operation = operation;
        this.checks = checks;
        draft.fixedQueue().ifPresent(queue -> run().sqs().prepare(queue, draft.consumes()));
    }

    @Override
    OwnExchange exchange(String requestName, Session session) {
        String queue = valueOf(draft.queue(), session);
        return new SqsExchange(this, requestName, session, queue, operation.apply(session), checks);
    }
}
