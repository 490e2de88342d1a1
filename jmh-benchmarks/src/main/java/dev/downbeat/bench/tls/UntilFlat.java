package dev.downbeat.bench.tls;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Warms something up until its time neither falls nor rises any more and the compilers are done. A fixed time favours whoever
 * is warm sooner.
 */
final class UntilFlat {
    private static final long BATCH_NANOS = 500_000_000;

    /** So many batches are compared with as many before them. */
    private static final int BATCHES = 4;

    /** What the later ones may be faster or slower by, and what the compilers may take of them. */
    private static final double SMALL = 0.02;

    private final Deque<Batch> batches = new ArrayDeque<>();

    /**
     * Some half a second.
     *
     * @param meanNanos of one time
     * @param compilerShare of the time, from 0; above 1 if several compilers work
     */
    record Batch(double meanNanos, double compilerShare) {}

    UntilFlat() {}

    /**
     * Does it again and again.
     *
     * @param most after which it is warm in any case
     * @return how long that took, in ns
     */
    static long run(Callable<?> once, Duration most) {
        UntilFlat trend = new UntilFlat();
        long beganAt = System.nanoTime();
        long nowAt = beganAt;
        boolean flat = false;
        while (!flat && nowAt - beganAt < most.toNanos()) {
            long batchAt = nowAt;
            long compiledMillis = compiledMillis();
            int count = 0;
            while (nowAt - batchAt < BATCH_NANOS) {
                call(once);
                count++;
                nowAt = System.nanoTime();
            }
            double lasted = nowAt - batchAt;
            flat = trend.isFlat(new Batch(lasted / count, (compiledMillis() - compiledMillis) * 1e6 / lasted));
        }
        return nowAt - beganAt;
    }

    private static void call(Callable<?> once) {
        try {
            once.call();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static long compiledMillis() {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
                ? 0
                : compilers.getTotalCompilationTime();
    }

    /** Whether, with one more batch, the last ones take as long as those before, with hardly any compilation. */
    boolean isFlat(Batch one) {
        batches.addLast(one);
        if (batches.size() <= 2 * BATCHES) {
            return false;
        }
        batches.removeFirst();
        List<Batch> all = List.copyOf(batches);
        double before = median(all.subList(0, BATCHES));
        double after = median(all.subList(BATCHES, 2 * BATCHES));
        double compiled = all.subList(BATCHES, 2 * BATCHES).stream()
                .mapToDouble(Batch::compilerShare)
                .average()
                .orElseThrow();
        return Math.abs(after - before) <= SMALL * before && compiled < SMALL;
    }

    private static double median(List<Batch> batches) {
        double[] sorted =
                batches.stream().mapToDouble(Batch::meanNanos).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
