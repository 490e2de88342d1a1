package dev.downbeat.cli;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import java.util.ArrayList;
import java.util.List;

/** What has been seen of a run so far. Told by the run's thread, read by the painter's. */
final class Watched implements Progress {
    private Recording total = Recording.empty();
    private Recording last = Recording.empty();
    private long lastNanos;
    private long worstBehindNanos;
    private final List<Long> maxima = new ArrayList<>();

    /**
     * All of it at one moment.
     *
     * @param total what was counted up to the end of the last interval
     * @param last what was counted in the last interval
     * @param lastNanos how long that was
     * @param worstBehindNanos by how much the generator was behind at worst
     * @param maxima the longest response time of each interval; 0 where none ended
     */
    record Snapshot(Recording total, Recording last, long lastNanos, long worstBehindNanos, List<Long> maxima) {}

    @Override
    public synchronized void interval(Interval interval) {
        last = interval.recording();
        lastNanos = interval.lengthNanos();
        total = total.plus(last);
        worstBehindNanos = Math.max(worstBehindNanos, last.lateness().maxNanos());
        maxima.add(last.responseAtLeast().maxNanos());
    }

    synchronized Snapshot snapshot() {
        return new Snapshot(total, last, lastNanos, worstBehindNanos, List.copyOf(maxima));
    }
}
