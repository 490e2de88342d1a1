package dev.downbeat.cli.job;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The longest response time of each second: of the last few minutes, as wide as a screen is, and the worst of all. Immutable.
 *
 * @param seconds how many there were
 * @param recent of the last of them, in nanoseconds; 0 where none ended
 * @param worstNanos the longest of all
 * @param worstAt the second in which that was
 */
public record Peaks(long seconds, List<Long> recent, long worstNanos, long worstAt) {
    /** No second is over. */
    public static final Peaks NONE = new Peaks(0, List.of(), 0, 0);

    static final int MOST = 200;

    public Peaks {
        recent = List.copyOf(recent);
    }

    /** Of one second, counted from 0. */
    static Peaks of(long second, long nanos) {
        return new Peaks(second + 1, List.of(nanos), nanos, second);
    }

    /** Those of both, second by second. */
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
