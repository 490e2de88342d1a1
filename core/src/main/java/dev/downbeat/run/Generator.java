package dev.downbeat.run;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Lane;
import dev.downbeat.record.AnswerWatch;
import dev.downbeat.record.CorrectedRecorder;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Strain;
import dev.downbeat.selfcheck.OwnTime;
import dev.downbeat.selfcheck.StrainWatch;
import dev.downbeat.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * One thread that keeps a share of the schedule (one type, since every method reads and moves the same few instants): sends what is due, gives up what is overdue, lets the lane handle what
 * has arrived, and waits for the next of these. It never skips an intended time and never waits for a completion.
 *
 * <p>Everything here belongs to that thread, but for {@link #stop} and {@link #live}.
 */
final class Generator implements Exchange.Listener {
    /** The longest nap: how long a stop may go unnoticed. */
    private static final long NAP_NANOS = 10_000_000;

    /** The longest nap while requests wait for a slot: how finely our own standstills are told from theirs. */
    private static final long SATURATED_NAP_NANOS = 2_000_000;

    /** How often the length of the backlog is looked at: to count it can cost as much as there are clients. */
    private static final long PEAK_NANOS = 1_000_000;

    /** The longest time spent on sending before everything else is looked after. */
    private static final long TURN_NANOS = 1_000_000;

    private final RunPlan plan;
    private final NanoClock clock;
    private final Agenda agenda;
    private final IntervalHandover handover;
    private final LiveCounts live = new LiveCounts();
    private final Backlog backlog = new Backlog();
    private final AnswerWatch watch = new AnswerWatch();
    private StrainWatch strain = new StrainWatch(OwnTime.IDEAL);
    private Interruptions interruptions = Interruptions.UNKNOWN;
    private long flippedNanos;
    private @Nullable Lane lane;
    private @Nullable FreeSlots free;
    private @Nullable Deadlines inFlight;
    private volatile boolean stopped;
    private long startAt;
    private long endedAt;
    private boolean stopping;

    /** Whether a send is under way, from within which a target may tell the end of the request. */
    private boolean dispatching;

    /** Requests are meant to start before this; from the start of the run, like the two below. */
    private long endNanos;

    private long drainUntilNanos;
    private long nextFlipNanos;
    private long planned;
    private long turnedAt;
    private long fullNanos;
    private long nextPeakAt;
    private long peakBacklog;
    private long peakBacklogNanos;
    private @Nullable Throwable failure;

    Generator(RunPlan plan, int share, NanoClock clock, IntervalHandover handover) {
        this.plan = plan;
        this.clock = clock;
        this.agenda = plan.workload().agenda(plan.shareOf(share), plan.shares(), plan);
        this.handover = handover;
    }

    /** Gives the generator its way to the target; before {@link #run}. */
    void use(Lane lane) {
        this.lane = lane;
        this.free = new FreeSlots(lane.capacity());
        this.inFlight = new Deadlines(free.all());
    }

    /** Ends the run early: nothing more is sent, and what is in flight has this long to finish. Thread-safe. */
    void stop() {
        stopped = true;
    }

    /** Counts for a screen; may be read by any thread. */
    LiveCounts live() {
        return live;
    }

    /** What broke the target's code, if anything did; the run is then partial. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    long peakBacklog() {
        return peakBacklog;
    }

    /** How long no slot was free, and how much of that time this thread was busy. */
    Saturation saturation() {
        long idleNanos = lane().idleWhenFullNanos();
        return new Saturation(fullNanos, idleNanos < 0 ? -1 : Math.max(0, fullNanos - idleNanos));
    }

    /** When the backlog was longest, from the start of the run. */
    long peakBacklogNanos() {
        return peakBacklogNanos;
    }

    /** When no answers came, and when this thread was paused; after {@link #run}. */
    Interruptions interruptions() {
        return interruptions;
    }

    /** Keeps the schedule from {@code startAt} on until all is over. */
    void run(long startAt, OwnTime own) {
        this.startAt = startAt;
        this.strain = new StrainWatch(own);
        handover.startsAt(startAt);
        watch.startsAt(startAt);
        this.endNanos = plan.durationNanos();
        this.drainUntilNanos = endNanos == Agenda.NONE ? Agenda.NONE : endNanos + plan.drainNanos();
        this.nextFlipNanos = plan.intervalNanos();
        this.nextPeakAt = startAt;
        try {
            loop(lane(), startAt);
        } catch (RuntimeException | Error broken) {
            failure = broken;
        }
        endedAt = clock.nanoTime();
        finish(endedAt);
    }

    /** When the last request had ended, or was given up; after {@link #run}. */
    long endedAt() {
        return endedAt;
    }

    /** Whatever breaks, the last interval is handed over: its reader waits for it. */
    private void finish(long now) {
        try {
            settle(now);
        } catch (RuntimeException | Error broken) {
            failure = failure == null ? broken : failure;
        } finally {
            interruptions = watch.end(now);
            flip(now - startAt, true);
        }
    }

    private void flip(long nanos, boolean last) {
        Strain seen = strain.next(
                Math.max(1, nanos - flippedNanos),
                watch.takeSilentNanos(startAt + nanos),
                watch.answers(),
                fullNanos,
                lane().idleWhenFullNanos());
        if (handover.flip(nanos, last, lane().connections(), seen)) {
            flippedNanos = nanos;
        }
    }

    private void loop(Lane lane, long startAt) {
        long askedFor = startAt;
        while (true) {
            long now = clock.nanoTime();
            backlog.turn(askedFor, now);
            if (now - askedFor > Backlog.STANDSTILL_NANOS) {
                watch.paused(askedFor, now);
                lane.poll(now); // what has come while we stood still must not be given up as overdue
            }
            if (stopped && !stopping) {
                beginStopping(now);
            }
            expire(lane, now);
            if (!stopping) {
                dispatch(lane, now);
            }
            boolean unfinished = agenda.nextNanos() <= now - startAt;
            long turnBegunAt = now;
            now = clock.nanoTime();
            if (backlog.isSaturated()) {
                fullNanos += now - turnedAt; // with all the work of this turn, during which answers wait
            }
            watch.paused(turnBegunAt, now);
            turnedAt = now;
            backlog.turned(slots().isEmpty() || (backlog.isSaturated() && unfinished), now);
            observe(now);
            if (isOver(now)) {
                return;
            }
            askedFor = nextTurnAt(now);
            lane.poll(askedFor);
        }
    }

    private void beginStopping(long now) {
        stopping = true;
        long nanos = now - startAt;
        endNanos = Math.min(endNanos, Math.max(0, nanos + 1)); // what is due now was meant to start
        drainUntilNanos = nanos + Math.min(plan.drainNanos(), LoadRun.STOP_DRAIN_NANOS);
    }

    /**
     * Sends what is due, as long as a slot is free. Each send has a clock reading of its own, since it takes time; what
     * becomes due meanwhile waits for the next turn, so that responses are looked after in between. A turn is bounded in
     * time: a target that answers within the send, at a rate we cannot keep, would else make each turn longer than the
     * last.
     */
    private void dispatch(Lane lane, long turnAt) {
        dispatching = true;
        expireUnsent(turnAt);
        for (long now = turnAt; canSend(turnAt) && now - turnAt < TURN_NANOS; ) {
            send(lane, now);
            now = canSend(turnAt) ? clock.nanoTime() : now;
        }
        dispatching = false;
    }

    private boolean canSend(long turnAt) {
        return agenda.nextNanos() <= turnAt - startAt && !slots().isEmpty();
    }

    private void send(Lane lane, long now) {
        Exchange exchange = slots().take();
        long intendedAt = startAt + agenda.take(exchange);
        exchange.begin(intendedAt, dispatchedAt(intendedAt, now), now);
        if (exchange.dispatchedAt != now) {
            exchange.stalledNanos = watch.silentNanos(exchange.dispatchedAt, now);
        }
        watch.due(intendedAt);
        flying().add(exchange, deadlineAt(exchange));
        lane.send(exchange);
    }

    private long dispatchedAt(long intendedAt, long now) {
        return agenda.heldBack() ? intendedAt : backlog.dispatchedAt(intendedAt, now);
    }

    private long deadlineAt(Exchange exchange) {
        long from = plan.timeoutFrom() == RunPlan.TimeoutFrom.INTENDED ? exchange.intendedAt : exchange.startedAt;
        return from + plan.timeoutNanos();
    }

    @Override
    public void completed(Exchange exchange) {
        Deadlines flying = flying();
        long deadlineAt = flying.at(exchange);
        flying.remove(exchange);
        ended(exchange, flying);
        if (exchange.completedAt - deadlineAt > 0) {
            recorder().timedOut(exchange, deadlineAt - exchange.intendedAt);
        } else {
            recorder().completed(exchange);
        }
        release(exchange, exchange.completedAt);
        if (!dispatching && !stopping) {
            dispatch(lane(), exchange.completedAt); // now, not after all others that have arrived with it
        }
    }

    private void ended(Exchange exchange, Deadlines flying) {
        boolean stillWaiting = !flying.isEmpty() || isBehind(exchange.completedAt);
        if (exchange.unconnected || exchange.outcome.fate() == Fate.NEVER_SENT) {
            watch.gaveUp(exchange.completedAt, stillWaiting);
        } else {
            watch.answered(exchange.completedAt, exchange.responseNanos(), stillWaiting);
        }
    }

    /** Whether something is due that has not been taken. */
    private boolean isBehind(long now) {
        return agenda.nextNanos() <= now - startAt;
    }

    private void release(Exchange exchange, long at) {
        agenda.ended(exchange, at - startAt);
        slots().give(exchange);
    }

    /** Gives up what has passed its deadline in flight. */
    private void expire(Lane lane, long now) {
        Deadlines flying = flying();
        while (!flying.isEmpty() && now - flying.firstAt() >= 0) {
            Exchange exchange = flying.first();
            long deadlineAt = flying.firstAt();
            lane.abandon(exchange);
            flying.remove(exchange);
            recorder().timedOut(exchange, deadlineAt - exchange.intendedAt);
            watch.gaveUp(deadlineAt, !flying.isEmpty() || isBehind(now));
            release(exchange, deadlineAt);
        }
    }

    /** What has waited for a slot past its deadline is not sent any more. */
    private void expireUnsent(long now) {
        if (plan.timeoutFrom() != RunPlan.TimeoutFrom.INTENDED) {
            return;
        }
        Exchange unsent = slots().unsent();
        while (agenda.nextNanos() <= now - startAt - plan.timeoutNanos()) {
            long intendedAt = startAt + agenda.take(unsent);
            long latenessNanos = dispatchedAt(intendedAt, now) - intendedAt;
            watch.due(intendedAt);
            long deadlineAt = intendedAt + plan.timeoutNanos();
            long stalledNanos = watch.silentNanos(intendedAt + latenessNanos, deadlineAt);
            recorder().timedOutUnsent(latenessNanos, plan.timeoutNanos(), stalledNanos);
            agenda.ended(unsent, intendedAt + plan.timeoutNanos() - startAt);
        }
    }

    private void observe(long now) {
        if (slots().isEmpty() && now - nextPeakAt >= 0) {
            nextPeakAt = now + PEAK_NANOS;
            long waiting = agenda.backlogAt(plannedUntil(now));
            if (waiting > peakBacklog) {
                peakBacklog = waiting;
                peakBacklogNanos = now - startAt;
            }
        }
        long nanos = now - startAt;
        if (nanos >= nextFlipNanos) {
            notePlanned(agenda.taken() + agenda.backlogAt(plannedUntil(now)));
            flip(nanos, false);
            nextFlipNanos = (nanos / plan.intervalNanos() + 1) * plan.intervalNanos();
        }
        if (live.isDue(now)) {
            publish(now);
        }
    }

    /** Up to which time requests have been meant to start. */
    private long plannedUntil(long now) {
        return Math.max(0, Math.min(now - startAt, endNanos));
    }

    private void publish(long now) {
        long nanos = plannedUntil(now);
        long next = agenda.nextNanos();
        long behind = next < nanos && !slots().isEmpty() ? nanos - next : 0;
        live.publish(now, agenda.taken(), flying().size(), agenda.backlogAt(nanos), behind);
    }

    private void notePlanned(long soFar) {
        recorder().planned(soFar - planned);
        planned = soFar;
    }

    private boolean isOver(long now) {
        if (now - startAt >= drainUntilNanos) {
            return true;
        }
        return flying().isEmpty() && (stopping || agenda.nextNanos() == Agenda.NONE);
    }

    /** When the loop must turn again at the latest; now, if something is overdue. */
    private long nextTurnAt(long now) {
        boolean saturated = slots().isEmpty();
        long next = now + (saturated ? SATURATED_NAP_NANOS : NAP_NANOS);
        if (!saturated && !stopping && agenda.nextNanos() != Agenda.NONE) {
            next = earlier(next, startAt + agenda.nextNanos());
        }
        if (!flying().isEmpty()) {
            next = earlier(next, flying().firstAt());
        }
        if (drainUntilNanos != Agenda.NONE) {
            next = earlier(next, startAt + drainUntilNanos);
        }
        next = earlier(next, startAt + nextFlipNanos);
        return next - now > 0 ? next : now;
    }

    private static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }

    /** Gives every request that is left its fate, so that the ledger can be checked. */
    private void settle(long now) {
        long lastNanos = Math.min(endNanos, Math.max(0, now - startAt + 1)); // what is due now was meant to start
        Deadlines flying = flying();
        while (!flying.isEmpty()) {
            Exchange exchange = flying.first();
            flying.remove(exchange);
            recorder().inFlight(exchange, now - exchange.intendedAt);
        }
        agenda.leave(lastNanos, intendedNanos -> {
            long intendedAt = startAt + intendedNanos;
            watch.due(intendedAt);
            long latenessNanos = backlog.dispatchedAt(intendedAt, now) - intendedAt;
            long stalledNanos = watch.silentNanos(intendedAt + latenessNanos, now);
            recorder().neverSent(latenessNanos, now - intendedAt, stalledNanos);
        });
        notePlanned(agenda.plannedBefore(lastNanos));
        publish(now);
    }

    private CorrectedRecorder recorder() {
        return handover.active();
    }

    private Lane lane() {
        return required(lane);
    }

    private FreeSlots slots() {
        return required(free);
    }

    private Deadlines flying() {
        return required(inFlight);
    }

    private static <T> T required(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the generator has no lane yet");
        }
        return part;
    }
}
