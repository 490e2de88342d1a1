package dev.downbeat.run.engine;

import dev.downbeat.exchange.Lane;
import dev.downbeat.record.Strain;
import dev.downbeat.record.recorder.AnswerWatch;
import dev.downbeat.run.agenda.Backlog;
import dev.downbeat.selfcheck.OwnTime;

/**
 * How much of a wait for a slot may be ours. While this process was kept from its work nothing was read and nothing sent;
 * without that, all that waits in the same backlog would have gone on sooner by as much at most, however long it waited.
 * A loop that is at work all the time while requests wait may itself be what they wait for.
 *
 * <p>Belongs to the generator's thread; reads what the system tells once in a millisecond, and only while requests wait.
 */
final class OwnDelays {
    private static final long FRESH_NANOS = 1_000_000;

    private final OwnTime own;
    private final Lane lane;
    private final Backlog backlog;
    private final AnswerWatch watch;
    private long keptBeforeNanos;
    private long fullBeforeNanos;
    private long idleBeforeNanos;
    private long readAt;
    private long sinceNanos;

    OwnDelays(OwnTime own, Lane lane, Backlog backlog, AnswerWatch watch, long now) {
        this.own = own;
        this.lane = lane;
        this.backlog = backlog;
        this.watch = watch;
        nothingWaits(now);
    }

    /** No request waits for a slot: what this process was kept from up to now delays nobody who comes later. */
    void nothingWaits(long now) {
        keptBeforeNanos = own.keptNanos();
        fullBeforeNanos = backlog.fullNanos();
        idleBeforeNanos = lane.idleWhenFullNanos();
        readAt = now;
        sinceNanos = 0;
    }

    /** The part of a wait for a slot that has ended that cannot be ours: nobody was answered, or we were at hand. */
    long notOursNanos(long from, long to, long now) {
        long waitNanos = to - from;
        return Math.max(watch.silentNanos(from, to), waitNanos - ofWait(waitNanos, now));
    }

    /** Of a wait of this length that has ended by now, the part that may be for us, in nanoseconds. */
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
        return idleBeforeNanos >= 0 && fullNanos > FRESH_NANOS && Strain.isNeverIdle(fullNanos - idleNanos, fullNanos);
    }
}
