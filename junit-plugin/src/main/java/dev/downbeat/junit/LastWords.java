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
    private final Thread hook;

    LastWords(Thread measuring) {
        hook = new Thread(
                () -> {
                    measuring.interrupt();
                    await();
                },
                "downbeat-last-words");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException ending) {
            measuring.interrupt();
        }
    }

    /** Not for long: the thread that measures may be the one that wants to end it all. */
    private void await() {
        try {
            said.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException atOnce) {
            Thread.currentThread().interrupt();
        }
    }

    /** From now on nobody has to wait. */
    void areSaid() {
        said.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // it has been called
        }
    }
}
