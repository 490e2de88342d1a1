package dev.downbeat.gatling.correction;

import java.util.function.LongConsumer;

/**
 * The common start of all populations that Gatling starts together. Gatling passes them the same start, builds them one
 * by one, and then requests the first users of each. The start is the first such request, because building takes a cold
 * JVM several hundred milliseconds, which must not count as lateness. Thread-safe.
 */
final class Start {
    private final LongConsumer listener;
    private boolean known;
    private long at;

    /** The listener is called once with the instant. */
    Start(LongConsumer listener) {
        this.listener = listener;
    }

    /** The instant of the start: now, at the first call. A reading of {@link System#nanoTime}. */
    synchronized long at() {
        if (!known) {
            at = System.nanoTime();
            known = true;
            listener.accept(at);
        }
        return at;
    }
}
