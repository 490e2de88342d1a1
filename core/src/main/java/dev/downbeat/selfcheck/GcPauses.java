package dev.downbeat.selfcheck;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stop-the-world collections, from the management beans. Beans of concurrent cycles are ignored, since they run in
 * parallel. The resolution is 1 ms, so a shorter pause may not show.
 *
 * <p>Read by one thread at a time.
 */
final class GcPauses {
    private final List<GarbageCollectorMXBean> beans;
    private final long countBefore;
    private final long millisBefore;
    private long count;
    private long millis;
    private long largestMillis;
    private final AtomicLong soFarMillis = new AtomicLong();

    GcPauses() {
        this(ManagementFactory.getGarbageCollectorMXBeans());
    }

    GcPauses(List<GarbageCollectorMXBean> all) {
        beans = all.stream().filter(bean -> stopsTheProcess(bean.getName())).toList();
        countBefore = counted();
        millisBefore = spent();
        count = countBefore;
        millis = millisBefore;
    }

    static boolean stopsTheProcess(String name) {
        return !name.contains("Cycles") && !name.contains("Concurrent");
    }

    /** Several collections since the last reading count as one of their total length: an overestimate at worst. */
    void read() {
        long countNow = counted();
        long millisNow = spent();
        if (countNow != count) {
            largestMillis = Math.max(largestMillis, millisNow - millis);
        }
        count = countNow;
        millis = millisNow;
        soFarMillis.setOpaque(millisNow - millisBefore);
    }

    /** As of the last reading; any thread may call this. */
    long soFarNanos() {
        return soFarMillis.getOpaque() * 1_000_000;
    }

    long count() {
        return count - countBefore;
    }

    long nanos() {
        return (millis - millisBefore) * 1_000_000;
    }

    long largestNanos() {
        return largestMillis * 1_000_000;
    }

    /** A bean without data returns -1. This is called so often that a stream would dominate its cost. */
    private long counted() {
        long sum = 0;
        for (GarbageCollectorMXBean bean : beans) {
            sum += Math.max(0, bean.getCollectionCount());
        }
        return sum;
    }

    private long spent() {
        long sum = 0;
        for (GarbageCollectorMXBean bean : beans) {
            sum += Math.max(0, bean.getCollectionTime());
        }
        return sum;
    }
}
