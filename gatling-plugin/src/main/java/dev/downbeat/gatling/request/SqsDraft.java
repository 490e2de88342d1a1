package dev.downbeat.gatling.request;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.gatling.report.Judgement;
import dev.downbeat.gatling.settings.SqsAccess;
import dev.downbeat.sqs.SqsQueue;
import dev.downbeat.sqs.SqsQueue.SqsAnswer;
import dev.downbeat.sqs.SqsQueue.SqsCall;
import io.gatling.commons.validation.Validation;
import io.gatling.core.action.Action;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.internal.Expressions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/**
 * The common part of queue requests, with unevaluated expressions.
 *
 * @param name name in Gatling's report
 * @param queue its name or URL
 * @param fixedQueue the same, if it contains no expression; it is then looked up before the first user starts
 * @param consumes whether the request ends with the arrival of its message
 * @param checks checks on the response
 */
public record SqsDraft(
        Function1<Session, Validation<String>> name,
        Function1<Session, Validation<String>> queue,
        Optional<String> fixedQueue,
        boolean consumes,
        List<CheckBuilder> checks) {
    /** An operation that can be executed on a queue. */
    public interface Operation {
        SqsCall start(SqsQueue queue, long intendedAt, SqsCall.Listener listener);
    }

    public static SqsDraft of(String name, String queue, boolean consumes) {
        boolean holdsExpression = queue.contains("#{") || queue.contains("${");
        return new SqsDraft(
                Expressions.toStringExpression(name),
                Expressions.toStringExpression(queue),
                holdsExpression ? Optional.empty() : Optional.of(queue),
                consumes,
                List.of());
    }

    /** The service knows only whole seconds: a fraction would be lost on the way. */
    public static Duration wholeSeconds(String what, Duration time, int most) {
        if (time.isNegative() || time.getNano() != 0 || time.toSeconds() > most) {
            throw new IllegalArgumentException(what + " must be whole seconds from 0 to " + most + ", but was " + time);
        }
        return time;
    }

    public SqsDraft withChecks(CheckBuilder... more) {
        List<CheckBuilder> all = new ArrayList<>(checks);
        all.addAll(List.of(more));
        return new SqsDraft(name, queue, fixedQueue, consumes, List.copyOf(all));
    }

    /**
     * Creates the action.
     *
     * @param operation creates the operation for one user; may throw {@link OwnRequestAction.NoValue} or {@link
     *     IllegalArgumentException}
     */
    public ActionBuilder action(Function<Session, Operation> operation) {
        @Nullable ResponseChecks checked = checks.isEmpty() ? null : new ResponseChecks(checks);
        return (context, next) -> new RequestAction(this, operation, checked, context, next);
    }

    /** Sends an operation to a queue. */
    private static final class RequestAction extends OwnRequestAction {
        private final SqsDraft draft;
        private final Function<Session, Operation> operation;
        private final @Nullable ResponseChecks checks;

        RequestAction(
                SqsDraft draft,
                Function<Session, Operation> operation,
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

    /** An operation on a queue. */
    private static final class SqsExchange extends OwnExchange implements SqsCall.Listener {
        private final String queue;
        private final Operation operation;
        private final @Nullable ResponseChecks checks;
        private volatile @Nullable SqsCall call;

        SqsExchange(
                Owner owner,
                String name,
                Session session,
                String queue,
                Operation operation,
                @Nullable ResponseChecks checks) {
            super(owner, name, session);
            this.queue = queue;
            this.operation = operation;
            this.checks = checks;
        }

        @Override
        void start(long intendedAt) {
            CompletableFuture<SqsQueue> unused = run().sqs().find(queue).whenComplete((found, absent) -> {
                if (absent != null) {
                    refuse(SqsAccess.reason(absent));
                } else if (!isOver()) {
                    start(found, intendedAt);
                }
            });
        }

        private void start(SqsQueue found, long intendedAt) {
            try {
                call = operation.start(found, intendedAt, this);
            } catch (RuntimeException refused) {
                refuse(String.valueOf(refused.getMessage()));
            }
        }

        @Override
        void giveUp() {
            SqsCall given = call;
            if (given != null) {
                given.abort();
            }
        }

        @Override
        public void ended(Exchange exchange, @Nullable SqsAnswer answer) {
            boolean isAnswered = exchange.outcome.fate() == Fate.ANSWERED && answer != null;
            if (isAnswered) {
                started(exchange.startedAt); // without the client's own wait for a connection
            }
            end(exchange, isAnswered && answer != null ? () -> judge(answer) : null);
        }

        private Judgement judge(SqsAnswer answer) {
            ResponseChecks.Result result = checks == null
                    ? new ResponseChecks.Result(session, Optional.empty())
                    : checks.check(answer.json(), session);
            return Judgement.of(Optional.empty(), result);
        }
    }
}
