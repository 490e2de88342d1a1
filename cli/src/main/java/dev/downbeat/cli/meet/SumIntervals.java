package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.Counted;
import dev.downbeat.cli.job.LiveSum;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The intervals of the sum. One ends at a second that all shards have ended which go on; whoever is gone counts with what it had. What
 * a lost note leaves out is in the next interval. Not thread-safe.
 */
final class SumIntervals {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Notes are a second apart at most, and so are shards. */
    private static final int MOST_SECONDS = 3;

    private final Progress hearer;
    private final Map<Integer, NavigableMap<Long, Recording>> totals = new HashMap<>();
    private Recording told = Recording.empty();
    private long toldNanos;

    SumIntervals(Progress hearer) {
        this.hearer = hearer;
    }

    /** Notes a shard's total, and by that its total a second earlier. */
    void saw(int shard, Counted.Snapshot seen) {
        NavigableMap<Long, Recording> mine = totals.computeIfAbsent(shard, none -> new TreeMap<>());
        mine.computeIfAbsent(
                second(seen.lastEndNanos() - seen.lastNanos()),
                none -> seen.total().since(seen.last()));
        mine.put(second(seen.lastEndNanos()), seen.total());
        while (mine.size() > MOST_SECONDS) {
            mine.pollFirstEntry();
        }
    }

    private static long second(long nanos) {
        return (nanos + SECOND_NANOS / 2) / SECOND_NANOS;
    }

    /** Closes an interval if all have come far enough. */
    void close(List<LiveSum.Part> parts) {
        List<NavigableMap<Long, Recording>> running = parts.stream()
                .filter(part -> part.health() == LiveSum.Health.RUNNING)
                .map(part -> totals.getOrDefault(part.shard().index(), Collections.emptyNavigableMap()))
                .toList();
        if (running.isEmpty() || parts.stream().anyMatch(part -> part.health() == LiveSum.Health.EXPECTED)) {
            return;
        }
        for (long second : running.get(0).descendingKeySet()) {
            if (second * SECOND_NANOS > toldNanos && running.stream().allMatch(each -> each.containsKey(second))) {
                tell(second * SECOND_NANOS, second);
                return;
            }
        }
    }

    /** Closes the last interval: all that is known is told then. */
    void end(long endNanos) {
        tell(Math.max(endNanos, toldNanos), Long.MAX_VALUE);
    }

    private void tell(long endNanos, long second) {
        Recording sum = Recording.empty();
        for (NavigableMap<Long, Recording> each : totals.values()) {
            Map.Entry<Long, Recording> then = each.floorEntry(second);
            sum = then == null ? sum : sum.plus(then.getValue());
        }
        hearer.interval(new Interval(toldNanos, endNanos, sum.since(told)));
        told = sum;
        toldNanos = endNanos;
    }
}
