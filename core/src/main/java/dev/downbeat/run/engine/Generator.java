package dev.downbeat.run.engine;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.record.recorder.AnswerWatch;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Saturation;
import dev.downbeat.run.agenda.Backlog;
import dev.downbeat.run.agenda.DueRequests;
import dev.downbeat.selfcheck.OwnTime;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One thread that keeps a share of the schedule: sends what is due, ends what is overdue, lets the lane handle what has
 * arrived, and waits for the next of these. It never skips an intended time and never waits for a completion.
 *
 * <p>Everything here belongs to that thread, but for {@link #live}.
 */
final class Generator implements Exchange.Listener {
    /** The longest nap: how long a stop may go unnoticed. */
    private static final long NAP_NANOS = 10_000_000;

    /** The longest nap while requests are in flight, as a share of what a response usually takes: a stop may hide in a nap. */
    private static final int NAPS_IN_RESPONSE = 16;

    private static final long SHORTEST_NAP_NANOS = 1_000_000;

    /** The longest nap while requests wait for a slot: how finely our own pauses are told from theirs. */
    private static final long SATURATED_NAP_NANOS = 2_000_000;

    /** The longest time spent on sending before everything else is looked after. */
    private static final long TURN_NANOS = 1_000_000;

    private final RunPlan plan;
    private final Target target;
    private final NanoClock clock;
    private final DueRequests schedule;
    private final IntervalHandover handover;
    private final StopSign stop;
    private final LiveCounts live = new LiveCounts();
    private final Backlog backlog = new Backlog();
    private final AnswerWatch watch = new AnswerWatch();
    private final GeneratorAccounts books;
    private final Lane lane;
    private final FreeSlots slots;
    private final Deadlines flying;
    private IntervalEnds ends;
    private OwnDelays kept;
    private OwnStops stops;
    private long endedAt;

    /** When the loop wants to go on at the latest. */
    private long askedFor;

    /** Whether a send is under way, from within which a target may tell the end of the request. */
    private boolean dispatching;

    private @Nullable Throwable failure;

    /**
     * Opens its way to the target.
     *
     * @param share which of the generators of this process
     * @throws IOException if the target cannot be reached; its message is one clear line
     */
    Generator(RunPlan plan, int share, Target target, NanoClock clock, IntervalHandover handover, StopSign stop)
            throws IOException {
        this.plan = plan;
        this.target = target;
        this.clock = clock;
        this.schedule = new DueRequests(plan, share);
        this.handover = handover;
        this.stop = stop;
        this.ends = new IntervalEnds(handover, plan.intervalNanos(), 0, OwnTime.IDEAL);
        this.lane = target.open(plan.shareOf(share), plan.shares(), clock, this);
        this.kept = new OwnDelays(OwnTime.IDEAL, lane, backlog, watch, 0);
        this.stops = new OwnStops(watch, 0);
        this.slots = new FreeSlots(lane.capacity());
        this.flying = new Deadlines(slots.all());
        this.books = new GeneratorAccounts(plan, share, target, handover, watch);
    }

    /** Its way to the target, to be closed by whoever made this. */
    Lane lane() {
        return lane;
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

    /** How long the backlog was, among others; after {@link #run}. */
    DueRequests schedule() {
        return schedule;
    }

    /** How long no slot was free, and how much of that time this thread was busy. */
    Saturation saturation() {
        return backlog.saturation(lane.idleWhenFullNanos());
    }

    /** What became of the requests; after {@link #run}. */
    GeneratorAccounts books() {
        return books;
    }

    /** When the last request had ended, or timed out; after {@link #run}. */
    long endedAt() {
        return endedAt;
    }

    /** Keeps the schedule from {@code startAt} on until all is over. */
    void run(long startAt, OwnTime own) {
        ends = new IntervalEnds(handover, plan.intervalNanos(), startAt, own);
        kept = new OwnDelays(own, lane, backlog, watch, startAt);
        stops = new OwnStops(watch, startAt);
        handover.startsAt(startAt);
        watch.startsAt(startAt);
        watch.mayIdle(target.longestIdleNanos());
        books.keeper().startsAt(startAt);
        schedule.startsAt(startAt);
        attempt(() -> loop(startAt));
        endedAt = clock.nanoTime();
        attempt(() -> settle(endedAt));
        books.closed(endedAt);
        ends.end(endedAt, true, watch, stops, backlog.fullNanos(), lane); // whatever broke: its reader waits for it
    }

    private void attempt(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error broken) {
            failure = failure == null ? broken : failure;
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
                lane.poll(now); // what has come while we were paused must not time out as overdue
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
            if (schedule.isDrained(now) || (flying.isEmpty() && schedule.isExhausted())) {
                return;
            }
            askedFor = nextTurnAt(now);
            stops.sleeps(askedFor);
            lane.poll(askedFor);
        }
    }

    private void turned(boolean unfinished, long now) {
        stops.runs(now);
        stops.turned(unfinished, flying.size(), now);
        backlog.turned(slots.isEmpty() || (backlog.isSaturated() && unfinished), now);
    }

    /** On a thread of the client, which has done a turn while the loop sleeps. */
    @Override
    public boolean letsSleep() {
        long now = clock.nanoTime();
        turned(schedule.isDue(now), now);
        long polledUntil = askedFor;
        askedFor = nextTurnAt(now);
        stops.sleeps(askedFor);
        return askedFor - polledUntil >= 0 && !(flying.isEmpty() && schedule.isExhausted());
    }

    /**
     * Sends what is due, as long as a slot is free. Each send has a clock reading of its own, since it takes time; what
     * becomes due meanwhile waits for the next turn, so that responses are looked after in between. A turn is bounded in
     * time: a target that answers within the send, at a rate we cannot keep, would else make each turn longer than the
     * last.
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
        return schedule.isDue(turnAt) && !slots.isEmpty();
    }

    private void send(long now) {
        Exchange exchange = slots.take();
        long intendedAt = schedule.take(exchange);
        exchange.name = target.nameOf(exchange);
        exchange.begin(intendedAt, dispatchedAt(intendedAt, now), now);
        if (exchange.dispatchedAt != now) {
            exchange.stalledNanos = kept.notOursNanos(exchange.dispatchedAt, now, now);
        }
        stops.sending(exchange, flying.size(), exchange.dispatchedAt != now);
        books.took(exchange);
        exchange.deadlineAt = deadlineAt(exchange);
        flying.add(exchange, exchange.deadlineAt);
        lane.send(exchange);
    }

    private long dispatchedAt(long intendedAt, long now) {
        return schedule.heldBack() ? intendedAt : backlog.dispatchedAt(intendedAt, now);
    }

    private long deadlineAt(Exchange exchange) {
        long from = plan.timeoutFrom() == RunPlan.TimeoutFrom.INTENDED ? exchange.intendedAt : exchange.startedAt;
        return from + plan.timeoutNanos();
    }

    @Override
    public void completed(Exchange exchange) {
        long deadlineAt = flying.at(exchange);
        flying.remove(exchange);
        stops.runs(exchange.completedAt);
        stops.ended(exchange);
        stops.answered(exchange);
        books.completed(exchange, deadlineAt, !flying.isEmpty() || schedule.isDue(exchange.completedAt));
        release(exchange, exchange.completedAt);
        if (!dispatching && !schedule.isStopping()) {
            dispatch(exchange.completedAt); // now, not after all others that have arrived with it
        }
    }

    private void release(Exchange exchange, long at) {
        schedule.ended(exchange, at);
        slots.give(exchange);
    }

    /** Gives up what has passed its deadline in flight. */
    private void expire(long now) {
        while (!flying.isEmpty() && now - flying.firstAt() >= 0) {
            Exchange exchange = flying.first();
            long deadlineAt = flying.firstAt();
            if (!lane.abandonUnlessEnded(exchange)) {
                lane.poll(now);
                continue;
            }
            flying.remove(exchange);
            stops.ended(exchange);
            books.timedOut(exchange, deadlineAt, !flying.isEmpty() || schedule.isDue(now));
            release(exchange, deadlineAt);
        }
    }

    /** What has waited for a slot past its deadline is not sent any more. */
    private void expireUnsent(long now) {
        if (plan.timeoutFrom() != RunPlan.TimeoutFrom.INTENDED) {
            return;
        }
        Exchange unsent = slots.unsent();
        while (schedule.isDue(now - plan.timeoutNanos())) {
            long intendedAt = schedule.take(unsent);
            long deadlineAt = intendedAt + plan.timeoutNanos();
            giveUp(unsent, intendedAt, dispatchedAt(intendedAt, now), deadlineAt, now);
            books.timedOutUnsent(unsent, deadlineAt);
            schedule.ended(unsent, deadlineAt);
        }
    }

    /** Takes down what is known of a request that is not sent, whose wait for a slot ended then. */
    private void giveUp(Exchange unsent, long intendedAt, long dispatchedAt, long endAt, long now) {
        unsent.name = target.nameOf(unsent);
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

    /** When the loop must turn again at the latest; now, if something is overdue. */
    private long nextTurnAt(long now) {
        boolean saturated = slots.isEmpty();
        long next = schedule.nextAt(now + napNanos(saturated), !saturated);
        next = flying.isEmpty() ? next : DueRequests.earlier(next, flying.firstAt());
        next = DueRequests.earlier(next, ends.nextAt());
        return next - now > 0 ? next : now;
    }

    private long napNanos(boolean saturated) {
        if (flying.isEmpty()) {
            return NAP_NANOS;
        }
        long fineNanos = Math.max(SHORTEST_NAP_NANOS, watch.usualNanos() / NAPS_IN_RESPONSE);
        return Math.min(fineNanos, saturated ? SATURATED_NAP_NANOS : NAP_NANOS);
    }

    /** Gives every request that is left its fate, so that the ledger can be checked. */
    private void settle(long now) {
        dispatching = true; // nothing more is sent for what has ended
        lane.end();
        while (!flying.isEmpty()) {
            Exchange exchange = flying.first();
            flying.remove(exchange);
            stops.ended(exchange);
            books.inFlight(exchange, now);
        }
        Exchange unsent = slots.unsent();
        long planned = schedule.end(now, unsent, intendedAt -> {
            giveUp(unsent, intendedAt, backlog.dispatchedAt(intendedAt, now), now, now);
            books.neverSent(unsent, now);
        });
        books.end(now, planned);
        publish(now);
    }
}
