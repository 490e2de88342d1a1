package dev.downbeat.run.engine;

import dev.downbeat.exchange.Lane;
import dev.downbeat.record.recorder.AnswerWatch;
import dev.downbeat.selfcheck.OwnTime;
import dev.downbeat.selfcheck.StrainWatch;

/** Closes one generator's intervals, each with the generator's delays in it. Owned by the generator's thread. */
final class IntervalEnds {
    private final IntervalHandover handover;
    private final long intervalNanos;
    private final long startAt;
    private final StrainWatch strain;
    private long begunNanos;
    private long nextNanos;

    IntervalEnds(IntervalHandover handover, long intervalNanos, long startAt, OwnTime own) {
        this.handover = handover;
        this.intervalNanos = intervalNanos;
        this.startAt = startAt;
        this.strain = new StrainWatch(own);
        this.nextNanos = intervalNanos;
    }

    long nextAt() {
        return startAt + nextNanos;
    }

    boolean isDue(long now) {
        return now - startAt >= nextNanos;
    }

    /**
     * Closes an interval if the collector has returned the recorder; the last one always.
     *
     * @param fullSoFarNanos total time without a free slot
     */
    void end(long now, boolean last, AnswerWatch watch, OwnPauses stops, long fullSoFarNanos, Lane lane) {
        long nanos = now - startAt;
        boolean ended = handover.flip(
                nanos,
                last,
                lane.connections(),
                strain.next(
                        Math.max(1, nanos - begunNanos),
                        watch.takeSilentNanos(now),
                        watch.answers(),
                        fullSoFarNanos,
                        lane.idleWhenFullNanos(),
                        stops.lateNanos()));
        if (ended) {
            begunNanos = nanos;
        }
        nextNanos = (nanos / intervalNanos + 1) * intervalNanos;
    }
}
