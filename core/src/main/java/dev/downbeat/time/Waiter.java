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

    /**
     * A waiter that parks the thread first, since that costs nothing, and spins at the end, since no kernel wakes a
     * thread on time. It keeps no state, so any number of threads may share it.
     *
     * @param clock the clock to wait by; one that runs with real time
     * @param spinNanos how long before the instant to stop parking and spin, in nanoseconds: 0 never spins for long,
     *     {@link Long#MAX_VALUE} never parks
     * @return the waiter
     * @throws IllegalArgumentException if {@code spinNanos} is negative
     */
    static Waiter parkThenSpin(NanoClock clock, long spinNanos) {
        return new ParkThenSpin(clock, spinNanos);
    }
}
