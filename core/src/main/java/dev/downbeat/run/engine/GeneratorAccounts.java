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

/**
 * The books of one generator: whatever becomes of a request, all who count it are told here, each once. Belongs to the
 * generator's thread.
 */
final class GeneratorAccounts {
    private final IntervalHandover handover;
    private final AnswerWatch watch;
    private final RequestKeeper keeper;
    private final WholeSessions sessions;
    private Interruptions interruptions = Interruptions.UNKNOWN;

    /**
     * Nothing is in them yet.
     *
     * @param share which of the generators of this process
     */
    GeneratorAccounts(RunPlan plan, int share, Target target, IntervalHandover handover, AnswerWatch watch) {
        this.handover = handover;
        this.watch = watch;
        this.keeper = new RequestKeeper(KeptRequests.mostOf(plan.shard().count()), share);
        this.sessions = new WholeSessions(plan, target, handover::active);
    }

    /** The slowest requests in full, and a sample of all. */
    RequestKeeper keeper() {
        return keeper;
    }

    /** When no answers came, and when the generator was paused. */
    Interruptions interruptions() {
        return interruptions;
    }

    /** The run is over, whatever broke. */
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
     * The target has told the end of a request.
     *
     * @param stillWaiting whether others are in flight, or due
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

    /** A request has waited for a slot past its deadline, and is not sent any more. */
    void timedOutUnsent(Exchange unsent, long deadlineAt) {
        recorder().timedOutUnsent(unsent, deadlineAt - unsent.intendedAt);
        keeper.ended(unsent, deadlineAt, false);
        sessions.took(unsent);
        sessions.ended(unsent, deadlineAt, false);
    }

    /** A request was out when the run ended. */
    void inFlight(Exchange exchange, long now) {
        recorder().inFlight(exchange, now - exchange.intendedAt);
        keeper.ended(exchange, now, false);
    }

    /** A request was due and was not sent when the run ended. */
    void neverSent(Exchange unsent, long now) {
        long waitedNanos = now - unsent.intendedAt;
        recorder().neverSent(unsent, waitedNanos);
        sessions.neverBegun(unsent, waitedNanos, unsent.latenessNanos());
        keeper.ended(unsent, now, false);
    }

    /** So many more were meant to start by now. */
    void planned(long count) {
        recorder().planned(count);
    }

    /** Nothing more comes. */
    void end(long now, long planned) {
        sessions.end(now);
        planned(planned);
    }
}
