package dev.downbeat.load.live;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.recorder.NamedCounts;
import dev.downbeat.record.recorder.SharedRecorder;
import dev.downbeat.time.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

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
     * Requests that were open at the last take already are only counted, since their ages were in its intervals.
     */
    public synchronized Taken take(NanoClock clock, DelaySoFar ownDelay) {
        long nowAt = clock.nanoTime();
        Recording ended = drain(); // before the open requests are counted: one that ends in between counts next time
        LongStream.Builder ages = LongStream.builder();
        LongStream.Builder withoutOwnDelay = LongStream.builder();
        long[] oldestNanos = {0};
        OpenCounts counts = open.count(nowAt, ageNanos -> {
            ages.add(ageNanos);
            withoutOwnDelay.add(ageNanos - ownDelay.nanos(nowAt - ageNanos, nowAt));
            oldestNanos[0] = Math.max(oldestNanos[0], ageNanos);
        });
        Distribution stillOpen = Distribution.of(ages.build());
        close(nowAt, ended.plus(unfinished(stillOpen, Distribution.of(withoutOwnDelay.build()))));
        recorder.forgetReasons(); // otherwise a service that once had many could never report a new one
        names.forgetReasons();
        Taken taken = new Taken(startAt, nowAt, nowAt - oldestNanos[0], intervals.intervals(), stillOpen, counts);
        intervals = new IntervalTimeline();
        startAt = nowAt;
        return taken;
    }

    private static Recording unfinished(Distribution ages, Distribution withoutOwnDelay) {
        Distribution none = Distribution.empty();
        return Recording.of(
                new Ledger(ages.count(), 0, 0, 0, 0, ages.count(), 0),
                new ResponseTimes(none, none, none, none, ages, withoutOwnDelay, none),
                OutcomeCounts.NONE);
    }

    @FunctionalInterface
    public interface DelaySoFar {
        /** Upper bound on a generator's own share of the age of a request that was open at {@code seenAt}. */
        long nanos(long intendedAt, long seenAt);
    }

    /**
     * The intervals taken.
     *
     * @param startAt start of the first interval
     * @param endAt end of the last one
     * @param oldestAt arrival of the oldest unfinished request that began in them; the end if there is none
     * @param intervals at least one
     * @param stillOpen ages of the unfinished requests that began in them
     * @param counts of the unfinished requests that began before
     */
    public record Taken(
            long startAt,
            long endAt,
            long oldestAt,
            List<Interval> intervals,
            Distribution stillOpen,
            OpenCounts counts) {
        public Recording total() {
            return Interval.sum(intervals);
        }
    }

    /**
     * Requests that were open at the last take.
     *
     * @param before all of them
     * @param still those still open
     */
    public record OpenCounts(long before, long still) {}

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

        /** The open requests of each tenth at the last count. */
        private final long[] counted = new long[TENTHS];

        private long openAtLastCount;

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

        /**
         * Counts the open requests, and reports a lower bound on the age of each that was not open at the last count,
         * youngest first, even if some ended with another arrival time. One that took the place of another of its tenth
         * counts as that one. One thread at a time may count.
         */
        OpenCounts count(long nowAt, LongConsumer ageNanos) {
            long[] seen = seen();
            long left = Math.max(0, LongStream.of(seen).sum());
            long now = tenth(nowAt);
            long before = openAtLastCount;
            openAtLastCount = left;
            long still = 0;
            for (int ago = -LATER_TENTHS; ago < TENTHS - LATER_TENTHS; ago++) {
                int slot = (int) ((now - ago) & (TENTHS - 1));
                long open = Math.max(0, Math.min(seen[slot], left));
                left -= open;
                long known = Math.min(open, counted[slot]);
                still += known;
                counted[slot] = Math.max(0, seen[slot]);
                long youngestNanos = Math.max(0, nowAt - startAt - (now - ago + 1) * TENTH_NANOS);
                for (long i = known; i < open; i++) {
                    ageNanos.accept(youngestNanos);
                }
            }
            return new OpenCounts(before, Math.min(before, still));
        }

        /** By tenth. */
        private long[] seen() {
            long[] seen = new long[TENTHS];
            for (int i = 0; i < COPIES * TENTHS; i++) {
                seen[i & (TENTHS - 1)] += counts.get(i);
            }
            return seen;
        }
    }
}
