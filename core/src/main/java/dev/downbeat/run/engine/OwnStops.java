package dev.downbeat.run.engine;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.recorder.AnswerWatch;

/**
 * Notices when this process did not run although it had asked to (it was stopped, throttled, or got no processor) and works
 * out which requests that can have delayed.
 *
 * <p>A stop delays a request in three ways. It is sent late: the lateness says so. Its answer lies unread: for at most the
 * time since the loop last ran. And what left in a bunch after the stop queues ahead of it: while more requests are in
 * flight than usual. If every arrival at a queue comes at most d later, every end comes at most d later, so the longest stop
 * bounds the third part. Where requests wait for our slots, slots lie idle during each stop, and the stops add up. A service
 * may take what comes at once in any order: one that left in the bunch may have waited behind all others, beyond its lateness.
 *
 * <p>Belongs to the generator's thread; costs a few comparisons for each answer and each turn.
 */
final class OwnStops {
    /** Waits and turns that take longer than asked by more than this are stops. */
    static final long LEAST_NANOS = 200_000;

    /** A queue used to 95 % has worked off what a stop piled up in twenty times its length. */
    private static final int LONGEST_WAKE = 20;

    /** So many more prompt than slow services show that nothing is piled up. */
    private static final int PROMPT = 8;

    /** A service is prompt if it takes as long as usual, and this share more, as a power of two. */
    private static final int SLACK_BITS = 3;

    /** Of what is usual, as a power of two: so many requests count. */
    private static final int MOST_WEIGHT = 6;

    private static final int FRACTION_BITS = 8;

    private final AnswerWatch watch;

    /** When the loop ran last, and until when it wanted to sleep from then on. */
    private long ranAt;

    private long goesOnAt;

    /** The stop that the loop has just come out of; 0 if it has slept since. */
    private long justNanos;

    private long lastEndAt;
    private long lateNanos;
    private long answersBefore = -1;

    /** The longest stop since nothing was piled up, and all that may have piled up requests by now, as a sum. */
    private long longestNanos;

    private long piledNanos;
    private long overNanos;
    private boolean pilesUp;

    private long sends;
    private long usualInFlight;
    private long services;
    private long usualNanos;
    private int prompt;

    OwnStops(AnswerWatch watch, long now) {
        this.watch = watch;
        this.ranAt = now;
        this.goesOnAt = now;
    }

    /** The loop runs now; it should have since when it last ran, or since it was to be woken. */
    void runs(long now) {
        if (now - ranAt < 0) { // the stamp of another thread, or the run has not begun
            return;
        }
        if (now - goesOnAt > LEAST_NANOS) {
            lateNanos += now - goesOnAt;
            stopped(now - ranAt, now);
        }
        ranAt = now;
        goesOnAt = now;
    }

    /** It may have begun as early as the loop ran last: an answer that came before it would have ended the wait. */
    private void stopped(long nanos, long now) {
        boolean isOfBacklog = pilesUp && watch.answers() != answersBefore;
        long moreNanos = isOfBacklog ? nanos : Math.max(0, nanos - longestNanos);
        longestNanos = Math.max(longestNanos, nanos);
        if (piledNanos != overNanos) {
            piledNanos += moreNanos;
        }
        justNanos = nanos;
        lastEndAt = now;
        answersBefore = watch.answers();
        prompt = 0;
    }

    /** The loop is about to wait until then, if nothing happens. */
    void sleeps(long untilAt) {
        goesOnAt = untilAt;
        justNanos = 0;
    }

    /**
     * A request is being sent.
     *
     * @param inFlight how many others are
     * @param hasWaited whether it has waited for a slot
     */
    void sending(Exchange exchange, int inFlight, boolean hasWaited) {
        if (longestNanos == 0) {
            sends++;
            usualInFlight += (((long) inFlight << FRACTION_BITS) - usualInFlight) >> weight(sends);
        } else if (piledNanos == overNanos && (hasWaited || inFlight > usualInFlight())) {
            piledNanos += longestNanos;
        }
        exchange.piledBeforeNanos =
                piledNanos == overNanos || inFlight > usualInFlight() || hasWaited ? overNanos : piledNanos;
    }

    private long usualInFlight() {
        return (usualInFlight + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS;
    }

    private static int weight(long count) {
        return Math.min(MOST_WEIGHT, 63 - Long.numberOfLeadingZeros(count));
    }

    /** A request has ended or timed out: how much of its time may be for our stops. */
    void ended(Exchange exchange) {
        exchange.readLateNanos = Math.max(
                exchange.readLateNanos, Math.min(justNanos, Math.max(0, exchange.completedAt - exchange.startedAt)));
        exchange.piledUpNanos =
                Math.max(Math.max(0, piledNanos - exchange.piledBeforeNanos), outOfOrderNanos(exchange));
    }

    private long outOfOrderNanos(Exchange exchange) {
        long lateNanos = exchange.latenessNanos();
        long longerNanos = exchange.serviceNanos() - exchange.readLateNanos - usualNanos;
        boolean isOfBunch = lateNanos > LEAST_NANOS && longerNanos > 0;
        return isOfBunch ? lateNanos + Math.min(longestNanos, longerNanos) : 0;
    }

    /** A request that is not sent any more has waited for a slot. */
    void unsent(Exchange exchange) {
        exchange.piledUpNanos = piledNanos - overNanos;
    }

    /** The service has answered one: what is usual, and whether the queue that we made is gone. */
    void answered(Exchange exchange) {
        long nanos = exchange.serviceNanos();
        if (longestNanos == 0 || services == 0) {
            services++;
            usualNanos += (nanos - usualNanos) >> weight(services);
        } else if (exchange.intendedAt - lastEndAt > 0) { // it queued behind all that the stop held up
            boolean isPrompt = nanos <= usualNanos + (usualNanos >> SLACK_BITS);
            prompt += isPrompt ? 1 : prompt > 0 ? -1 : 0;
        }
    }

    /** A turn of the loop is over: {@code pilesUp} if something that is due has not been sent. */
    void turned(boolean nowPilesUp, int inFlight, long now) {
        pilesUp = nowPilesUp;
        if (longestNanos == 0 || pilesUp) {
            return;
        }
        if (inFlight <= usualInFlight() || prompt >= PROMPT || now - lastEndAt > LONGEST_WAKE * longestNanos) {
            overNanos = piledNanos;
            longestNanos = 0;
        }
    }

    /** By how much the loop ran later than it had asked to, in all. */
    long lateNanos() {
        return lateNanos;
    }
}
