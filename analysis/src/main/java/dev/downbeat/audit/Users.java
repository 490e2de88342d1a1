package dev.downbeat.audit;

import dev.downbeat.record.Distribution;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * What each closed-loop user did between requests: the delay from a response to the next request, and between starts.
 * Not thread-safe.
 */
final class Users {
    /** The most users tracked. */
    static final int MOST = 100_000;

    private long[] startedAt = new long[64];
    private long[] endedAt = new long[64];
    private int count;
    private long overlaps;
    private long followed;
    private boolean isWhole = true;

    private final Histogram think = Distribution.newHistogram();
    private final Histogram cycle = Distribution.newHistogram();
    private long longestGapNanos;
    private long longestGapAt;
    private int longestGapOf = -1;

    /** Adds the next request of a user, in order of start times. */
    void add(int user, long startNanos, long endNanos) {
        if (user < 0 || user >= MOST) {
            isWhole = false;
            return;
        }
        if (user >= startedAt.length) {
            startedAt = Arrays.copyOf(startedAt, Math.max(user + 1, 2 * startedAt.length));
            endedAt = Arrays.copyOf(endedAt, startedAt.length);
        }
        if (user >= count) {
            Arrays.fill(endedAt, count, user + 1, Long.MIN_VALUE);
            count = user + 1;
        } else if (endedAt[user] != Long.MIN_VALUE) {
            follow(user, startNanos);
        }
        startedAt[user] = startNanos;
        endedAt[user] = endNanos;
    }

    private void follow(int user, long startNanos) {
        followed++;
        long thought = startNanos - endedAt[user];
        long gap = startNanos - startedAt[user];
        if (thought < 0) {
            overlaps++;
            return;
        }
        think.recordValue(Math.min(thought, Distribution.MAX_NANOS));
        cycle.recordValue(Math.min(gap, Distribution.MAX_NANOS));
        if (gap > longestGapNanos) {
            longestGapNanos = gap;
            longestGapAt = startedAt[user];
            longestGapOf = user;
        }
    }

    /** Whether every request of a user starts after the previous one ended, with enough requests to conclude that. */
    boolean areSerial() {
        return isWhole && count > 0 && followed >= 3L * count && overlaps * 100 <= followed;
    }

    int count() {
        return count;
    }

    long thinkNanos(double percentile) {
        return think.getTotalCount() == 0 ? 0 : think.getValueAtPercentile(percentile);
    }

    long cycleNanos(double percentile) {
        return cycle.getTotalCount() == 0 ? 0 : cycle.getValueAtPercentile(percentile);
    }

    /** The longest time between two consecutive starts of one user. */
    long longestGapNanos() {
        return longestGapNanos;
    }

    long longestGapAt() {
        return longestGapAt;
    }

    int longestGapOf() {
        return longestGapOf;
    }
}
