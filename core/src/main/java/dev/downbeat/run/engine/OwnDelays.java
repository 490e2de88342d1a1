package dev.downbeat.run.engine;

import dev.downbeat.exchange.Lane;
import dev.downbeat.record.Strain;
import dev.downbeat.record.recorder.AnswerWatch;
import dev.downbeat.run.agenda.Backlog;
import dev.downbeat.selfcheck.OwnTime;

/**
 * Estimates the part of a wait for a slot that may be Downbeat's. While this process was delayed, nothing was read or
 * sent. Without the delay, every request in the same backlog would have proceeded earlier by at most that much, however
 * long its wait. A loop that is constantly busy while requests wait may itself be what they wait for.
 *
 * <p>Owned by the generator's thread. It queries the system once per millisecond, and only while requests wait.
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
        return idleBeforeNanos >= 0 && fullNanos > FRESH_NANOS && Strain.isNeverIdle(fullNanos - idleNanos, fullNanos);
    }
}
