package dev.downbeat.load.live;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.NamedCounts;
import dev.downbeat.record.recorder.SharedRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

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
            return Recording.sum(intervals.stream().map(Interval::recording).toList());
        }
    }

    /**
     * Ages of unfinished requests, to a tenth of a second. Requests are counted per tenth of a second of arrival; those
     * older than {@link #REACH_NANOS} count as younger. Each age is therefore a lower bound.
     *
     * <p>Thread-safe and lock-free; a request costs two atomic additions.
     */
    public static final class OpenRequests {
        private static final long TENTH_NANOS = 100_000_000;
        private static final int TENTHS = 1 << 10;
        private static final int COPIES = 4;

        /** The maximum age that is distinguished. */
        static final long REACH_NANOS = TENTHS * TENTH_NANOS;

        private final long startAt;
        private final AtomicLongArray counts = new AtomicLongArray(COPIES * TENTHS);

        public OpenRequests(long startAt) {
            this.startAt = startAt;
        }

        private long tenth(long at) {
            return Math.floorDiv(at - startAt, TENTH_NANOS);
        }

        private int place(long at) {
            int copy = (int) Thread.currentThread().getId() & (COPIES - 1);
            return copy * TENTHS + (int) (tenth(at) & (TENTHS - 1));
        }

        public void arrived(long at) {
            counts.getAndIncrement(place(at));
        }

        /** A request that arrived then has ended. */
        public void ended(long arrivedAt) {
            counts.getAndDecrement(place(arrivedAt));
        }

        /**
         * Reports a lower bound on each request's age, the youngest first.
         *
         * @param most the actual number of unfinished requests, in case requests are ended with a time other than their
         *     arrival
         */
        void ages(long nowAt, long most, LongConsumer ageNanos) {
            long left = most;
            long now = tenth(nowAt);
            for (int ago = 0; ago < TENTHS; ago++) {
                int slot = (int) ((now - ago) & (TENTHS - 1));
                long open = 0;
                for (int copy = 0; copy < COPIES; copy++) {
                    open += counts.get(copy * TENTHS + slot);
                }
                long youngestNanos = Math.max(0, nowAt - startAt - (now - ago + 1) * TENTH_NANOS);
                for (; open > 0 && left > 0; open--, left--) {
                    ageNanos.accept(youngestNanos);
                }
            }
            for (; left > 0; left--) {
                ageNanos.accept(0);
            }
        }
    }
}
