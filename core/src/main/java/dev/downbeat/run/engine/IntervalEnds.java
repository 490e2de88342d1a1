package dev.downbeat.run.engine;

import dev.downbeat.exchange.Lane;
import dev.downbeat.record.recorder.AnswerWatch;
import dev.downbeat.selfcheck.OwnTime;
import dev.downbeat.selfcheck.StrainWatch;

/** Ends the intervals of one generator, each with what kept the generator from its work. Belongs to its thread. */
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
     * Ends an interval, if the collector has given its recorder back; the last in any case.
     *
     * @param fullSoFarNanos for how long no slot was free, since the start
     */
    void end(long now, boolean last, AnswerWatch watch, OwnStops stops, long fullSoFarNanos, Lane lane) {
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
