package dev.downbeat.run.engine;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.run.agenda.Backlog;

/**
 * Detects when this process failed to run on time (paused, throttled, or without a processor), and computes which
 * requests that can have delayed.
 *
 * <p>A pause delays a request in three ways. First, it is sent late; this is its lateness. Second, its response lies
 * unread, at most since the loop last ran. Third, requests sent in a bunch after the pause queue ahead of it, as long
 * as more requests than usual are in flight. If every arrival at a queue is late by at most d, so is every departure,
 * so the longest pause bounds the third part. Where requests wait for Downbeat's slots, slots are idle during each
 * pause and the pauses add up. A service may process a bunch in any order, so a request in the bunch may have waited
 * behind all others, beyond its lateness.
 *
 * <p>Owned by the generator's thread; costs a few comparisons per response and per iteration.
 */
final class OwnPauses {
    /** Waits and iterations that exceed their time by more than this are pauses. */
    static final long LEAST_NANOS = Backlog.PAUSE_NANOS;

    /** A queue at 95 % utilisation clears the effect of a pause within twenty times its length. */
    private static final int LONGEST_EFFECT = 20;

    /** An excess of this many prompt over slow services shows that the bunch has cleared. */
    private static final int PROMPT = 8;

    /** A service is prompt if it takes at most the usual time plus this fraction, as a power of two. */
    private static final int SLACK_BITS = 3;

    /** The weight of history in the usual time, as a power of two. */
    private static final int MOST_WEIGHT = 6;

    private static final int FRACTION_BITS = 8;

    private final ResponseGapDetector watch;

    /** When the loop last ran, and until when it then intended to sleep. */
    private long ranAt;

    private long sleepsUntilAt;

    /** The pause that the loop has just left; 0 if it has slept since. */
    private long lastPauseNanos;

    private long lastEndAt;
    private long lateNanos;
    private long answersAtPause = -1;

    /** The longest pause since the last bunch cleared, and the sum of all that may still affect requests. */
    private long longestNanos;

    private long catchUpNanos;
    private long clearedNanos;
    private boolean hasBacklog;

    private long sends;
    private long typicalInFlight;
    private long services;
    private long typicalNanos;
    private int prompt;

    OwnPauses(ResponseGapDetector watch, long now) {
        this.watch = watch;
        this.ranAt = now;
        this.sleepsUntilAt = now;
    }

    /** The loop is running. It should have been since its last run, or since its wake-up time. */
    void runs(long now) {
        if (now - ranAt < 0) { // a time stamp of another thread, or the run has not started
            return;
        }
        if (now - sleepsUntilAt > LEAST_NANOS) {
            lateNanos += now - sleepsUntilAt;
            paused(now - ranAt, now);
        }
        ranAt = now;
        sleepsUntilAt = now;
    }

    /** The pause may have started at the loop's last run, because an earlier response would have ended the wait. */
    private void paused(long nanos, long now) {
        boolean isOfBacklog = hasBacklog && watch.answers() != answersAtPause;
        long moreNanos = isOfBacklog ? nanos : Math.max(0, nanos - longestNanos);
        longestNanos = Math.max(longestNanos, nanos);
        if (catchUpNanos != clearedNanos) {
            catchUpNanos += moreNanos;
        }
        lastPauseNanos = nanos;
        lastEndAt = now;
        answersAtPause = watch.answers();
        prompt = 0;
    }

    /** The loop is about to wait until then, unless an event arrives. */
    void sleeps(long untilAt) {
        sleepsUntilAt = untilAt;
        lastPauseNanos = 0;
    }

    /** A request is being sent, with this many others in flight; it may have waited for a slot. */
    void sending(Exchange exchange, int inFlight, boolean hasWaited) {
        if (longestNanos == 0) {
            sends++;
            typicalInFlight += (((long) inFlight << FRACTION_BITS) - typicalInFlight) >> weight(sends);
        } else if (catchUpNanos == clearedNanos && (hasWaited || inFlight > typicalInFlight())) {
            catchUpNanos += longestNanos;
        }
        exchange.catchUpBeforeNanos =
                catchUpNanos == clearedNanos || inFlight > typicalInFlight() || hasWaited ? clearedNanos : catchUpNanos;
    }

    private long typicalInFlight() {
        return (typicalInFlight + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS;
    }

    private static int weight(long count) {
        return Math.min(MOST_WEIGHT, 63 - Long.numberOfLeadingZeros(count));
    }

    /** A request ended or timed out: computes how much of its time may be due to pauses. */
    void ended(Exchange exchange) {
        exchange.readLateNanos = Math.max(
                exchange.readLateNanos,
                Math.min(lastPauseNanos, Math.max(0, exchange.completedAt - exchange.startedAt)));
        exchange.catchUpNanos =
                Math.max(Math.max(0, catchUpNanos - exchange.catchUpBeforeNanos), outOfOrderNanos(exchange));
    }

    private long outOfOrderNanos(Exchange exchange) {
        long lateNanos = exchange.latenessNanos();
        long longerNanos = exchange.serviceNanos() - exchange.readLateNanos - typicalNanos;
        boolean isOfBunch = lateNanos > LEAST_NANOS && longerNanos > 0;
        return isOfBunch ? lateNanos + Math.min(longestNanos, longerNanos) : 0;
    }

    /** An unsent request has finished waiting for a slot. */
    void unsent(Exchange exchange) {
        exchange.catchUpNanos = catchUpNanos - clearedNanos;
    }

    /** The service answered a request: updates the usual time and checks whether the bunch has cleared. */
    void answered(Exchange exchange) {
        long nanos = exchange.serviceNanos();
        if (longestNanos == 0 || services == 0) {
            services++;
            typicalNanos += (nanos - typicalNanos) >> weight(services);
        } else if (exchange.intendedAt - lastEndAt > 0) { // it queued behind everything that the pause delayed
            boolean isPrompt = nanos <= typicalNanos + (typicalNanos >> SLACK_BITS);
            prompt += isPrompt ? 1 : prompt > 0 ? -1 : 0;
        }
    }

    /** A loop iteration ended, with or without a backlog of due requests. */
    void endTurn(boolean hasBacklogNow, int inFlight, long now) {
        hasBacklog = hasBacklogNow;
        if (longestNanos == 0 || hasBacklog) {
            return;
        }
        if (inFlight <= typicalInFlight() || prompt >= PROMPT || now - lastEndAt > LONGEST_EFFECT * longestNanos) {
            clearedNanos = catchUpNanos;
            longestNanos = 0;
        }
    }

    /** The loop's total oversleep. */
    long lateNanos() {
        return lateNanos;
    }
}
