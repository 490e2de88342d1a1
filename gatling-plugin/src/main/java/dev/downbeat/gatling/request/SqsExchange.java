package dev.downbeat.gatling.request;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.gatling.report.Judgement;
import dev.downbeat.gatling.settings.SqsAccess;
import dev.downbeat.sqs.SqsQueue;
import dev.downbeat.sqs.SqsQueue.SqsAnswer;
import dev.downbeat.sqs.SqsQueue.SqsCall;
import io.gatling.core.session.Session;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An operation on a queue. */
final class SqsExchange extends OwnExchange implements SqsCall.Listener {
    /** Starts the operation on its queue. */
    @FunctionalInterface
    interface Start {
        SqsCall start(SqsQueue queue, long intendedAt, SqsCall.Listener listener);
    }

    private final String queue;
    private final Start operation;
    private final @Nullable ResponseChecks checks;
    private volatile @Nullable SqsCall call;

    SqsExchange(
            Owner owner, String name, Session session, String queue, Start operation, @Nullable ResponseChecks checks) {
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
