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

    /**
     * The longest sleep with requests in flight, as a fraction of the usual response time, because a pause can hide
     * inside a sleep.
     */
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
    private final StopSign stop;
    private final LiveCounts live = new LiveCounts();
    private final Backlog backlog = new Backlog();
    private final ResponseGapDetector watch = new ResponseGapDetector();
    private final GeneratorAccounts books;
    private final Lane lane;
    private final FreeSlots slots;
    /** The exchanges in flight by deadline. */
    private final Deadlines flying;

    private IntervalEnds ends;
    private OwnDelays kept;
    private OwnPauses stops;
    private LaneCounts counts = LaneCounts.NONE;
    private long endedAt;

    /** When the loop wants to go on at the latest. */
    private long askedFor;

    /** The same, however often others do its turn. */
    private long longestAt;

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
            StopSign stop)
            throws IOException {
        this.plan = plan;
        this.target = target;
        this.clock = clock;
        this.schedule = new DueRequests(plan, share, firstIndex);
        this.handover = handover;
        this.stop = stop;
        this.endedAt = clock.nanoTime();
        this.ends = new IntervalEnds(handover, plan.intervalNanos(), endedAt, DelayTotals.IDEAL);
        this.lane = target.open(plan.shareOf(share), plan.shares(), clock, this);
        this.kept = new OwnDelays(DelayTotals.IDEAL, lane, backlog, watch, 0);
        this.stops = new OwnPauses(watch, 0);
        this.slots = new FreeSlots(lane.capacity());
        this.flying = new Deadlines(lane.capacity());
        this.books = new GeneratorAccounts(plan, share, target, handover, watch);
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
    GeneratorAccounts books() {
        return books;
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
            books.keeper().startsAt(startAt);
            schedule.startsAt(startAt);
            ends = new IntervalEnds(handover, plan.intervalNanos(), startAt, own);
            kept = new OwnDelays(own, lane, backlog, watch, startAt);
            stops = new OwnPauses(watch, startAt);
            watch.mayIdle(target.longestIdleNanos());
            loop(startAt);
        });
        attempt(() -> endedAt = clock.nanoTime());
        attempt(() -> settle(endedAt));
        attempt(() -> books.closed(endedAt));
        attempt(() -> ends.end(endedAt, true, watch, stops, backlog.fullNanos(), lane));
    }

    private void attempt(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error broken) {
            broke(broken);
        }
    }

    /** The run ends as broken; the other generators need not go on with their share of its load. */
    void broke(Throwable broken) {
        failure = failure == null ? broken : failure;
        stop.raise();
    }

    /** For a thread that has ended without handing over its last interval, such as for lack of memory. */
    void handOverWhatIsLeft() {
        if (!handover.isOver()) {
            ends.handOver(endedAt, true, ProcessDelays.NONE);
        }
    }

    private void loop(long startAt) {
        askedFor = startAt;
        while (true) {
            long now = clock.nanoTime();
            stops.runs(now);
            backlog.turn(askedFor, now);
            if (now - askedFor > Backlog.STANDSTILL_NANOS) {
                watch.paused(askedFor, now);
                lane.poll(now); // responses that arrived during a pause must not count as timed out
            }
            if (stop.isRaised()) {
                schedule.stop(now, stop.isUrgent());
            }
            expire(now);
            if (!schedule.isStopping()) {
                dispatch(now);
            }
            boolean unfinished = schedule.isDue(now);
            long turnBegunAt = now;
            now = clock.nanoTime();
            watch.paused(turnBegunAt, now);
            turned(unfinished, now);
            observe(now);
            if (failure != null
                    || (schedule.isDrained(now) && !drainsOn())
                    || (flying.isEmpty() && schedule.isExhausted())) {
                return;
            }
            askedFor = nextTurnAt(now);
            longestAt = now + NAP_NANOS;
            stops.sleeps(askedFor);
            lane.poll(askedFor);
        }
    }

    /** In a drain of at least the timeout each request ends or times out, and later if this process sent it late. */
    private boolean drainsOn() {
        boolean isLate = !flying.isEmpty()
                && !schedule.isStopping()
                && plan.timeoutFrom() == RunPlan.TimeoutFrom.INTENDED
                && plan.drainNanos() >= plan.timeoutNanos();
        if (isLate) {
            schedule.drainUntil(flying.lastAt());
        }
        return isLate;
    }

    private void turned(boolean unfinished, long now) {
        stops.runs(now);
        stops.turned(unfinished, flying.size(), now);
        backlog.turned(slots.isEmpty() || (backlog.isSaturated() && unfinished), now);
    }

    /** On a thread of the client, which does a turn while the loop sleeps. */
    @Override
    public long sleepsUntil(long untilAt) {
        long now = clock.nanoTime();
        stops.runs(now);
        if (!schedule.isStopping() && canSend(now)) {
            dispatch(now);
            now = clock.nanoTime();
        }
        turned(schedule.isDue(now), now);
        askedFor = NanoClock.earlier(nextTurnAt(now), longestAt);
        stops.sleeps(askedFor);
        return flying.isEmpty() && schedule.isExhausted() ? untilAt - 1 : askedFor;
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
            exchange.stalledNanos = kept.notOursNanos(exchange.dispatchedAt, now, now);
        }
        stops.sending(exchange, flying.size(), exchange.dispatchedAt != now);
        books.took(exchange);
        exchange.deadlineAt = deadlineAt(exchange);
        flying.add(exchange.slot, exchange.deadlineAt);
        lane.send(exchange);
    }

    /** A request that the target's code cannot name ends the run, but has its fate like the others. */
    private int nameOf(Exchange exchange) {
        try {
            return target.nameOf(exchange);
        } catch (RuntimeException | Error broken) {
            broke(broken);
            return 0;
        }
    }

    /** A caller's patience does not begin before the caller does: the service always has the full time. */
    private long deadlineAt(Exchange exchange) {
        long from = plan.timeoutFrom() == RunPlan.TimeoutFrom.INTENDED ? exchange.dispatchedAt : exchange.startedAt;
        return from + plan.timeoutNanos();
    }

    @Override
    public void completed(Exchange exchange) {
        long deadlineAt = flying.at(exchange.slot);
        flying.remove(exchange.slot);
        stops.runs(exchange.completedAt);
        stops.ended(exchange);
        stops.answered(exchange);
        books.completed(exchange, deadlineAt, !flying.isEmpty() || schedule.isDue(exchange.completedAt));
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

    /** Expires requests in flight whose deadline has passed. */
    private void expire(long now) {
        while (!flying.isEmpty() && now - flying.firstAt() >= 0) {
            Exchange exchange = slots.of(flying.first());
            long deadlineAt = flying.firstAt();
            if (!lane.abandonUnlessEnded(exchange)) {
                lane.poll(now);
                continue;
            }
            flying.remove(exchange.slot);
            stops.ended(exchange);
            books.timedOut(exchange, deadlineAt, !flying.isEmpty() || schedule.isDue(now));
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
            books.timedOutUnsent(unsent, deadlineAt);
            schedule.ended(unsent, deadlineAt);
        }
    }

    /** Records an unsent request, whose wait for a slot has ended. */
    private void giveUp(Exchange unsent, long intendedAt, long dispatchedAt, long endAt, long now) {
        unsent.name = nameOf(unsent);
        watch.due(intendedAt);
        unsent.begin(intendedAt, dispatchedAt, endAt);
        stops.unsent(unsent);
        unsent.stalledNanos = kept.notOursNanos(dispatchedAt, endAt, now);
    }

    private void observe(long now) {
        if (slots.isEmpty()) {
            schedule.watchBacklog(now);
        }
        if (ends.isDue(now)) {
            books.planned(schedule.newlyPlanned(now));
            ends.end(now, false, watch, stops, backlog.fullNanos(), lane);
            if (!backlog.isSaturated()) {
                kept.nothingWaits(now);
            }
        }
        if (live.isDue(now)) {
            publish(now);
        }
    }

    private void publish(long now) {
        long behindNanos = slots.isEmpty() ? 0 : schedule.behindNanos(now);
        live.publish(now, schedule.taken(), flying.size(), schedule.backlog(now), behindNanos, watch.silentNanos(now));
    }

    /** The latest time of the next iteration; now, if something is overdue. */
    private long nextTurnAt(long now) {
        boolean saturated = slots.isEmpty();
        long next = schedule.nextAt(now + napNanos(saturated), !saturated);
        next = flying.isEmpty() ? next : NanoClock.earlier(next, flying.firstAt());
        next = NanoClock.earlier(next, ends.nextAt());
        return next - now > 0 ? next : now;
    }

    private long napNanos(boolean saturated) {
        if (flying.isEmpty()) {
            return NAP_NANOS;
        }
        long fineNanos = Math.max(SHORTEST_NAP_NANOS, watch.usualNanos() / NAPS_IN_RESPONSE);
        return Math.min(fineNanos, saturated ? SATURATED_NAP_NANOS : NAP_NANOS);
    }

    /** Assigns a fate to every remaining request, so that the ledger can be checked. */
    private void settle(long now) {
        dispatching = true; // nothing more is sent for what has ended
        attempt(lane::end); // whatever breaks there, each request still gets its fate
        while (!flying.isEmpty()) {
            Exchange exchange = slots.of(flying.first());
            flying.remove(exchange.slot);
            stops.ended(exchange);
            books.inFlight(exchange, now);
        }
        Exchange unsent = slots.unsent();
        long sentUntil = schedule.couldSendAt(now);
        long planned = schedule.end(now, unsent, intendedAt -> {
            giveUp(unsent, intendedAt, backlog.dispatchedAt(intendedAt, sentUntil), now, now);
            books.neverSent(unsent, now);
        });
        books.end(now, planned);
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
        void end(long now, boolean last, ResponseGapDetector watch, OwnPauses stops, long fullSoFarNanos, Lane lane) {
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
                        stops.lateNanos());
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
        private long keptBeforeNanos;
        private long fullBeforeNanos;
        private long idleBeforeNanos;
        private long readAt;
        private long sinceNanos;

        OwnDelays(DelayTotals own, Lane lane, Backlog backlog, ResponseGapDetector watch, long now) {
            this.own = own;
            this.lane = lane;
            this.backlog = backlog;
            this.watch = watch;
            nothingWaits(now);
        }

        /** No request is waiting for a slot, so delays up to now cannot affect later requests. */
        void nothingWaits(long now) {
            keptBeforeNanos = own.keptNanos();
            fullBeforeNanos = backlog.fullNanos();
            idleBeforeNanos = lane.idleWhenFullNanos();
            readAt = now;
            sinceNanos = 0;
        }

        /**
         * The part of a finished wait for a slot that cannot be Downbeat's: nobody was answered, or this process was not
         * delayed.
         */
        long notOursNanos(long from, long to, long now) {
            long waitNanos = to - from;
            return Math.max(watch.silentNanos(from, to), waitNanos - ofWait(waitNanos, now));
        }

        /** The part, in nanoseconds, of a wait of this length ending now that may be Downbeat's. */
        private long ofWait(long waitNanos, long now) {
            if (now - readAt > FRESH_NANOS) {
                readAt = now;
                sinceNanos = isAtWork() ? Long.MAX_VALUE - FRESH_NANOS : own.keptNanos() - keptBeforeNanos;
            }
            return Math.min(waitNanos, sinceNanos + (now - readAt));
        }

        private boolean isAtWork() {
            long idleNanos = lane.idleWhenFullNanos() - idleBeforeNanos;
            long fullNanos = backlog.fullNanos() - fullBeforeNanos;
            return idleBeforeNanos >= 0
                    && fullNanos > FRESH_NANOS
                    && ProcessDelays.isNeverIdle(fullNanos - idleNanos, fullNanos);
        }
    }

    /** Signals all generators of a run to stop sending. Thread-safe. */
    static final class StopSign {
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
