package dev.downbeat.run.engine;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Target;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.recorder.AnswerWatch;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.record.recorder.RequestKeeper;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.engine.Intervals.IntervalHandover;

/**
 * One generator's accounting: each event of a request is passed once to everything that counts it. Owned by the
 * generator's thread.
 */
final class GeneratorAccounts {
    private final IntervalHandover handover;
    private final AnswerWatch watch;
    private final RequestKeeper keeper;
    private final WholeSessions sessions;
    private Interruptions interruptions = Interruptions.UNKNOWN;

    /**
     * Starts empty.
     *
     * @param share index of the generator in this process
     */
    GeneratorAccounts(RunPlan plan, int share, Target target, IntervalHandover handover, AnswerWatch watch) {
        this.handover = handover;
        this.watch = watch;
        this.keeper = new RequestKeeper(KeptRequests.mostOf(plan.shard().count()), share);
        this.sessions = new WholeSessions(plan, target, handover::active);
    }

    /** The slowest complete requests, and a sample of all. */
    RequestKeeper keeper() {
        return keeper;
    }

    /** Gaps between responses, and pauses of the generator. */
    Interruptions interruptions() {
        return interruptions;
    }

    /** The run has ended, with or without an error. */
    void closed(long now) {
        interruptions = watch.end(now);
    }

    private CorrectedRecorder recorder() {
        return handover.active();
    }

    /** A request is about to be sent. */
    void took(Exchange exchange) {
        watch.due(exchange.intendedAt);
        sessions.took(exchange);
    }

    /**
     * The target reported the end of a request.
     *
     * @param stillWaiting whether others are in flight or due
     */
    void completed(Exchange exchange, long deadlineAt, boolean stillWaiting) {
        watched(exchange, stillWaiting);
        boolean inTime = exchange.completedAt - deadlineAt <= 0;
        if (inTime) {
            recorder().completed(exchange);
        } else {
            recorder().timedOut(exchange, deadlineAt - exchange.intendedAt);
        }
        boolean answered = inTime && exchange.outcome.fate() == Fate.ANSWERED;
        keeper.ended(exchange, inTime ? exchange.completedAt : deadlineAt, answered);
        sessions.ended(exchange, exchange.completedAt, answered);
    }

    private void watched(Exchange exchange, boolean stillWaiting) {
        if (exchange.unconnected || exchange.outcome.fate() == Fate.NEVER_SENT) {
            watch.gaveUp(exchange.completedAt, stillWaiting);
        } else {
            if (exchange.idleNanos > 0) {
                watch.nothingToAnswer(exchange.idleNanos, exchange.completedAt - exchange.serviceNanos());
            }
            watch.answered(exchange.completedAt, exchange.responseNanos(), stillWaiting);
        }
    }

    /** A request in flight has passed its deadline. */
    void timedOut(Exchange exchange, long deadlineAt, boolean stillWaiting) {
        recorder().timedOut(exchange, deadlineAt - exchange.intendedAt);
        keeper.ended(exchange, deadlineAt, false);
        watch.gaveUp(deadlineAt, stillWaiting);
        sessions.ended(exchange, deadlineAt, false);
    }

    /** A request passed its deadline while waiting for a slot and will not be sent. */
    void timedOutUnsent(Exchange unsent, long deadlineAt) {
        recorder().timedOutUnsent(unsent, deadlineAt - unsent.intendedAt);
        keeper.ended(unsent, deadlineAt, false);
        sessions.took(unsent);
        sessions.ended(unsent, deadlineAt, false);
    }

    /** A request was in flight when the run ended. */
    void inFlight(Exchange exchange, long now) {
        recorder().inFlight(exchange, now - exchange.intendedAt);
        keeper.ended(exchange, now, false);
    }

    /** A request was due but unsent when the run ended. */
    void neverSent(Exchange unsent, long now) {
        long waitedNanos = now - unsent.intendedAt;
        recorder().neverSent(unsent, waitedNanos);
        sessions.neverBegun(unsent, waitedNanos, unsent.latenessNanos());
        keeper.ended(unsent, now, false);
    }

    /** Adds requests intended by now. */
    void planned(long count) {
        recorder().planned(count);
    }

    /** Completes the accounting. */
    void end(long now, long planned) {
        sessions.end(now);
        planned(planned);
    }
}
