package dev.downbeat.time;

/**
 * A monotonic clock. Its readings are instants in nanoseconds from an arbitrary origin. They may be negative and may
 * wrap around past {@link Long#MAX_VALUE}. Compare them by subtraction only: {@code a - b < 0}, never {@code a < b}.
 *
 * <p>Thread-safe.
 */
public interface NanoClock {
    long nanoTime();

    /**
     * Whether time passes only when the clock is moved. If so, waiting for another thread takes no time, and delays of
     * this process do not affect the measurements.
     */
    default boolean isVirtual() {
        return false;
    }

    /** The earlier of two instants, which are less than 292 years apart. */
    static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }

    /** {@link System#nanoTime} as a clock. */
    static NanoClock system() {
        return System::nanoTime;
    }
}
