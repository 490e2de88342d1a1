package dev.downbeat.load.live;

import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.NamedCounts;
import dev.downbeat.record.recorder.SharedRecorder;
import dev.downbeat.time.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/** Recorded data per second since the last take; see {@link IntervalTimeline} for long ones. Thread-safe. */
public final class LiveIntervals {
    private static final long SECOND_NANOS = 1_000_000_000;

    private final SharedRecorder recorder;
    private final NamedCounts names;
    private final OpenRequests open;
    private IntervalTimeline intervals = new IntervalTimeline();
    private long startAt;
    private long closedAt;

    public LiveIntervals(SharedRecorder recorder, NamedCounts names, OpenRequests open, long startAt) {
        this.recorder = recorder;
        this.names = names;
        this.open = open;
        this.startAt = startAt;
        this.closedAt = startAt;
    }

    /** Closes the current interval if its second is over. Seconds count from the start, so that late calls do not add up. */
    public synchronized void closeIfDue(long nowAt) {
        if ((nowAt - startAt) / SECOND_NANOS > (closedAt - startAt) / SECOND_NANOS) {
            close(nowAt, drain());
        }
    }

    /** Named requests are counted only by name, so the total always includes them. */
    private Recording drain() {
        Map<String, Recording> named = names.drain();
        List<Recording> all = new ArrayList<>(named.values());
        all.add(recorder.drain());
        return Recording.sum(all).withNames(named);
    }

    private void close(long nowAt, Recording counted) {
        intervals.add(new Interval(closedAt - startAt, nowAt - startAt, counted));
        closedAt = nowAt;
    }

    public synchronized long startAt() {
        return startAt;
    }

    /**
     * Returns and resets all intervals up to now, which is read here, since the monitor may close one while this waits.
     *
     * @param unfinished records an open request
     */
    public synchronized Taken take(NanoClock clock, Unfinished unfinished) {
        long nowAt = clock.nanoTime();
        Recording last = drain();
        long[] oldestNanos = {0};
        open.ages(nowAt, ageNanos -> {
            unfinished.accept(nowAt - ageNanos, nowAt);
            oldestNanos[0] = Math.max(oldestNanos[0], ageNanos);
        });
        close(nowAt, last.plus(drain()));
        recorder.forgetReasons(); // otherwise a service that once had many could never report a new one
        names.forgetReasons();
        Taken taken = new Taken(startAt, nowAt, nowAt - oldestNanos[0], intervals.intervals());
        intervals = new IntervalTimeline();
        startAt = nowAt;
        return taken;
    }

    @FunctionalInterface
    public interface Unfinished {
        /** A request, at least as old as this, was open at {@code seenAt}. */
        void accept(long intendedAt, long seenAt);
    }

    /**
     * The intervals taken.
     *
     * @param startAt start of the first interval
     * @param endAt end of the last one
     * @param oldestAt arrival of the oldest unfinished request; the end if there is none
     * @param intervals at least one
     */
    public record Taken(long startAt, long endAt, long oldestAt, List<Interval> intervals) {
        public Recording total() {
            return Interval.sum(intervals);
        }
    }

    /**
     * Ages of unfinished requests, to a tenth of a second. Requests are counted per tenth of a second of arrival; those
     * older than 960 tenths count as younger. Each age is therefore a lower bound.
     *
     * <p>Thread-safe and lock-free; a request costs two atomic additions.
     */
    public static final class OpenRequests {
        private static final long TENTH_NANOS = 100_000_000;
        private static final int TENTHS = 1 << 10;
        /** Requests go on arriving while the ages are read, which a pause of this machine may prolong. */
        private static final int LATER_TENTHS = 1 << 6;

        private static final int COPIES = 4;

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

        /** A request that arrived then has ended. To be called before its end is recorded, so that none counts twice. */
        public void ended(long arrivedAt) {
            counts.getAndDecrement(place(arrivedAt));
        }

        /** Reports a lower bound on each open request's age, youngest first, even if some ended with another arrival time. */
        void ages(long nowAt, LongConsumer ageNanos) {
            long left = count();
            long now = tenth(nowAt);
            for (int ago = -LATER_TENTHS; ago < TENTHS - LATER_TENTHS; ago++) {
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
        }

        private long count() {
            long sum = 0;
            for (int i = 0; i < COPIES * TENTHS; i++) {
                sum += counts.get(i);
            }
            return sum;
        }
    }
}
