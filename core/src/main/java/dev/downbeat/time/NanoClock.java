package dev.downbeat.time;

/**
 * A monotonic clock. Its readings are instants: nanoseconds from an origin that nobody knows, possibly negative, possibly
 * past {@link Long#MAX_VALUE} and round again. Compare two of them by subtraction only: {@code a - b < 0}, never
 * {@code a < b}.
 *
 * <p>Safe for use by any number of threads.
 */
public interface NanoClock {
    /**
     * Reads the clock.
     *
     * @return the present instant
     */
    long nanoTime();

    /**
     * Whether time passes only when somebody moves the clock: then nobody is late who waits for another thread, and what
     * this process goes through has no part in what is measured.
     */
    default boolean isVirtual() {
        return false;
    }

    /**
     * The clock of this JVM.
     *
     * @return {@link System#nanoTime()} as a clock
     */
    static NanoClock system() {
        return System::nanoTime;
    }
}
