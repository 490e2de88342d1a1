package dev.downbeat.cli.job;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.RecordingSum;
import dev.downbeat.run.Progress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The counts of a run so far, without data that only complete runs need. Written by the run's thread, read by the
 * painter's.
 */
public final class RunCounts implements Progress {
    /** The number of recent seconds in the screen's histogram. */
    static final int RECENT_SECONDS = 5;

    private static final long SECOND_NANOS = 1_000_000_000;

    /** An interval ends a little before or after the planned instant. */
    private static final long TOLERANCE_NANOS = 50_000_000;

    private final RecordingSum seconds = new RecordingSum();
    private final RecordingSum open = new RecordingSum();
    private long openNanos;
    private long nextSecondNanos = SECOND_NANOS;
    private Recording last = Recording.empty();
    private long lastNanos;
    private long lastEndNanos;
    private long worstBehindNanos;
    private Peaks peaks = Peaks.NONE;
    private final Deque<Distribution> recentResponses = new ArrayDeque<>();

    /**
     * The counts at one moment.
     *
     * @param total counts up to the end of the last interval
     * @param last counts of the last whole second, or of the last interval if that is longer
     * @param lastNanos its length
     * @param lastEndNanos its end, from the start of the run
     * @param worstBehindNanos maximum delay of the generator
     * @param peaks of all whole seconds
     * @param recentResponses response times of the last {@value #RECENT_SECONDS} of them
     */
    public record Snapshot(
            Recording total,
            Recording last,
            long lastNanos,
            long lastEndNanos,
            long worstBehindNanos,
            Peaks peaks,
            Distribution recentResponses) {
        public static final Snapshot NOTHING =
                new Snapshot(Recording.empty(), Recording.empty(), 0, 0, 0, Peaks.NONE, Distribution.empty());

        public Snapshot plus(Snapshot other) {
            return new Snapshot(
                    total.plus(other.total),
                    last.plus(other.last),
                    Math.max(lastNanos, other.lastNanos),
                    Math.max(lastEndNanos, other.lastEndNanos),
                    Math.max(worstBehindNanos, other.worstBehindNanos),
                    peaks.plus(other.peaks),
                    recentResponses.plus(other.recentResponses));
        }

        public Snapshot with(Recording whole) {
            return new Snapshot(whole, last, lastNanos, lastEndNanos, worstBehindNanos, peaks, recentResponses);
        }
    }

    @Override
    public synchronized void interval(Interval interval) {
        Recording now = interval.recording().forTimeline();
        worstBehindNanos = Math.max(worstBehindNanos, now.lateness().maxNanos());
        open.add(now);
        openNanos += interval.lengthNanos();
        if (interval.endNanos() >= nextSecondNanos - TOLERANCE_NANOS) {
            nextSecondNanos = (interval.endNanos() + TOLERANCE_NANOS) / SECOND_NANOS * SECOND_NANOS + SECOND_NANOS;
            last = open.take();
            seconds.add(last);
            lastNanos = openNanos;
            lastEndNanos = interval.endNanos();
            peaks = peaks.plus(Peaks.of(
                    nextSecondNanos / SECOND_NANOS - 2, last.responseAtLeast().maxNanos()));
            recentResponses.addLast(last.responseAtLeast());
            if (recentResponses.size() > RECENT_SECONDS) {
                recentResponses.removeFirst();
            }
            openNanos = 0;
        }
    }

    public synchronized Snapshot snapshot() {
        Recording total = Recording.sum(List.of(seconds.total(), open.total()));
        return new Snapshot(total, last, lastNanos, lastEndNanos, worstBehindNanos, peaks, recentResponses());
    }

    /** The total up to the last whole second, which all shards have in common. */
    public synchronized Snapshot snapshotOfSeconds() {
        return new Snapshot(seconds.total(), last, lastNanos, lastEndNanos, worstBehindNanos, peaks, recentResponses());
    }

    private Distribution recentResponses() {
        return Distribution.sum(List.copyOf(recentResponses));
    }

    /**
     * The longest response time of each of the most recent seconds, as many as a screen is wide, and the longest of
     * all. Immutable.
     *
     * @param seconds number of seconds so far
     * @param recent maxima of the most recent seconds, in nanoseconds; 0 for a second without a response
     * @param worstNanos the longest of all
     * @param worstAt the second of the longest
     */
    record Peaks(long seconds, List<Long> recent, long worstNanos, long worstAt) {
        public static final Peaks NONE = new Peaks(0, List.of(), 0, 0);

        static final int MOST = 200;

        public Peaks {
            recent = List.copyOf(recent);
        }

        /** The maximum of one second, counted from 0. */
        static Peaks of(long second, long nanos) {
            return new Peaks(second + 1, List.of(nanos), nanos, second);
        }

        /** Combines both, second by second. */
        Peaks plus(Peaks other) {
            long longer = Math.max(seconds, other.seconds);
            List<Long> both = LongStream.range(Math.max(0, longer - MOST), longer)
                    .map(second -> Math.max(at(second), other.at(second)))
                    .boxed()
                    .toList();
            boolean isWorse = other.worstNanos > worstNanos;
            return new Peaks(longer, both, isWorse ? other.worstNanos : worstNanos, isWorse ? other.worstAt : worstAt);
        }

        private long at(long second) {
            long index = second - seconds + recent.size();
            return index < 0 || index >= recent.size() ? 0 : recent.get((int) index);
        }
    }
}
