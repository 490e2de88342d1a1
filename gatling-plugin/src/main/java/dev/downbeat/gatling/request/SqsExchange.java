package dev.downbeat.gatling.request;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.gatling.correction.CorrectedRun;
import dev.downbeat.gatling.correction.RecordingEventLoops;
import dev.downbeat.gatling.correction.UserTiming;
import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.RequestInFlight;
import dev.downbeat.gatling.request.ResponseChecks.Result;
import dev.downbeat.gatling.settings.SqsAccess;
import dev.downbeat.sqs.SqsQueue;
import dev.downbeat.sqs.SqsQueue.SqsAnswer;
import dev.downbeat.sqs.SqsQueue.SqsCall;
import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation on a queue, from the user's action until Gatling has been notified. A transport thread reports its fate;
 * checks, statistics and the next action run on the user's event loop.
 */
final class SqsExchange implements SqsCall.Listener {
    private static final double NANOS_PER_MILLI = 1e6;

    /** The action of the simulation that issues requests, and the user's next one. */
    record Issuer(CorrectedRun run, CoreComponents core, Action next) {}

    private final Issuer issuer;
    private final String name;
    private final Session session;
    private final String queue;
    private final QueueOperation operation;
    private final @Nullable ResponseChecks checks;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean waiting = new AtomicBoolean(true);
    private volatile @Nullable IntendedRequest intent;
    private volatile @Nullable SqsCall call;
    private long issuedAt;
    private @Nullable Future<?> timeout;

    SqsExchange(
            Issuer issuer,
            String name,
            Session session,
            String queue,
            QueueOperation operation,
            @Nullable ResponseChecks checks) {
        this.issuer = issuer;
        this.name = name;
        this.session = session;
        this.queue = queue;
        this.operation = operation;
        this.checks = checks;
    }

    /** Called on the user's event loop. */
    void send(UserTiming timing) {
        issuedAt = System.nanoTime();
        IntendedRequest issued = timing.handOver(issuedAt, session.groups(), name);
        intent = issued;
        long limitNanos = issuer.run().settings().sqs().requestTimeout().toNanos();
        timeout = session.eventLoop().schedule(this::timeOut, limitNanos, TimeUnit.NANOSECONDS);
        CompletableFuture<SqsQueue> unused = issuer.run().sqs().find(queue).whenComplete((found, absent) -> {
            if (absent != null) {
                refuse(SqsAccess.reason(absent));
            } else if (!over.get()) {
                start(found, issued.intendedAt());
            }
        });
    }

    private void start(SqsQueue found, long intendedAt) {
        try {
            call = operation.start(found, intendedAt, this);
        } catch (RuntimeException refused) {
            refuse(String.valueOf(refused.getMessage()));
        } catch (Throwable broken) { // by functions of the simulation, which in Scala may throw anything
            refuse(broken.toString());
        }
    }

    private IntendedRequest intent() {
        IntendedRequest issued = intent;
        if (issued == null) {
            throw new IllegalStateException("the request was not given to the transport");
        }
        return issued;
    }

    /** The transport has started the request. Called by any thread. */
    @Override
    public void started(long startedAt) {
        if (!over.get()) {
            intent().send(startedAt);
        }
        leaveQueue(startedAt);
    }

    private void leaveQueue(long nowAt) {
        if (waiting.compareAndSet(true, false)) {
            issuer.run().journal().waiting(-1, nowAt);
        }
    }

    /** The transport has finished the request. Called by any thread. */
    @Override
    public void ended(Exchange exchange, @Nullable SqsAnswer answer) {
        boolean isAnswered = exchange.outcome.fate() == Fate.ANSWERED && answer != null;
        if (isAnswered) {
            started(exchange.startedAt); // without the client's own wait for a connection
        }
        end(exchange, isAnswered && answer != null ? () -> judge(answer) : null);
    }

    private Result judge(SqsAnswer answer) {
        return checks == null ? new Result(session, Optional.empty()) : checks.check(answer.json(), session);
    }

    /**
     * The request is over. Called by any thread.
     *
     * @param exchange not retained
     * @param judge checks the response, on the user's event loop; null if there is none
     */
    private void end(Exchange exchange, @Nullable Supplier<Result> judge) {
        if (over.compareAndSet(false, true)) {
            Exchange copy = new Exchange(0);
            copy.copy(exchange);
            RecordingEventLoops.execute(session.eventLoop(), () -> finish(copy, judge));
        }
    }

    /** The transport could not start the request. Called by any thread. */
    private void refuse(String reason) {
        long nowAt = System.nanoTime();
        Exchange unsent = new Exchange(0);
        unsent.begin(nowAt, nowAt, nowAt);
        unsent.outcome = Outcome.unbuilt(reason);
        end(unsent, null);
    }

    private void timeOut() {
        if (over.compareAndSet(false, true)) {
            SqsCall pending = call;
            if (pending != null) {
                pending.abort();
            }
            long nowAt = System.nanoTime();
            leaveQueue(nowAt);
            report(nowAt, true, failed("request timeout"));
        }
    }

    private void finish(Exchange exchange, @Nullable Supplier<Result> judge) {
        Future<?> pending = timeout;
        if (pending != null) {
            pending.cancel(false);
        }
        leaveQueue(exchange.completedAt);
        intent().setTransportTiming(exchange);
        if (judge != null || exchange.outcome.isResponse()) {
            intent().responded();
        }
        boolean timedOut = judge == null && exchange.outcome.fate() == Fate.TIMED_OUT;
        report(exchange.completedAt, timedOut, judge == null ? failed(exchange.outcome.reason()) : judged(judge));
    }

    private Result failed(String why) {
        return new Result(session, Optional.of(why));
    }

    private Result judged(Supplier<Result> judge) {
        try {
            return judge.get();
        } catch (Throwable broken) { // by functions of the simulation, which in Scala may throw anything
            return failed("check crashed: " + broken);
        }
    }

    private void report(long endAt, boolean timedOut, Result result) {
        CoreComponents core = issuer.core();
        long endMillis = core.clock().nowMillis() - Math.round((System.nanoTime() - endAt) / NANOS_PER_MILLI);
        long startMillis = endMillis - Math.round((endAt - issuedAt) / NANOS_PER_MILLI);
        boolean ko = result.failure().isPresent();
        new RequestInFlight(intent(), issuer.run().journal())
                .endedAt(
                        endAt,
                        timedOut,
                        () -> core.statsEngine()
                                .logResponse(
                                        session.scenario(),
                                        session.groups(),
                                        name,
                                        startMillis,
                                        endMillis,
                                        ko ? KO$.MODULE$ : OK$.MODULE$,
                                        scala.Option.empty(),
                                        scala.Option.apply(result.failure().orElse(null))));
        Session after = ko ? result.session().markAsFailed() : result.session();
        issuer.next().$bang(after.logGroupRequestTimings(startMillis, endMillis));
    }
}
