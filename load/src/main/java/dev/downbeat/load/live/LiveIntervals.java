package dev.downbeat.load.live;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.NamedCounts;
import dev.downbeat.record.recorder.SharedRecorder;
import java.util.ArrayList;
import java.util.List;

/** Recorded data per second since the last take; after ten minutes in longer steps. Thread-safe. */
public final class LiveIntervals {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int MOST = 600;

    private final SharedRecorder recorder;
    private final NamedCounts names;
    private final OpenRequests open;
    private final List<Interval> intervals = new ArrayList<>();
    private long startAt;
    private long cutAt;
    private long stepNanos = SECOND_NANOS;
    private long ended;

    public LiveIntervals(SharedRecorder recorder, NamedCounts names, OpenRequests open, long startAt) {
        this.recorder = recorder;
        this.names = names;
        this.open = open;
        this.startAt = startAt;
        this.cutAt = startAt;
    }

    /** Closes the current interval if it is long enough. */
    public synchronized void cutIfDue(long nowAt) {
        if (nowAt - cutAt >= stepNanos) {
            cut(nowAt, drain());
        }
    }

    private Recording drain() {
        Recording counted = recorder.drain().withNames(names.drain());
        ended += counted.ledger().answered() + counted.ledger().failed();
        return counted;
    }

    private void cut(long nowAt, Recording counted) {
        intervals.add(new Interval(cutAt - startAt, nowAt - startAt, counted));
        cutAt = nowAt;
        if (intervals.size() > MOST) {
            halve();
        }
    }

    private void halve() {
        List<Interval> pairs = new ArrayList<>();
        for (int i = 0; i + 1 < intervals.size(); i += 2) {
            pairs.add(intervals.get(i).then(intervals.get(i + 1)));
        }
        if (intervals.size() % 2 == 1) {
            pairs.add(intervals.get(intervals.size() - 1));
        }
        intervals.clear();
        intervals.addAll(pairs);
        stepNanos *= 2;
    }

    /** The start of the next batch of intervals. */
    public synchronized long startAt() {
        return startAt;
    }

    /**
     * Returns and resets all intervals up to now.
     *
     * @param countsOpen whether every request was reported on arrival, so that unfinished ones are known
     */
    public synchronized Taken take(long nowAt, boolean countsOpen) {
        Recording last = drain();
        long[] oldestNanos = {0};
        if (countsOpen) {
            open.ages(nowAt, recorder.arrivals() - ended, ageNanos -> {
                recorder.unfinished(ageNanos);
                oldestNanos[0] = Math.max(oldestNanos[0], ageNanos);
            });
            last = last.plus(drain());
        }
        cut(nowAt, last);
        Taken taken = new Taken(startAt, nowAt - oldestNanos[0], List.copyOf(intervals));
        intervals.clear();
        startAt = nowAt;
        stepNanos = SECOND_NANOS;
        return taken;
    }

    /**
     * The intervals taken.
     *
     * @param startAt start of the first interval
     * @param oldestAt arrival of the oldest unfinished request; the end if there is none
     * @param intervals at least one
     */
    public record Taken(long startAt, long oldestAt, List<Interval> intervals) {
        public Recording total() {
            return intervals.stream().map(Interval::recording).reduce(Recording.empty(), Recording::plus);
        }
    }
}
