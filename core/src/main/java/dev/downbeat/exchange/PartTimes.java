package dev.downbeat.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/**
 * Durations of the components of requests, under names chosen by the target, such as {@code login}. Thread-safe.
 *
 * <p>At most {@value #MOST} names are kept, because another process may generate them. Times under further names are
 * dropped.
 */
public final class PartTimes {
    private static final int MOST = 32;
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    /** A power of two: threads that write one histogram wait for each other. */
    private static final int STRIPES = 8;

    private static final Histogram[] NONE = {};

    private final Map<String, Histogram[]> byName = new ConcurrentHashMap<>();
    private final List<String> names = new ArrayList<>();
    private final Histogram[][] first;

    /**
     * Statistics of one component.
     *
     * @param name such as {@code login}
     * @param count number of requests
     */
    public record PartSummary(String name, long count, long meanNanos, long p50Nanos, long p99Nanos, long maxNanos) {}

    /** Starts empty; components are listed in order of first occurrence. */
    public PartTimes() {
        this(List.of());
    }

    /** Starts empty; these names come first, in this order. */
    public PartTimes(List<String> names) {
        first = names.stream().map(this::times).toArray(Histogram[][]::new);
    }

    /** Adds one request's time in nanoseconds, clamped to the range from 0 to one hour. */
    public void add(String name, long nanos) {
        Histogram[] known = byName.get(name); // without the lock, which all threads of a load would meet at
        add(known == null ? times(name) : known, nanos);
    }

    /** As {@link #add(String, long)} does, under one of the first names, by its place from 0. */
    public void add(int place, long nanos) {
        add(first[place], nanos);
    }

    /** Adds all times of another, such as a lane that has ended. */
    public void add(PartTimes others) {
        others.sums().forEach((name, sum) -> {
            Histogram[] times = times(name);
            if (times.length > 0) {
                synchronized (times[0]) {
                    times[0].add(sum);
                }
            }
        });
    }

    private static void add(Histogram[] times, long nanos) {
        if (times.length > 0) {
            Histogram ofThread = times[(int) Thread.currentThread().getId() & (STRIPES - 1)];
            synchronized (ofThread) {
                ofThread.recordValue(Math.max(0, Math.min(LONGEST_NANOS, nanos)));
            }
        }
    }

    private synchronized Histogram[] times(String name) {
        Histogram[] times = byName.get(name);
        if (times == null && byName.size() >= MOST) {
            return NONE;
        }
        if (times == null) {
            times = new Histogram[STRIPES];
            Arrays.setAll(times, i -> new Histogram(1, LONGEST_NANOS, 2));
            byName.put(name, times);
            names.add(name);
        }
        return times;
    }

    /** All components that occurred. */
    public List<PartSummary> all() {
        List<PartSummary> all = new ArrayList<>();
        sums().forEach((name, sum) -> all.add(new PartSummary(
                name,
                sum.getTotalCount(),
                (long) sum.getMean(),
                sum.getValueAtPercentile(50),
                sum.getValueAtPercentile(99),
                sum.getMaxValue())));
        return all;
    }

    /** The times of each component that occurred, in order. */
    private synchronized Map<String, Histogram> sums() {
        Map<String, Histogram> sums = new LinkedHashMap<>();
        for (String name : names) {
            Histogram sum = new Histogram(1, LONGEST_NANOS, 2);
            for (Histogram stripe : times(name)) {
                synchronized (stripe) {
                    sum.add(stripe);
                }
            }
            if (sum.getTotalCount() > 0) {
                sums.put(name, sum);
            }
        }
        return sums;
    }
}
