package dev.downbeat.junit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a measurement when its JVM is told to end, by a signal or a {@code System.exit} of the service in it, and holds the end up
 * until what was measured is saved and said. Use once.
 */
final class LastWords {
    private static final int PATIENCE_SECONDS = 10;

    private final CountDownLatch said = new CountDownLatch(1);
    private final Thread measuring;
    private final Thread hook = new Thread(this::hearOut, "downbeat-last-words");

    LastWords(Thread measuring) {
        this.measuring = measuring;
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException ending) {
            measuring.interrupt();
        }
    }

    /** What is done at the end of the JVM. Not for long: the thread that measures may be the one that wants to end it all. */
    void hearOut() {
        measuring.interrupt();
        try {
            said.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException atOnce) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has a load test measured, saved and said, which is all that the trial does; from then on nobody has to wait. */
    void areThoseOf(Runnable trial) {
        try {
            trial.run();
        } finally {
            said.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                // it has been called
            }
        }
    }
}
