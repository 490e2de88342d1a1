package dev.downbeat.cli.job;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What has been seen of a run so far. Told by the run's thread, read by the painter's. */
public final class Counted implements Progress {
    /** How many of the last seconds the screen shows the spread of. */
    static final int LATELY_SECONDS = 5;

    private static final long SECOND_NANOS = 950_000_000;

    private Recording total = Recording.empty();
    private Recording open = Recording.empty();
    private long openNanos;
    private Recording last = Recording.empty();
    private long lastNanos;
    private long lastEndNanos;
    private long worstBehindNanos;
    private final List<Long> maxima = new ArrayList<>();
    private final Deque<Distribution> lately = new ArrayDeque<>();

    /**
     * All of it at one moment.
     *
     * @param total what was counted up to the end of the last interval
     * @param last what was counted in the last whole second, or interval if that is longer
     * @param lastNanos how long that was
     * @param lastEndNanos when it ended, from the start of the run
     * @param worstBehindNanos by how much the generator was behind at worst
     * @param lately response times of the last {@value #LATELY_SECONDS} of them
     * @param maxima the longest response time of each of them; 0 where none ended
     */
    public record Snapshot(
            Recording total,
            Recording last,
            long lastNanos,
            long lastEndNanos,
            long worstBehindNanos,
            Distribution lately,
            List<Long> maxima) {
        /** Before anything was counted. */
        public static final Snapshot NOTHING =
                new Snapshot(Recording.empty(), Recording.empty(), 0, 0, 0, Distribution.empty(), List.of());

        /** What another process counted added. */
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
                    lately.plus(other.lately),
                    worst);
        }

        /** The same without what only whole runs are asked for. */
        public Snapshot light() {
            return new Snapshot(
                    total.forTimeline(), last.forTimeline(), lastNanos, lastEndNanos, worstBehindNanos, lately, maxima);
        }

        /** The same with another total. */
        public Snapshot with(Recording whole) {
            return new Snapshot(whole, last, lastNanos, lastEndNanos, worstBehindNanos, lately, maxima);
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
            lately.addLast(last.responseAtLeast());
            if (lately.size() > LATELY_SECONDS) {
                lately.removeFirst();
            }
            open = Recording.empty();
            openNanos = 0;
        }
    }

    public synchronized Snapshot snapshot() {
        return new Snapshot(
                total,
                last,
                lastNanos,
                lastEndNanos,
                worstBehindNanos,
                Distribution.sum(List.copyOf(lately)),
                List.copyOf(maxima));
    }
}
