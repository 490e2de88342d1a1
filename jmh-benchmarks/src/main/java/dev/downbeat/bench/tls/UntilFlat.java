package dev.downbeat.bench.tls;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Repeats an operation until its time is stable and the compilers are idle. A warm-up of fixed length would favour operations
 * that are warm sooner.
 */
final class UntilFlat {
    private static final long BATCH_NANOS = 500_000_000;

    /** The number of batches that are compared with as many before them. */
    private static final int BATCHES = 4;

    /** The largest relative change between these batches, and the largest share of the compilers. */
    private static final double SMALL = 0.02;

    private final Deque<Batch> batches = new ArrayDeque<>();

    /**
     * A batch of half a second.
     *
     * @param meanNanos mean time of the operation
     * @param compilerShare share of the time used by compilers; above 1 with several compiler threads
     */
    record Batch(double meanNanos, double compilerShare) {}

    UntilFlat() {}

    /**
     * Repeats the operation.
     *
     * @param most the longest warm-up
     * @return length of the warm-up in ns
     */
    static long run(Callable<?> operation, Duration most) {
        UntilFlat trend = new UntilFlat();
        long beganAt = System.nanoTime();
        long nowAt = beganAt;
        boolean flat = false;
        while (!flat && nowAt - beganAt < most.toNanos()) {
            long batchAt = nowAt;
            long compiledMillis = compiledMillis();
            int count = 0;
            while (nowAt - batchAt < BATCH_NANOS) {
                call(operation);
                count++;
                nowAt = System.nanoTime();
            }
            double lasted = nowAt - batchAt;
            flat = trend.isFlat(new Batch(lasted / count, (compiledMillis() - compiledMillis) * 1e6 / lasted));
        }
        return nowAt - beganAt;
    }

    private static void call(Callable<?> operation) {
        try {
            operation.call();
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

    /** Adds a batch and returns whether the last ones take as long as those before, with hardly any compilation. */
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
