package dev.downbeat.time;

/** Waits until an instant of its clock. */
public interface Waiter {
    /**
     * Waits until the clock has reached an instant, and returns at once if it has passed already.
     *
     * <p>An interrupt of the thread ends the wait early. The thread's interrupt flag stays set, and the reading returned
     * may then be before {@code instantAt}; so a caller who may be interrupted compares the two.
     *
     * @param instantAt the instant to wait for, less than 292 years from now
     * @return the clock's reading at the end of the wait: at or after {@code instantAt} (compared by subtraction) unless
     *     interrupted
     */
    long awaitUntil(long instantAt);
}
