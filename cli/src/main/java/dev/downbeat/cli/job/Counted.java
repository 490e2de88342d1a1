package dev.downbeat.cli.job;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import java.util.ArrayList;
import java.util.List;

/** The counts of a run so far. Written by the run's thread, read by the painter's. */
public final class Counted implements Progress {
    private static final long SECOND_NANOS = 950_000_000;

    private Recording total = Recording.empty();
    private Recording open = Recording.empty();
    private long openNanos;
    private Recording last = Recording.empty();
    private long lastNanos;
    private long lastEndNanos;
    private long worstBehindNanos;
    private final List<Long> maxima = new ArrayList<>();

    /**
     * The counts at one moment.
     *
     * @param total counts up to the end of the last interval
     * @param last counts of the last whole second, or of the last interval if it is longer
     * @param lastNanos length of that second or interval
     * @param lastEndNanos its end, from the start of the run
     * @param worstBehindNanos the generator's greatest lateness
     * @param maxima longest response time of each second or interval; 0 where none ended
     */
    public record Snapshot(
            Recording total,
            Recording last,
            long lastNanos,
            long lastEndNanos,
            long worstBehindNanos,
            List<Long> maxima) {
        /** No counts. */
        public static final Snapshot NOTHING = new Snapshot(Recording.empty(), Recording.empty(), 0, 0, 0, List.of());

        /** The sum with another process's counts. */
        public Snapshot plus(Snapshot other) {
            List<Long> worst = new ArrayList<>(maxima);
            for (int i = 0; i < other.maxima.size(); i++) {
                if (i < worst.size()) {
                    worst.set(i, Math.max(worst.get(i), other.maxima.get(i)));
                } else {
                    worst.add(other.maxima.get(i));
                }
            }
            return new Snapshot(
                    total.plus(other.total),
                    last.plus(other.last),
                    Math.max(lastNanos, other.lastNanos),
                    Math.max(lastEndNanos, other.lastEndNanos),
                    Math.max(worstBehindNanos, other.worstBehindNanos),
                    worst);
        }

        /** The same without the data that only whole runs need. */
        public Snapshot light() {
            return new Snapshot(
                    total.forTimeline(), last.forTimeline(), lastNanos, lastEndNanos, worstBehindNanos, maxima);
        }

        /** The same with another total. */
        public Snapshot with(Recording whole) {
            return new Snapshot(whole, last, lastNanos, lastEndNanos, worstBehindNanos, maxima);
        }
    }

    @Override
    public synchronized void interval(Interval interval) {
        Recording now = interval.recording();
        total = total.plus(now);
        worstBehindNanos = Math.max(worstBehindNanos, now.lateness().maxNanos());
        open = open.plus(now);
        openNanos += interval.lengthNanos();
        if (openNanos >= SECOND_NANOS) {
            last = open;
            lastNanos = openNanos;
            lastEndNanos = interval.endNanos();
            maxima.add(last.responseAtLeast().maxNanos());
            open = Recording.empty();
            openNanos = 0;
        }
    }

    public synchronized Snapshot snapshot() {
        return new Snapshot(total, last, lastNanos, lastEndNanos, worstBehindNanos, List.copyOf(maxima));
    }
}
