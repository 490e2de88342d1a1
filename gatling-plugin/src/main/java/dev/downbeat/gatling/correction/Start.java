package dev.downbeat.gatling.correction;

import java.util.function.LongConsumer;

/**
 * The one start of all populations that Gatling starts together: it hands them one and the same, builds them one after the
 * other, and then asks each for its first users. So the start is when the first of them is asked: to build them takes a cold
 * JVM some hundred milliseconds, which must be nobody's lateness. Thread-safe.
 */
final class Start {
    private final LongConsumer listener;
    private boolean known;
    private long at;

    /**
     * A start.
     *
     * @param listener told of the instant, once
     */
    Start(LongConsumer listener) {
        this.listener = listener;
    }

    /** When it is, or was: now, for who asks first. A reading of {@link System#nanoTime}. */
    synchronized long at() {
        if (!known) {
            at = System.nanoTime();
            known = true;
            listener.accept(at);
        }
        return at;
    }
}
