package dev.downbeat.run.engine;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.run.agenda.Backlog;
import dev.downbeat.run.agenda.Deadlines;
import dev.downbeat.run.agenda.DueRequests;
import dev.downbeat.run.engine.Intervals.IntervalHandover;
import dev.downbeat.selfcheck.DelayTotals;
import dev.downbeat.selfcheck.ProcessDelayWatch;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A thread that executes a share of the schedule: it sends due requests, expires overdue ones, polls the lane, and
 * waits for the next event. It never skips an intended start and never waits for a completion.
 *
 * <p>Owned by that thread, except for {@link #live}.
 */
final class Generator implements Exchange.Listener {
    /** The longest sleep, which bounds how long a stop goes unnoticed. */
    private static final long NAP_NANOS = 10_000_000;

    /** The longest sleep with requests in flight, as a fraction of the typical response time: a pause can hide inside it. */
    private static final int NAPS_IN_RESPONSE = 16;

    private static final long SHORTEST_NAP_NANOS = 1_000_000;

    /**
     * The longest sleep with requests waiting for a slot: the resolution at which Downbeat's pauses are told from the
     * target's.
     */
    private static final long SATURATED_NAP_NANOS = 2_000_000;

    /** The longest time spent on sending before other work. */
    private static final long TURN_NANOS = 1_000_000;

    private final RunPlan plan;
    private final Target target;
    private final NanoClock clock;
    private final DueRequests schedule;
    private final IntervalHandover handover;
    private final StopFlag stop;
    private final LiveCounts live = new LiveCounts();
    private final Backlog backlog = new Backlog();
    private final ResponseGapDetector watch = new ResponseGapDetector();
    private final GeneratorAccounts accounts;
    private final Lane lane;
    private final FreeSlots slots;
    /** The exchanges in flight by deadline. */
    private final Deadlines inFlight;

    private IntervalEnds intervalEnds;
    private OwnDelays ownDelays;
    private OwnPauses pauses;
    private LaneCounts counts = LaneCounts.NONE;
    private long endedAt;

    /** When the loop must continue at the latest. */
    private long wakeAt;

    /** The same, even if client threads keep taking its turns. */
    private long latestWakeAt;

    /** Whether a send is in progress, during which a target may report the end of the request. */
    private boolean dispatching;

    private @Nullable Throwable failure;

    /**
     * Opens the lane to the target.
     *
     * @param share index of the generator in this process
     * @param firstIndex added to the index of each request
     * @throws IOException if the target cannot be reached; its message is one clear line
     */
    Generator(
            RunPlan plan,
            int share,
            long firstIndex,
            Target target,
            NanoClock clock,
            IntervalHandover handover,
            StopFlag stop)
            throws IOException {
        this.plan = plan;
        this.target = target;
        this.clock = clock;
        this.schedule = new DueRequests(plan, share, firstIndex);
        this.handover = handover;
        this.stop = stop;
        this.endedAt = clock.nanoTime();
        this.intervalEnds = new IntervalEnds(handover, plan.intervalNanos(), endedAt, DelayTotals.IDEAL);
        this.lane = target.open(plan.globalIndex(share), plan.shares(), clock, this);
        this.ownDelays = new OwnDelays(DelayTotals.IDEAL, lane, backlog, watch, 0);
        this.pauses = new OwnPauses(watch, 0);
        this.slots = new FreeSlots(lane.capacity());
        this.inFlight = new Deadlines(lane.capacity());
        this.accounts = new GeneratorAccounts(plan, share, target, handover, watch);
    }

    /** The lane, to be closed by the caller. */
    Lane lane() {
        return lane;
    }

    /** Counts for display; read by any thread. */
    LiveCounts live() {
        return live;
    }

    /** The error thrown by the target's code, if any; the run is then partial. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The schedule, including the peak backlog; valid after {@link #run}. */
    DueRequests schedule() {
        return schedule;
    }

    /** Time without a free slot, and the part of it in which this thread was busy. */
    Saturation saturation() {
        return backlog.saturation(lane.idleWhenFullNanos());
    }

    /** The fates of the requests; valid after {@link #run}. */
    GeneratorAccounts accounts() {
        return accounts;
    }

    /** The lane's own counts, after all generators have ended, since lanes may share a client; none if the lane throws. */
    LaneCounts counts() {
        attempt(() -> counts = LaneCounts.of(lane.connections(), lane.counts()));
        return counts;
    }

    /** When the last request ended or timed out; before the start if it never began. */
    long endedAt() {
        return endedAt;
    }

    /** Executes the schedule from {@code startAt} until everything has ended, whatever is thrown. */
    void run(long startAt, DelayTotals own) {
        attempt(() -> {
            handover.startsAt(startAt);
            watch.startsAt(startAt);
            accounts.keeper().startsAt(startAt);
            schedule.startsAt(startAt);
            intervalEnds = new IntervalEnds(handover, plan.intervalNanos(), startAt, own);
            ownDelays = new OwnDelays(own, lane, backlog, watch, startAt);
            pauses = new OwnPauses(watch, startAt);
            watch.setLongestIdle(target.longestIdleNanos());
            loop(startAt);
        });
        attempt(() -> endedAt = clock.nanoTime());
        attempt(() -> settle(endedAt));
        attempt(() -> accounts.closed(endedAt));
        attempt(() -> intervalEnds.end(endedAt, true, watch, pauses, backlog.fullNanos(), lane));
    }

    private void attempt(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error thrown) {
            fail(thrown);
        }
    }

    /** The run ends as broken; the other generators need not go on with their share of its load. */
    void fail(Throwable thrown) {
        failure = failure == null ? thrown : failure;
        stop.raise();
    }

    /** For a thread that has ended without handing over its last interval, such as for lack of memory. */
    void handOverRest() {
        if (!handover.isOver()) {
            intervalEnds.handOver(endedAt, true, ProcessDelays.NONE);
        }
    }

    private void loop(long startAt) {
        wakeAt = startAt;
        while (true) {
            long now = clock.nanoTime();
            pauses.runs(now);
            backlog.beginTurn(wakeAt, now);
            if (now - wakeAt > Backlog.PAUSE_NANOS) {
                watch.paused(wakeAt, now);
                lane.poll(now); // responses that arrived during a pause must not count as timed out
            }
            if (stop.isRaised()) {
                schedule.stop(now, stop.isUrgent());
            }
            expire(now);
            if (!schedule.isStopping()) {
                dispatch(now);
            }
            boolean hasDue = schedule.isDue(now);
            long turnAt = now;
            now = clock.nanoTime();
            watch.paused(turnAt, now);
            endTurn(hasDue, now);
            observe(now);
            if (failure != null
                    || (schedule.isDrained(now) && !extendDrain())
                    || (inFlight.isEmpty() && schedule.isExhausted())) {
                return;
            }
            wakeAt = nextTurnAt(now);
            latestWakeAt = now + NAP_NANOS;
            pauses.sleeps(wakeAt);
            lane.poll(wakeAt);
        }
    }

    /** Extends a drain of at least the timeout, so that requests sent late can still end or time out. */
    private boolean extendDrain() {
        boolean isLate = !inFlight.isEmpty()
                && !schedule.isStopping()
                && plan.timeoutFrom() == RunPlan.TimeoutFrom.INTENDED
                && plan.drainNanos() >= plan.timeoutNanos();
        if (isLate) {
            schedule.drainUntil(inFlight.lastAt());
        }
        return isLate;
    }

    private void endTurn(boolean hasDue, long now) {
        pauses.runs(now);
        pauses.endTurn(hasDue, inFlight.size(), now);
        backlog.endTurn(slots.isEmpty() || (backlog.isSaturated() && hasDue), now);
    }

    /** On a thread of the client, which does a turn while the loop sleeps. */
    @Override
    public long sleepsUntil(long untilAt) {
        long now = clock.nanoTime();
        pauses.runs(now);
        if (!schedule.isStopping() && canSend(now)) {
            dispatch(now);
            now = clock.nanoTime();
        }
        endTurn(schedule.isDue(now), now);
        wakeAt = NanoClock.earlier(nextTurnAt(now), latestWakeAt);
        pauses.sleeps(wakeAt);
        return inFlight.isEmpty() && schedule.isExhausted() ? untilAt - 1 : wakeAt;
    }

    /**
     * Sends due requests while slots are free. Each send takes time and so has its own clock reading. Requests that
     * become due meanwhile wait for the next iteration, so responses are handled in between. An iteration is limited in
     * time. Otherwise a target that answers within the send, at a rate beyond Downbeat's, would make each one longer
     * than the last.
     */
    private void dispatch(long turnAt) {
        dispatching = true;
        expireUnsent(turnAt);
        for (long now = turnAt; canSend(turnAt) && now - turnAt < TURN_NANOS; ) {
            send(now);
            now = canSend(turnAt) ? clock.nanoTime() : now;
        }
        dispatching = false;
    }

    private boolean canSend(long turnAt) {
        return failure == null && schedule.isDue(turnAt) && !slots.isEmpty();
    }

    private void send(long now) {
        Exchange exchange = slots.take();
        long intendedAt = schedule.take(exchange);
        exchange.name = nameOf(exchange);
        exchange.begin(intendedAt, backlog.dispatchedAt(intendedAt, now), now);
        if (exchange.dispatchedAt != now) {
            exchange.stalledNanos = ownDelays.stalledNanos(exchange.dispatchedAt, now, now);
        }
        pauses.sending(exchange, inFlight.size(), exchange.dispatchedAt != now);
        accounts.dispatched(exchange);
        exchange.deadlineAt = deadlineAt(exchange);
        inFlight.add(exchange.slot, exchange.deadlineAt);
        lane.send(exchange);
    }

    /** A request that the target's code cannot name ends the run, but has its fate like the others. */
    private int nameOf(Exchange exchange) {
        try {
            return target.nameOf(exchange);
        } catch (RuntimeException | Error thrown) {
            fail(thrown);
            return 0;
        }
    }

    /** The timeout starts no earlier than the dispatch, so the service always has the full time. */
    private long deadlineAt(Exchange exchange) {
        long from = plan.timeoutFrom() == RunPlan.TimeoutFrom.INTENDED ? exchange.dispatchedAt : exchange.startedAt;
        return from + plan.timeoutNanos();
    }

    @Override
    public void completed(Exchange exchange) {
        long deadlineAt = inFlight.at(exchange.slot);
        inFlight.remove(exchange.slot);
        pauses.runs(exchange.completedAt);
        pauses.ended(exchange);
        pauses.answered(exchange);
        accounts.completed(exchange, deadlineAt, !inFlight.isEmpty() || schedule.isDue(exchange.completedAt));
        release(exchange, exchange.completedAt);
        if (!dispatching && !schedule.isStopping() && schedule.isDue(exchange.completedAt)) {
            dispatch(clock.nanoTime()); // rather than after all others that arrived with it
        }
    }

    @Override
    public void answeredLate(long at) {
        watch.answeredLate(at);
    }

    private void release(Exchange exchange, long at) {
        schedule.ended(exchange, at);
        slots.give(exchange);
    }

    private void expire(long now) {
        while (!inFlight.isEmpty() && now - inFlight.firstAt() >= 0) {
            Exchange exchange = slots.of(inFlight.first());
            long deadlineAt = inFlight.firstAt();
            if (!lane.abandonUnlessEnded(exchange)) {
                lane.poll(now);
                continue;
            }
            inFlight.remove(exchange.slot);
            pauses.ended(exchange);
            accounts.timedOut(exchange, deadlineAt, !inFlight.isEmpty() || schedule.isDue(now));
            release(exchange, deadlineAt);
        }
    }

    /**
     * Expires requests whose deadline passed while they waited for a slot. Those noticed only after the whole timeout
     * are not sent either, since that many at once would keep later ones waiting.
     */
    private void expireUnsent(long now) {
        if (plan.timeoutFrom() != RunPlan.TimeoutFrom.INTENDED) {
            return;
        }
        Exchange unsent = slots.unsent();
        while (schedule.isDue(now - plan.timeoutNanos())) {
            long intendedAt = schedule.nextIntendedAt();
            long dispatchedAt = backlog.dispatchedAt(intendedAt, now);
            boolean isUnnoticed = dispatchedAt - intendedAt >= plan.timeoutNanos();
            long deadlineAt = (isUnnoticed ? intendedAt : dispatchedAt) + plan.timeoutNanos();
            if (now - deadlineAt < 0) {
                return;
            }
            schedule.take(unsent);
            giveUp(unsent, intendedAt, dispatchedAt, deadlineAt, now);
            accounts.timedOutUnsent(unsent, deadlineAt);
            schedule.ended(unsent, deadlineAt);
        }
    }

    /** Records an unsent request, whose wait for a slot has ended. */
    private void giveUp(Exchange unsent, long intendedAt, long dispatchedAt, long endAt, long now) {
        unsent.name = nameOf(unsent);
        watch.due(intendedAt);
        unsent.begin(intendedAt, dispatchedAt, endAt);
        pauses.unsent(unsent);
        unsent.stalledNanos = ownDelays.stalledNanos(dispatchedAt, endAt, now);
    }

    private void observe(long now) {
        if (slots.isEmpty()) {
            schedule.watchBacklog(now);
        }
        if (intervalEnds.isDue(now)) {
            accounts.planned(schedule.newlyPlanned(now));
            intervalEnds.end(now, false, watch, pauses, backlog.fullNanos(), lane);
            if (!backlog.isSaturated()) {
                ownDelays.reset(now);
            }
        }
        if (live.isDue(now)) {
            publish(now);
        }
    }

    private void publish(long now) {
        long behindNanos = slots.isEmpty() ? 0 : schedule.behindNanos(now);
        live.publish(
                now, schedule.taken(), inFlight.size(), schedule.backlog(now), behindNanos, watch.silentNanos(now));
    }

    /** The latest time of the next iteration; now, if something is overdue. */
    private long nextTurnAt(long now) {
        boolean saturated = slots.isEmpty();
        long next = schedule.nextAt(now + napNanos(saturated), !saturated);
        next = inFlight.isEmpty() ? next : NanoClock.earlier(next, inFlight.firstAt());
        next = NanoClock.earlier(next, intervalEnds.nextAt());
        return next - now > 0 ? next : now;
    }

    private long napNanos(boolean saturated) {
        if (inFlight.isEmpty()) {
            return NAP_NANOS;
        }
        long fineNanos = Math.max(SHORTEST_NAP_NANOS, watch.typicalNanos() / NAPS_IN_RESPONSE);
        return Math.min(fineNanos, saturated ? SATURATED_NAP_NANOS : NAP_NANOS);
    }

    /** Assigns a fate to every remaining request, so that the ledger can be checked. */
    private void settle(long now) {
        dispatching = true; // nothing more is sent for what has ended
        attempt(lane::end); // whatever breaks there, each request still gets its fate
        while (!inFlight.isEmpty()) {
            Exchange exchange = slots.of(inFlight.first());
            inFlight.remove(exchange.slot);
            pauses.ended(exchange);
            accounts.inFlight(exchange, now);
        }
        Exchange unsent = slots.unsent();
        long sentUntil = schedule.couldSendAt(now);
        long planned = schedule.end(now, unsent, intendedAt -> {
            giveUp(unsent, intendedAt, backlog.dispatchedAt(intendedAt, sentUntil), now, now);
            accounts.neverSent(unsent, now);
        });
        accounts.end(now, planned);
        publish(now);
    }

    /** One generator's exchanges, one per slot of its lane, with a stack of the free ones. */
    private static final class FreeSlots {
        private final Exchange[] all;
        private final Exchange[] free;
        private final Exchange unsent;
        private int size;

        FreeSlots(int capacity) {
            all = new Exchange[capacity];
            for (int slot = 0; slot < capacity; slot++) {
                all[slot] = new Exchange(slot);
            }
            free = all.clone();
            size = capacity;
            unsent = new Exchange(capacity);
        }

        Exchange of(int slot) {
            return all[slot];
        }

        /** A placeholder exchange for requests that end while waiting. */
        Exchange unsent() {
            return unsent;
        }

        boolean isEmpty() {
            return size == 0;
        }

        Exchange take() {
            return free[--size];
        }

        void give(Exchange exchange) {
            free[size++] = exchange;
        }
    }

    /** A generator's counts for display: written by its thread a few times per second, read by any. */
    static final class LiveCounts {
        private static final long PERIOD_NANOS = 50_000_000;

        private final AtomicLong taken = new AtomicLong();
        private final AtomicLong inFlight = new AtomicLong();
        private final AtomicLong backlog = new AtomicLong();
        private final AtomicLong behindNanos = new AtomicLong();
        private final AtomicLong silentNanos = new AtomicLong(-1);
        private long dueAt = Long.MIN_VALUE;
        private boolean published;

        boolean isDue(long now) {
            return !published || now - dueAt >= 0;
        }

        void publish(long now, long takenCount, long inFlightCount, long backlogCount, long behind, long silent) {
            published = true;
            dueAt = now + PERIOD_NANOS;
            taken.setOpaque(takenCount);
            inFlight.setOpaque(inFlightCount);
            backlog.setOpaque(backlogCount);
            behindNanos.setOpaque(behind);
            silentNanos.setOpaque(silent);
        }

        RunSnapshot read() {
            return new RunSnapshot(
                    taken.getOpaque(),
                    inFlight.getOpaque(),
                    backlog.getOpaque(),
                    behindNanos.getOpaque(),
                    silentNanos.getOpaque());
        }
    }

    /** Closes one generator's intervals, each with the generator's delays in it. Owned by the generator's thread. */
    private static final class IntervalEnds {
        private final IntervalHandover handover;
        private final long intervalNanos;
        private final long startAt;
        private final ProcessDelayWatch strain;
        private ConnectionCounts connections = ConnectionCounts.NONE;

        /** Until when delays are judged, also those of an interval that could not be handed over. */
        private long judgedNanos;

        private long nextNanos;

        IntervalEnds(IntervalHandover handover, long intervalNanos, long startAt, DelayTotals own) {
            this.handover = handover;
            this.intervalNanos = intervalNanos;
            this.startAt = startAt;
            this.strain = new ProcessDelayWatch(own);
            this.nextNanos = intervalNanos;
        }

        long nextAt() {
            return startAt + nextNanos;
        }

        boolean isDue(long now) {
            return now - startAt >= nextNanos;
        }

        /**
         * Closes an interval if the collector has returned the recorder; the last one always, even if the lane throws,
         * because the collector waits for it.
         *
         * @param fullSoFarNanos total time without a free slot
         */
        void end(long now, boolean last, ResponseGapDetector watch, OwnPauses pauses, long fullSoFarNanos, Lane lane) {
            long nanos = now - startAt;
            ProcessDelays delays = ProcessDelays.NONE;
            try {
                connections = lane.connections();
                delays = strain.next(
                        Math.max(1, nanos - judgedNanos),
                        watch.takeSilentNanos(now),
                        watch.answers(),
                        fullSoFarNanos,
                        lane.idleWhenFullNanos(),
                        pauses.lateNanos());
                judgedNanos = nanos;
            } finally {
                handOver(now, last, delays);
                nextNanos = (nanos / intervalNanos + 1) * intervalNanos;
            }
        }

        void handOver(long now, boolean last, ProcessDelays delays) {
            handover.flip(Math.max(0, now - startAt), last, connections, delays);
        }
    }

    /**
     * Estimates the part of a wait for a slot that may be Downbeat's. While this process was delayed, nothing was read or
     * sent. Without the delay, every request in the same backlog would have proceeded earlier by at most that much, however
     * long its wait. A loop that is constantly busy while requests wait may itself be what they wait for.
     *
     * <p>Owned by the generator's thread. It queries the system once per millisecond, and only while requests wait.
     */
    private static final class OwnDelays {
        private static final long FRESH_NANOS = 1_000_000;

        private final DelayTotals own;
        private final Lane lane;
        private final Backlog backlog;
        private final ResponseGapDetector watch;
        private long delayBeforeNanos;
        private long fullBeforeNanos;
        private long idleBeforeNanos;
        private long readAt;
        private long sinceNanos;

        OwnDelays(DelayTotals own, Lane lane, Backlog backlog, ResponseGapDetector watch, long now) {
            this.own = own;
            this.lane = lane;
            this.backlog = backlog;
            this.watch = watch;
            reset(now);
        }

        /** No request is waiting for a slot, so delays up to now cannot affect later requests. */
        void reset(long now) {
            delayBeforeNanos = own.totalNanos();
            fullBeforeNanos = backlog.fullNanos();
            idleBeforeNanos = lane.idleWhenFullNanos();
            readAt = now;
            sinceNanos = 0;
        }

        /** The part of a finished wait for a slot that cannot be Downbeat's: nobody was answered, or it was not delayed. */
        long stalledNanos(long from, long to, long now) {
            long waitNanos = to - from;
            return Math.max(watch.silentNanos(from, to), waitNanos - possiblyOwnNanos(waitNanos, now));
        }

        /** The part, in nanoseconds, of a wait of this length ending now that may be Downbeat's. */
        private long possiblyOwnNanos(long waitNanos, long now) {
            if (now - readAt > FRESH_NANOS) {
                readAt = now;
                sinceNanos = isNeverIdle() ? Long.MAX_VALUE - FRESH_NANOS : own.totalNanos() - delayBeforeNanos;
            }
            return Math.min(waitNanos, sinceNanos + (now - readAt));
        }

        private boolean isNeverIdle() {
            long idleNanos = lane.idleWhenFullNanos() - idleBeforeNanos;
            long fullNanos = backlog.fullNanos() - fullBeforeNanos;
            return idleBeforeNanos >= 0
                    && fullNanos > FRESH_NANOS
                    && ProcessDelays.isNeverIdle(fullNanos - idleNanos, fullNanos);
        }
    }

    /** Signals all generators of a run to stop sending. Thread-safe. */
    static final class StopFlag {
        private volatile boolean raised;
        private volatile boolean urgent;

        /** Stops; requests in flight get a moment to finish. */
        void raise() {
            urgent = true;
            raised = true;
        }

        /** Stops; requests in flight get the plan's full drain time. */
        void raiseGently() {
            raised = true;
        }

        boolean isUrgent() {
            return urgent;
        }

        boolean isRaised() {
            return raised;
        }
    }
}
