package dev.downbeat.time;

/** Waits until an instant of its clock. */
public interface Waiter {
    /**
     * Waits until the clock has reached an instant; returns at once if it has passed.
     *
     * <p>An interrupt ends the wait early and leaves the interrupt flag set. The returned reading may then be before
     * {@code instantAt}, so a caller that may be interrupted must compare.
     *
     * @param instantAt the instant to wait for, less than 292 years from now
     * @return the clock's reading at the end of the wait: at or after {@code instantAt} (compared by subtraction)
     *     unless interrupted
     */
    long awaitUntil(long instantAt);
}
