package dev.downbeat.bench.tls;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;

/** Warms something up until it takes no less time any more. A fixed time favours whoever is warm sooner. */
final class UntilFlat {
    private static final long BATCH_NANOS = 500_000_000;

    /** So many batches are compared with as many before them. */
    private static final int BATCHES = 4;

    /** What the later ones may be faster by. */
    private static final double FLAT = 0.98;

    private final Deque<Double> means = new ArrayDeque<>();

    private UntilFlat() {}

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
            int count = 0;
            while (nowAt - batchAt < BATCH_NANOS) {
                call(once);
                count++;
                nowAt = System.nanoTime();
            }
            flat = trend.isFlat((double) (nowAt - batchAt) / count);
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

    /** Whether, with one more batch, the last ones are not faster than those before. */
    private boolean isFlat(double meanNanos) {
        means.addLast(meanNanos);
        if (means.size() <= 2 * BATCHES) {
            return false;
        }
        means.removeFirst();
        double before = means.stream()
                .limit(BATCHES)
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
        double after = means.stream()
                .skip(BATCHES)
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
        return after >= before * FLAT;
    }
}
