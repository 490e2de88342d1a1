package dev.downbeat.junit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a measurement when its JVM shuts down, through a signal or a {@code System.exit} of the service in it. It delays
 * the shutdown until the results are saved and printed. Use once.
 */
final class ShutdownGuard {
    private static final int PATIENCE_SECONDS = 10;

    private final CountDownLatch reported = new CountDownLatch(1);
    private final Thread measuring;
    private final Thread hook = new Thread(this::awaitReport, "downbeat-last-words");

    ShutdownGuard(Thread measuring) {
        this.measuring = measuring;
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException ending) {
            measuring.interrupt();
        }
    }

    /** The shutdown hook. It waits for a limited time, since the measuring thread itself may have called exit. */
    void awaitReport() {
        measuring.interrupt();
        try {
            reported.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the test, which measures, saves and prints; afterwards the shutdown need not wait. */
    void guard(Runnable test) {
        try {
            test.run();
        } finally {
            reported.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                // shutdown has already begun
            }
        }
    }
}
