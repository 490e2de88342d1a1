package dev.downbeat.run.agenda;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.run.RunPlan;
import java.util.function.LongConsumer;

/**
 * The intended times of one generator as instants: what is due, when the next one is, how much waits, when it is over, and how
 * many requests were meant to start. It never skips a time and never moves one. Belongs to the generator's thread.
 */
public final class DueRequests {
    /** What is in flight when a run is stopped has at most this long to finish: a stop must answer within a second. */
    private static final long STOP_DRAIN_NANOS = 400_000_000;

    /** How often the length of the backlog is looked at: to count it can cost as much as there are clients. */
    private static final long PEAK_NANOS = 1_000_000;

    private final RunPlan plan;
    private final Agenda agenda;
    private long startAt;

    /** Requests are meant to start before this; from the start of the run, like the one below. */
    private long endNanos;

    private long drainUntilNanos;
    private boolean stopping;
    private boolean stoppingUrgently;
    private long planned;
    private long nextPeakAt;
    private long peakBacklog;
    private long peakBacklogNanos;

    public DueRequests(RunPlan plan, int share) {
        this.plan = plan;
        this.agenda = Agendas.of(plan, plan.shareOf(share), plan.shares());
    }

    /** Fixes all times; before anything else. */
    public void startsAt(long runStartAt) {
        startAt = runStartAt;
        nextPeakAt = runStartAt;
        endNanos = plan.durationNanos();
        drainUntilNanos = endNanos == Agenda.NONE ? Agenda.NONE : endNanos + plan.drainNanos();
    }

    /**
     * Nothing more is meant to start.
     *
     * @param isUrgent whether what is in flight has a moment to finish, or as long as at the end of the plan
     */
    public void stop(long now, boolean isUrgent) {
        if (stopping && isUrgent == stoppingUrgently) {
            return;
        }
        stopping = true;
        stoppingUrgently = isUrgent;
        long nanos = now - startAt;
        endNanos = Math.min(endNanos, Math.max(0, nanos + 1)); // what is due now was meant to start
        drainUntilNanos = nanos + (isUrgent ? Math.min(plan.drainNanos(), STOP_DRAIN_NANOS) : plan.drainNanos());
    }

    public boolean isStopping() {
        return stopping;
    }

    /** Whether something is due that has not been taken. */
    public boolean isDue(long now) {
        return agenda.nextNanos() <= now - startAt;
    }

    /** Takes the next request and returns its intended time. */
    public long take(Exchange exchange) {
        return startAt + agenda.take(exchange);
    }

    /** Whether the request taken last waited for its predecessor in the same session, and not for the generator. */
    public boolean heldBack() {
        return agenda.heldBack();
    }

    /** A request that was taken has ended or timed out. */
    public void ended(Exchange exchange, long at) {
        agenda.ended(exchange, at - startAt);
    }

    /** Whether nothing more will be sent before a completion. */
    public boolean isExhausted() {
        return stopping || agenda.nextNanos() == Agenda.NONE;
    }

    /** Whether what is still in flight has had its time. */
    public boolean isDrained(long now) {
        return now - startAt >= drainUntilNanos;
    }

    /**
     * When something is to be done for the schedule's sake.
     *
     * @param at what is to be done at the latest anyway
     * @param canSend whether the next request can be sent when it is due
     */
    public long nextAt(long at, boolean canSend) {
        long next = at;
        if (canSend && !isExhausted()) {
            next = earlier(next, startAt + agenda.nextNanos());
        }
        return drainUntilNanos == Agenda.NONE ? next : earlier(next, startAt + drainUntilNanos);
    }

    /** How many requests have become due and have not been taken. */
    public long backlog(long now) {
        return agenda.backlogAt(plannedUntil(now));
    }

    /** How many requests have been taken. */
    public long taken() {
        return agenda.taken();
    }

    /** For how long the next request has been due, in nanoseconds; 0 if it is not. */
    public long behindNanos(long now) {
        return Math.max(0, plannedUntil(now) - agenda.nextNanos());
    }

    /** Up to which time requests have been meant to start. */
    private long plannedUntil(long now) {
        return Math.max(0, Math.min(now - startAt, endNanos));
    }

    /** How many requests were meant to start since the last call. */
    public long newlyPlanned(long now) {
        return plannedSince(agenda.taken() + backlog(now));
    }

    private long plannedSince(long soFar) {
        long since = soFar - planned;
        planned = soFar;
        return since;
    }

    /**
     * Gives up what was never taken.
     *
     * @param unsent says which request it is, each time
     * @param neverSent called with each intended time
     * @return how many requests were meant to start since {@link #newlyPlanned}, counted from the law of the workload
     */
    public long end(long now, Exchange unsent, LongConsumer neverSent) {
        long lastNanos = Math.min(endNanos, Math.max(0, now - startAt + 1)); // what is due now was meant to start
        agenda.leave(lastNanos, unsent, nanos -> neverSent.accept(startAt + nanos));
        return plannedSince(agenda.plannedBefore(lastNanos));
    }

    /** Looks how long the backlog is, now and then; while no slot is free. */
    public void watchBacklog(long now) {
        if (now - nextPeakAt >= 0) {
            nextPeakAt = now + PEAK_NANOS;
            long waiting = backlog(now);
            if (waiting > peakBacklog) {
                peakBacklog = waiting;
                peakBacklogNanos = now - startAt;
            }
        }
    }

    public long peakBacklog() {
        return peakBacklog;
    }

    /** When the backlog was longest, from the start of the run. */
    public long peakBacklogNanos() {
        return peakBacklogNanos;
    }

    /** The earlier of two instants, which may be far apart and of either sign. */
    public static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }
}
